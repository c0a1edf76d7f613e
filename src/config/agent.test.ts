import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { request } from 'undici'
import { createCertificateAuthority } from '../../test/support/certificates.ts'
import { createAgent } from './agent.ts'

test('an agent offers HTTP/1.1 alone, also where a proxy is set', async (t) => {
  const authority = createCertificateAuthority()
  // Given the choice, it takes HTTP/2, as the servers of most vendors do.
  const server = createSecureServer({ ...authority.issue('upstream'), allowHTTP1: true }, (req, res) => {
    res.end(req.httpVersion)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const env of [{}, { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' }]) {
    const dispatcher = createAgent(env, { connect: { ca: authority.cert } })
    const { body } = await request(url, { dispatcher })
    assert.equal(await body.text(), '1.1')
    await dispatcher.close()
  }
})
