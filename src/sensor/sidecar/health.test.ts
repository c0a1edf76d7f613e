import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { call } from '../../../test/support/http.ts'
import { answerHealth, type SidecarHealth } from './health.ts'

it('is ready with any policy to enforce, says if that is not a fresh one, and is not ready while it stops', async () => {
  let health: SidecarHealth
  const server = createServer((req, res) => {
    if (!answerHealth(req, res, req.url ?? '', health)) res.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const [state, isDraining, expected] of [
    ['fresh', false, [200, 'ok', 'ok']],
    ['stale', false, [200, 'degraded', 'ok']],
    ['baseline', false, [200, 'degraded', 'ok']],
    ['unresolved', false, [503, 'unavailable', 'ok']],
    ['expired', false, [503, 'unavailable', 'ok']],
    ['fresh', true, [503, 'unavailable', 'stopping']]
  ] as const) {
    health = {
      status: { state, revision: undefined, ageMs: undefined } as SidecarHealth['status'],
      isDraining,
      metrics: () => ''
    }
    const reply = await call(`${url}/readyz`, { method: 'GET' })
    const { status, checks } = reply.json() as { status: string; checks: { draining: string } }
    assert.deepEqual([reply.status, status, checks.draining], expected, `${state} ${isDraining}`)
  }
  assert.equal((await call(`${url}/livez`, { method: 'GET' })).status, 200)
  assert.equal((await call(`${url}/readyz`, { method: 'POST' })).status, 404)
  server.closeAllConnections()
  server.close()
})
