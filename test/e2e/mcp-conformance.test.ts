/**
 * The MCP conformance suite has the same results for a server directly and through the proxy with a policy that allows
 * everything.
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { differences, runConformance } from '../support/mcp/conformance.ts'
import { startFixtureHttp } from '../support/mcp/fixture-http.ts'
import { startGatedRelay } from '../support/mcp/gated-relay.ts'

for (const revision of ['2025-11-25', '2026-07-28']) {
  it(`the server of revision ${revision}`, async () => {
    await using server = await startFixtureHttp({ retryMs: 200 })
    await using relay = await startGatedRelay({ url: server.url, listen: '0' })
    const run = (url: string) => runConformance(['server', '--url', url, '--requirements', revision])
    const [direct, proxied] = await Promise.all([run(server.url), run(relay.url)])
    assert.ok(direct.filter((line) => line.endsWith('SUCCESS')).length > 80, 'the suite ran')
    assert.ok(direct.includes('server-dns-rebinding-protection: localhost-host-rebinding-rejected SUCCESS'))
    assert.deepEqual(differences(direct, proxied), [])
  })
}
