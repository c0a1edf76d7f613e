import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { auditPayload, chainHash, genesisHash, type ChainLink } from './chain.ts'
import { StoreError, type AuditEntry } from '../store.ts'

const entry: AuditEntry = {
  workspaceId: 'default',
  at: 1_766_000_000_000,
  requestId: null,
  tokenId: 'Ab3dEf6h',
  actor: 'token:Ab3dEf6h',
  action: 'ingress_proxy',
  detail: { outcome: 'forwarded', entitiesMasked: 2, modelId: undefined },
  eventIndex: 7
}

const link: ChainLink = {
  previousHash: genesisHash('default', 'w1'),
  writerSequence: 1,
  sequence: 10,
  day: 20_439,
  payload: auditPayload(entry)
}

test('the payload is canonical, omits undefined members and does not include the index in the batch', () => {
  assert.equal(
    link.payload,
    '{"action":"ingress_proxy","actor":"token:Ab3dEf6h","at":1766000000000,' +
      '"detail":{"entitiesMasked":2,"outcome":"forwarded"},"requestId":null,"tokenId":"Ab3dEf6h","workspaceId":"default"}'
  )
})

test('what JSON cannot hold makes a record invalid, and the error shows nothing of it', () => {
  const detail = { count: 1n as unknown as number, note: 'canary' }
  assert.throws(
    () => auditPayload({ ...entry, detail }),
    (error: unknown) => error instanceof StoreError && error.code === 'invalid' && !error.message.includes('canary')
  )
})

test('the format of the hashes is fixed: rows on disk must verify permanently', () => {
  assert.equal(genesisHash('default', 'w1'), '51f648d0e6589da1df016f912a3f440fb9697f92bf5defca7ad0e22bae439c5e')
  assert.equal(chainHash(link), 'bd904faafb931b23196dce98d93200290172535d2875d7cd3d1b78eebf97061f')
})

test('every part of a link affects its hash', () => {
  const changed: readonly Partial<ChainLink>[] = [
    { previousHash: genesisHash('default', 'w2') },
    { previousHash: genesisHash('other', 'w1') },
    { writerSequence: 2 },
    { sequence: 11 },
    { day: 20_440 },
    { payload: `${link.payload} ` }
  ]
  for (const change of changed) assert.notEqual(chainHash({ ...link, ...change }), chainHash(link))
})

test('no two links give the same text to hash, whatever the payload holds', () => {
  const anyLink = fc.record({
    previousHash: fc.constant(link.previousHash),
    writerSequence: fc.nat(),
    sequence: fc.nat(),
    day: fc.nat(),
    payload: fc.string({ unit: fc.constantFrom('1', '\n', '{') })
  })
  fc.assert(
    fc.property(anyLink, anyLink, (a, b) => {
      const isSame = (Object.keys(a) as (keyof ChainLink)[]).every((name) => a[name] === b[name])
      assert.equal(chainHash(a) === chainHash(b), isSame)
    })
  )
})
