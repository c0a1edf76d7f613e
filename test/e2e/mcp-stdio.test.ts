/**
 * The proxy between a client and a server on stdio: bytes, crashes, hangs, floods, garbage, and the end of all
 * processes.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { eventually } from '../support/eventually.ts'
import { fixture, lives, startLineProcess } from '../support/mcp/line-client.ts'
import { startPiped, startTestRelay } from '../support/mcp/start-relay.ts'

const unruly = [process.execPath, fixture('unruly-server')]
/** Echoes each line. */
const mirror = [process.execPath, '-e', 'process.stdin.pipe(process.stdout)']

const connected = (env: Readonly<Record<string, string>> = {}) => startPiped(unruly, { env })

describe('bytes', () => {
  it('pass unchanged: numbers, key order, duplicate keys, escapes, spaces, unknown members', async () => {
    const lines = [
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"x","params":{"big":123456789012345678901234567890,"f":1.10e+02}}',
      '{"params":{"b":1,"a":2,"a":3,"__proto__":{"x":1}},"method":"unknown/method","id":"\\u0061","jsonrpc":"2.0"}',
      '{ "jsonrpc" : "2.0" , "method" : "notifications/x" , "text" : "\\ud83d\\ude00 \\/ 😀 \\u2028" }',
      '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a%20b"},"extra":[1,[2,{"c":null}]]}',
      '[{"jsonrpc":"2.0","id":5,"method":"ping"}]'
    ]
    await using relay = await startTestRelay({ command: mirror })
    const { client } = relay
    client.write(`${lines.join('\n')}\n`)
    await eventually('all lines', () => (client.lines.length >= lines.length ? true : undefined))
    assert.deepEqual(client.lines, lines)
  })

  it('are framed by LF or CRLF, wherever the pipe splits them', async () => {
    await using relay = await connected()
    const { client } = relay
    const request = Buffer.from(
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"split","x":"ü"}}\r\n\r\n\n'
    )
    for (const byte of request) client.write(Uint8Array.of(byte))
    const answer = await client.line(({ id }) => id === 7)
    assert.equal(answer.result?.content?.[0]?.text, 'grüße')
    assert.ok(!client.lines.some((line) => line.includes('\r')))
  })

  it('pass also with thousands of tools and with megabytes', async () => {
    await using relay = await connected()
    const { client } = relay
    const { result } = await client.ask('tools/list')
    assert.equal((result?.['tools'] as unknown[] | undefined)?.length, 10_000)
    assert.equal((await client.call('huge', { bytes: 6_000_000 })).length, 6_000_000)
  })
})

describe('a server that', () => {
  it('crashes: open requests get an error, and the next call works without a new handshake of the client', async () => {
    await using relay = await connected()
    const { client } = relay
    const before = await client.call('pid')
    const hanging = client.ask('tools/call', { name: 'hang' })
    const crashed = await client.ask('tools/call', { name: 'crash' })
    assert.equal(crashed.error?.code, -32_000)
    assert.match(crashed.error?.message ?? '', /stopped with exit code 3 before it answered/)
    assert.equal(crashed.error?.data?.code, 'downstream_stopped')
    assert.equal((await hanging).error?.data?.code, 'downstream_stopped')
    const after = await client.call('pid')
    assert.notEqual(after, before)
    const killed = await client.ask('tools/call', { name: 'kill' })
    assert.match(killed.error?.message ?? '', /was stopped by SIGKILL/)
    assert.notEqual(await client.call('pid'), after)
    assert.equal(client.lines.filter((line) => line.includes('"serverInfo"')).length, 1)
  })

  it('ends again and again: it is not restarted without end', async () => {
    await using relay = await connected()
    const { client } = relay
    const crash = async () => (await client.ask('tools/call', { name: 'crash' })).error
    for (let i = 0; i < 2; i++) assert.equal((await crash())?.data?.code, 'downstream_stopped')
    // The delay doubles from half a second on; on a busy machine the first one may have passed.
    const message = await eventually('a call that comes too early', async () => {
      const error = await crash()
      return error?.data?.code === 'downstream_not_started' ? error.message : undefined
    })
    assert.match(message, /stopped [2-9] times in a row, and is tried again in [0-9]+ s/)
  })

  it('cannot be started: the client gets an error', async () => {
    await using relay = await startTestRelay({ command: ['/no/such/server'] })
    const { client } = relay
    const answer = await client.shakeHands()
    assert.match(answer.error?.message ?? '', /could not be started: there is no such program.*\(ENOENT\)/)
  })

  it('is refused by the system at once: the client gets an error for each request', async () => {
    // More than any system takes.
    await using relay = await startTestRelay({
      command: ['cat', ...Array.from({ length: 64 }, () => 'x'.repeat(131_071))]
    })
    const { client } = relay
    for (const answer of [await client.shakeHands(), await client.ask('ping')])
      assert.match(answer.error?.message ?? '', /could not be started: an argument .* is too long .*\(E2BIG\)/)
  })

  it('hangs: the request times out with an error, other calls continue', async () => {
    await using relay = await connected({ SERVICE_MCP_REQUEST_TIMEOUT_MS: '300' })
    const { client } = relay
    const answer = await client.ask('tools/call', { name: 'hang' })
    assert.equal(answer.error?.data?.code, 'downstream_timeout')
    // On a busy machine these may time out as well.
    const pid = () =>
      eventually('an answer in time', async () => {
        const { result } = await client.ask('tools/call', { name: 'pid' })
        return result?.content?.[0]?.text
      })
    assert.equal(await pid(), await pid())
  })

  it('floods: everything arrives in order', async () => {
    await using relay = await connected()
    const { client } = relay
    assert.equal(await client.call('flood', { count: 20_000 }), 'flooded')
    const floods = client.lines.filter((line) => line.includes('a line of a flood'))
    assert.equal(floods.length, 20_000)
    assert.ok(client.lines.findLastIndex((line) => line.includes('a line')) < client.lines.length - 1)
  })

  it('writes garbage: the client receives only what could be a message', async () => {
    await using relay = await connected()
    const { client } = relay
    assert.equal(await client.call('garbage'), 'tidy again')
    assert.ok(client.lines.every((line) => line.startsWith('{')))
    assert.ok(!client.lines.some((line) => line.includes('Listening')))
  })

  it('responds above the limit: the request gets an error and the next one its response', async () => {
    await using relay = await connected({ SERVICE_MCP_MESSAGE_BYTES_MAX: '8192' })
    const { client } = relay
    const { error } = await client.ask('tools/call', { name: 'huge', arguments: { bytes: 20_000 } })
    // This server's response does not begin with its id, so the error is found by its beginning.
    assert.equal(error?.data?.code, 'message_too_large')
    assert.equal((await client.call('huge', { bytes: 4000 })).length, 4000)
  })
})

describe('a client that', () => {
  it('sends above the limit gets an error, and its next message is accepted', async () => {
    await using relay = await connected({ SERVICE_MCP_MESSAGE_BYTES_MAX: '8192' })
    const { client } = relay
    const { error } = await client.ask('tools/call', { name: 'pid', arguments: { text: 'x'.repeat(100_000) } })
    assert.equal(error?.data?.code, 'message_too_large')
    assert.match(await client.call('pid'), /^[0-9]+$/)
  })

  it('answers no request, reuses an id or sends half a message does no harm', async () => {
    await using relay = await connected()
    const { client } = relay
    client.write(
      '{"jsonrpc":"2.0","id":4711,"result":{}}\n{"jsonrpc":"2.0","id":4712,"error":{"code":1,"message":"x"}}\n'
    )
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pid"}}\n'
    client.write(call + call)
    await eventually('two answers', () =>
      client.lines.filter((line) => line.includes('"id":1,')).length === 2 ? true : undefined
    )
  })
})

describe('the end', () => {
  async function running() {
    const client = startLineProcess(['--', ...unruly])
    await client.shakeHands()
    return client
  }

  it('of the input ends the server and all that it has started', async () => {
    const client = await running()
    const server = Number(await client.call('pid'))
    const offspring = Number(await client.call('offspring'))
    assert.ok(lives(server) && lives(offspring))
    assert.equal(await client.end(), 0)
    await eventually('no process', () => (!lives(server) && !lives(offspring) ? true : undefined))
  })

  it('by a signal ends a server that ignores it', async () => {
    const client = await running()
    const server = Number(await client.call('stubborn'))
    client.kill('SIGTERM')
    assert.equal(await client.exited, 0)
    await eventually('no process', () => (lives(server) ? undefined : true))
  })

  it('secrets of the proxy are not handed to the server', async () => {
    const collector = { OTEL_EXPORTER_OTLP_HEADERS: 'x', OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'x' }
    await using relay = await connected({ SERVICE_MASTER_KEY: 'x', UNRELATED: 'stays', ...collector })
    const { client } = relay
    const names = JSON.parse(await client.call('environment')) as string[]
    assert.ok(names.includes('UNRELATED'))
    assert.ok(!names.some((name) => /TOKEN|MASTER_KEY|HEADERS/.test(name)), names.join())
  })
})

it('the mock server works in place of any other, on stdio and on HTTP', async () => {
  const env = { SERVICE_MCP_PROXY_MOCK: '1' }
  await using relay = await startTestRelay({ command: ['/no/such/server'] }, { env })
  const { client } = relay
  assert.equal((await client.shakeHands()).result?.['protocolVersion'], '2025-11-25')
  const { result } = await client.ask('tools/list')
  const names = (result?.['tools'] as { readonly name: string }[] | undefined)?.map(({ name }) => name)
  assert.deepEqual(names, ['echo', 'add', 'delete_file'])
  assert.equal(await client.call('add', { a: 2, b: 3 }), '5')
  assert.equal((await client.ask('tools/call', { name: 'no_such' })).error?.code, -32_602)
  assert.equal((await client.ask('no/such')).error?.code, -32_601)
  await using listening = await startTestRelay({ listen: '0' }, { env })
  const modern = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await modern.connect(new StreamableHTTPClientTransport(new URL(listening.url)))
  assert.equal(modern.getNegotiatedProtocolVersion(), '2026-07-28')
  assert.equal((await modern.listTools()).tools.length, 3)
  await modern.close()
})
