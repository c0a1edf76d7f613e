/**
 * End to end: a policy published at the service, real clients, the proxy, real servers, and the events that the service
 * gets.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { connectV1, connectV2, startGated } from '../support/mcp/start-gated.ts'
import { startFixtureHttp } from '../support/mcp/fixture-http.ts'
import { createPlanter } from '../support/planted.ts'

const root = join(import.meta.dirname, '../..')
const packaged = (name: string): string => join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js')
const email = createPlanter(21)('email')

const folder = await mkdtemp(join(tmpdir(), 'sluice-mcp-gate-'))
after(() => rm(folder, { recursive: true, force: true }))
await writeFile(join(folder, 'note.txt'), `Write to ${email.value} about it.`)

/** Sends the same text in a log message, in progress and in an error before it responds. */
const talkative = `
import { createInterface } from 'node:readline'
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
const words = ${JSON.stringify(`Write to ${email.value}.`)}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') {
    const { protocolVersion } = params
    say({ id, result: { protocolVersion, capabilities: { resources: {}, logging: {} }, serverInfo: { name: 'a', version: '1' } } })
  } else if (params?.uri === 'test:none') {
    say({ id, error: { code: -32002, message: words, data: { words } } })
  } else {
    say({ method: 'notifications/message', params: { level: 'info', data: { words } } })
    say({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1, message: words } })
    say({ id, result: { contents: [{ uri: params.uri, text: words }] } })
  }
})
`

describe('a server that sends more than results', () => {
  it('has all of it masked and recorded, and the client gets each message in its place', async () => {
    const script = join(folder, 'talkative.mjs')
    await writeFile(script, talkative)
    await using proxy = await startGated(
      { command: [process.execPath, script] },
      { mcpToolPolicy: { version: 1, listing: 'all' } }
    )
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url)))
    const told: string[] = []
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      told.push(JSON.stringify(params.data))
    })
    const onprogress = ({ message = '' }): void => void told.push(message)
    const { contents } = await client.readResource({ uri: 'test:a' }, { onprogress })
    told.push(JSON.stringify(contents))
    await assert.rejects(client.readResource({ uri: 'test:none' }), ({ message, data }: Error & { data?: unknown }) => {
      told.push(message, JSON.stringify(data))
      return true
    })
    await client.close()
    assert.equal(told.length, 5)
    for (const text of told) assert.match(text, /Write to EMAIL_[A-Z2-7]{10}\./)
    const events = await proxy.eventsOf('tool_answer_masked', 4)
    assert.deepEqual(
      events.map(({ sensorMetadata }) => sensorMetadata['reasonCode']),
      ['server_notice', 'server_notice', 'server_answer', 'server_answer']
    )
  })
})

describe('the file server behind the proxy', () => {
  const command = [process.execPath, packaged('server-filesystem'), folder]
  const servers = [{ id: 'files', command: ['*node*', '*server-filesystem*', '**'] }]
  const rules = [
    {
      id: 'read',
      effect: 'allow',
      server: 'files',
      tool: ['read_*', 'list_directory'],
      when: [{ argument: '/path', pathWithin: folder }]
    },
    {
      id: 'no-write',
      effect: 'deny',
      tool: ['write_*', 'edit_*', 'move_*', 'create_*'],
      reason: 'Files are read here.'
    }
  ]

  it('shows callable tools, allows calls by their paths, masks their results, and records each call', async () => {
    const tools = { version: 1, defaultEffect: 'deny', servers, rules }
    await using proxy = await startGated({ command }, { mcpToolPolicy: tools })
    await using client = await connectV1(proxy.url)
    const names = await client.names()
    assert.ok(names.includes('read_text_file') && names.includes('list_directory'))
    assert.ok(!names.some((name) => /^(?:write|edit|move|create)_|^directory_tree/.test(name)), String(names))

    const read = await client.call('read_text_file', { path: join(folder, 'note.txt') })
    assert.match(read.text, /^Write to EMAIL_[A-Z2-7]{10} about it\./)
    const outside = await client.call('read_text_file', { path: `${folder}/../other` })
    assert.equal(outside.isError, true)
    assert.match(
      outside.text,
      /^The tool "read_text_file" of server "files" was not called: the policy of the workspace forbids it\./
    )
    const denied = await client.call('write_file', { path: join(folder, 'x'), content: 'x' })
    assert.match(denied.text, /by the rule "no-write"\. Files are read here\./)

    const decisions = await proxy.decisions(3)
    const told = decisions.map(({ action, mcpToolName, reasonCode, ruleId = '-' }) =>
      [action, mcpToolName, reasonCode, ruleId].join(' ')
    )
    assert.deepEqual(
      new Set(told),
      new Set(['block read_text_file default -', 'block write_file rule no-write', 'mask read_text_file rule read'])
    )
    for (const decision of decisions)
      assert.deepEqual(
        [decision['platform'], decision['downstreamServer'], decision['mcpServer'], decision['policyRevision']],
        ['mcp-proxy', 'docker', 'files', proxy.revision]
      )
    const refusal = denied.meta?.['dev.sluice/refusal'] as Record<string, unknown>
    const [written] = decisions.filter(({ mcpToolName }) => mcpToolName === 'write_file')
    assert.equal(refusal['requestId'], written?.['requestId'])
    assert.ok(!JSON.stringify(decisions).includes(email.needle))

    const [inventory] = await proxy.eventsOf('tool_inventory', 1)
    const listed = inventory?.sensorMetadata['tools'] as { name: string; effect: string; isConditional?: boolean }[]
    const of = (name: string) => listed.find((tool) => tool.name === name)
    assert.deepEqual(
      [of('write_file')?.effect, of('read_text_file')?.effect, of('read_text_file')?.isConditional],
      ['deny', 'allow', true]
    )
  })

  it('is subject to a new policy from the moment at which it is in force', async () => {
    await using proxy = await startGated({ command }, { mcpToolPolicy: { version: 1, listing: 'all' } })
    await using client = await connectV1(proxy.url)
    const args = { path: join(folder, 'note.txt') }
    assert.equal((await client.call('read_text_file', args)).isError, false)
    await proxy.publish({ mcpToolPolicy: { version: 1, rules: [{ id: 'none', effect: 'deny', tool: 'read_*' }] } })
    assert.equal((await client.call('read_text_file', args)).isError, true)
    await proxy.publish({ mcpToolPolicy: { version: 1, mode: 'observe', rules: [{ id: 'none', effect: 'deny' }] } })
    assert.equal((await client.call('read_text_file', args)).isError, false)
    const last = (await proxy.decisions(3)).at(-1)
    assert.deepEqual([last?.['action'], last?.['reasonCode']], ['mask', 'rule_observed'])
  })
})

const askEcho = { version: 1, rules: [{ id: 'ask-echo', effect: 'ask', tool: 'echo', reason: 'It speaks.' }] }

describe('consent', () => {
  const command = [process.execPath, packaged('server-everything')]

  it('is requested from the client of a session, and its answer decides', async () => {
    await using proxy = await startGated({ command }, { mcpToolPolicy: askEcho })
    const questions: string[] = []
    const onQuestion = (message: string): void => void questions.push(message)
    await using willing = await connectV1(proxy.url, { answer: 'accept', onQuestion })
    await using other = await connectV1(proxy.url, { answer: 'decline' })
    await using mute = await connectV1(proxy.url)
    assert.equal((await willing.call('echo', { message: 'hello' })).text, 'Echo: hello')
    assert.match(questions[0] ?? '', /Tool "echo"[^]*Reason: It speaks\.[^]*\{"message":"hello"\}/)
    assert.match((await other.call('echo', { message: 'hello' })).text, /the user first, and the user did not consent/)
    assert.match((await mute.call('echo', { message: 'hello' })).text, /this client cannot ask/)
    const decisions = (await proxy.decisions(5)).map(
      ({ action, reasonCode }) => `${String(action)} ${String(reasonCode)}`
    )
    assert.deepEqual(decisions.toSorted(), [
      'allow ask_approved',
      'block ask_declined',
      'block ask_pending',
      'block ask_pending',
      'block ask_unsupported'
    ])
  })

  it('is requested in the response if there are no sessions, and the client sends the call again', async () => {
    await using server = await startFixtureHttp()
    await using proxy = await startGated({ url: server.url }, { mcpToolPolicy: askEcho })
    await using willing = await connectV2(proxy.url, { answer: 'accept' })
    await using other = await connectV2(proxy.url, { answer: 'decline' })
    await using mute = await connectV2(proxy.url)
    assert.equal((await willing.call('echo', { text: 'hello' })).text, 'hello')
    const sent = server.seen.filter(({ body }) => body.includes('"echo"'))
    assert.equal(sent.length, 1)
    assert.doesNotMatch(sent[0]?.body ?? '', /requestState|inputResponses|sluice/)
    assert.match((await other.call('echo', { text: 'hello' })).text, /the user did not consent/)
    assert.match((await mute.call('echo', { text: 'hello' })).text, /this client cannot ask/)
    const decisions = (await proxy.decisions(5)).map(
      ({ action, reasonCode }) => `${String(action)} ${String(reasonCode)}`
    )
    assert.deepEqual(decisions.toSorted(), [
      'allow ask_approved',
      'block ask_declined',
      'block ask_pending',
      'block ask_pending',
      'block ask_unsupported'
    ])
  })
})

describe('a server without sessions', () => {
  it('is filtered, denied and masked for a client of its revision', async () => {
    await using server = await startFixtureHttp()
    const rules = [{ id: 'quiet', effect: 'deny', tool: 'test_*' }]
    await using proxy = await startGated({ url: server.url }, { mcpToolPolicy: { version: 1, rules } })
    await using client = await connectV2(proxy.url)
    const names = await client.names()
    assert.ok(names.includes('echo') && !names.some((name) => name.startsWith('test_')))
    assert.match((await client.call('echo', { text: email.sentence })).text, /EMAIL_[A-Z2-7]{10}/)
    assert.ok(!server.seen.some(({ body }) => body.includes(email.needle)))
    const denied = await client.call('test_tool_with_logging')
    assert.equal(denied.isError, true)
    assert.match(denied.text, /by the rule "quiet"/)
    const decisions = await proxy.decisions(2)
    assert.deepEqual(new Set(decisions.map(({ action }) => action)), new Set(['block', 'mask']))
  })
})
