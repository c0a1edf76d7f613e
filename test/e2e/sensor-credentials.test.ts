/** Credentials of a sensor, and those that it hands to MCP servers, are in no text that passes and in no record. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { filler } from '../../src/detection/sample-text.ts'
import { createSensor } from '../../src/sdk/index.ts'
import { userBody } from '../support/dialects.ts'
import { storedEvents } from '../support/events.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startFixtureHttp } from '../support/mcp/fixture-http.ts'
import { connectV1, startGated, type ToolClient } from '../support/mcp/start-gated.ts'
import { openPolicyApi } from '../support/policy-api.ts'
import { startTestService } from '../support/start-service.ts'
import { startTestSidecar } from '../support/start-sidecar.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'
import { startWireTap } from '../support/wire-tap.ts'

/** No detector knows these forms. */
const [proxyPassword, serverKey, serverToken] = [71, 72, 73].map((seed) => filler(24, undefined, seed)) as [
  string,
  string,
  string
]
const base64 = (text: string): string => Buffer.from(`it is ${text}`).toString('base64')

describe('a sidecar', () => {
  it('lets neither the password of its proxy nor its token pass, however they are written', async () => {
    await using upstream = await startStubUpstream(answers())
    await using service = await startTestService({ upstream })
    await using tap = await startWireTap(service.url)
    const env = { ALL_PROXY: `http://sluice:${proxyPassword}@127.0.0.1:9` }
    await using sidecar = await startTestSidecar({ target: tap.url, token: service.token, env })
    await sidecar.enforces(1)
    const base64Token = base64(service.token)
    for (const text of [proxyPassword, base64(proxyPassword), service.token, base64Token]) {
      tap.forget()
      const answer = await call(`${sidecar.url}/v1/chat/completions`, {
        headers: { 'content-type': 'application/json' },
        body: userBody('chat-completions', `It printed ${text} there.`)
      })
      assert.equal(answer.status, 403, answer.text)
      assert.ok(!answer.text.includes(text))
      assert.ok(!tap.said().includes(proxyPassword) && !tap.said().includes(base64Token))
    }
    assert.equal(upstream.received.length, 0)
    const events = await eventually('four events', async () => {
      const stored = await storedEvents(service, { kind: 'ingress_block' })
      return stored.length === 4 ? stored : undefined
    })
    const kinds = events.flatMap(({ sensorMetadata }) => Object.keys(sensorMetadata['entityCounts'] as object))
    assert.deepEqual(kinds.toSorted(), [
      'known_credential',
      'known_credential',
      'workspace_token_svw',
      'workspace_token_svw'
    ])
  })
})

const folder = await mkdtemp(join(tmpdir(), 'sluice-sensor-credentials-'))
after(() => rm(folder, { recursive: true, force: true }))

/** Answers every call of a tool with the credential that it was started with. */
const telling = `
import { createInterface } from 'node:readline'
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') {
    const { protocolVersion } = params
    say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } } })
  } else if (method === 'tools/list') {
    say({ id, result: { tools: [{ name: 'tell', inputSchema: { type: 'object' } }] } })
  } else say({ id, result: { content: [{ type: 'text', text: 'I have ' + process.env.TELLER_TOKEN + ' here.' }] } })
})
`

describe('an MCP proxy', () => {
  const allowed = { mcpToolPolicy: { version: 1, listing: 'all' } } as const

  const refused = async (client: ToolClient, tool: string, text: string): Promise<void> => {
    const { isError, text: told } = await client.call(tool, { text: `It printed ${text} there.` })
    assert.equal(isError, true, 'it was called')
    assert.ok(!told.includes(text), told)
  }

  it('refuses calls with a header for its server, and records nothing of it', async () => {
    await using server = await startFixtureHttp()
    await using proxy = await startGated(
      { url: `${server.url}?key=${serverToken}`, headers: [`Authorization: Bearer ${serverKey}`] },
      allowed
    )
    await using client = await connectV1(proxy.url)
    const [tool = ''] = await client.names()
    for (const text of [serverKey, serverToken, base64(serverKey)]) await refused(client, tool, text)
    await client.call(`tool_${serverKey}`).catch(() => undefined)
    const events = JSON.stringify(await proxy.decisions(4))
    assert.ok(!events.includes(serverKey) && !events.includes(serverToken), events)
  })

  it('masks what a command was given to start with in its results', async () => {
    const script = join(folder, 'telling.mjs')
    await writeFile(script, telling)
    const config = join(folder, 'mcp.json')
    const entry = { command: process.execPath, args: [script], env: { TELLER_TOKEN: serverToken } }
    await writeFile(config, JSON.stringify({ mcpServers: { teller: entry } }))
    await using proxy = await startGated({ config }, allowed)
    await using client = await connectV1(proxy.url)
    const { text } = await client.call('tell')
    assert.match(text, /^I have KNOWN_CREDENTIAL_[A-Z2-7]{10} here\.$/)
    await refused(client, 'tell', serverToken)
  })
})

describe('a sensor of the SDK', () => {
  it('masks its own token and the password of its proxy, and reports neither', async () => {
    await using service = await startTestService()
    const policy = await openPolicyApi(service)
    await policy.publish({ redactionProfile: { version: 1, preset: 'coding-agents' } })
    const env = { HTTP_PROXY: `http://sluice:${proxyPassword}@127.0.0.1:9`, NO_PROXY: '127.0.0.1' }
    await using sensor = createSensor({ target: service.url, token: service.token, env })
    await sensor.policy.ready()
    const place = { scope: 'masked', origin: 'tool_result', isNewest: false } as const
    for (const text of [proxyPassword, base64(proxyPassword), service.token]) {
      const { text: masked } = sensor.policy.mask(`It printed ${text} there.`, { place })
      assert.match(masked ?? '', /^It printed .*(?:KNOWN_CREDENTIAL|WORKSPACE_TOKEN)_[A-Z2-7]{10}.* there\.$/)
    }
    const report = sensor.report({ kind: 'noted', mcpToolName: `tool_${proxyPassword}` })
    assert.ok(report.ok)
    const [event] = await eventually('the event', async () => {
      const stored = await storedEvents(service, { kind: 'noted' })
      return stored.length > 0 ? stored : undefined
    })
    assert.equal(event?.sensorMetadata['mcpToolName'], 'tool_KNOWN_CREDENTIAL')
  })
})
