import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionFault, isCertificateFault } from './connection-fault.ts'

test('returns the code of the system or of TLS, and nothing else that an error carries', () => {
  const coded = (code: unknown): unknown => Object.assign(new Error('to 10.0.0.7:443'), { code })
  for (const code of ['ECONNREFUSED', 'UND_ERR_SOCKET', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    assert.equal(connectionFault(coded(code)), code)
  for (const code of ['connect ECONNREFUSED 10.0.0.7', 'AB', '28P01', 7, undefined])
    assert.equal(connectionFault(coded(code)), undefined)
  for (const other of [undefined, null, 'ECONNREFUSED', {}]) assert.equal(connectionFault(other), undefined)
})

test('tells an untrusted certificate from a connection that was not made', () => {
  for (const code of ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED'])
    assert.ok(isCertificateFault(code))
  for (const code of ['ECONNREFUSED', 'EPROTO', undefined]) assert.ok(!isCertificateFault(code))
})
