/**
 * `npm run bench:mcp-gate`: what the gate of the MCP proxy adds to a message, without any transport, compared with
 * `JSON.parse` of the same bytes: messages that do not concern tools, calls under 1,000 rules, lists of tools. `--
 * --short` takes a second or two.
 */
import { TestGate } from '../src/sensor/mcp-proxy/gate/gate.fixture.ts'
import { makePolicy } from './decide-policies.ts'
import { percentile, printTable, stayOnOneCore } from './one-core.ts'

const isPinned = stayOnOneCore()
const times = process.argv.includes('--short') ? 300 : 3000

const gate = new TestGate({ ...makePolicy(1000), defaultEffect: 'allow' })
// Recording an event is the spool's work and does not delay the response.
gate.context.report = () => undefined
const { session } = gate.session()

const text = (bytes: number): string => 'All is well with the build. '.repeat(bytes / 28)
const message = (body: string, id: number): Buffer => Buffer.from(`{"jsonrpc":"2.0","id":${id},${body}}`)
const request = (method: string, params: object): string => `"method":"${method}","params":${JSON.stringify(params)}`
const result = (value: object): string => `"result":${JSON.stringify(value)}`

interface Exchange {
  readonly name: string
  readonly asked: string
  readonly answered: string
  readonly times?: number
}

const content = (bytes: number): object => ({ content: [{ type: 'text', text: text(bytes) }] })
const tools = Array.from({ length: 100 }, (_, i) => ({
  name: `tool_${i}`,
  description: text(300),
  inputSchema: { type: 'object', properties: { path: { type: 'string', description: text(100) } } }
}))
const records = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: `record ${i}`, isGood: true }))
const exchanges: readonly Exchange[] = [
  {
    name: 'resources/read, 4 kB of text',
    asked: request('resources/read', { uri: 'file:///a' }),
    answered: result({ contents: [{ uri: 'file:///a', text: text(4000) }] })
  },
  {
    name: 'resources/read, 100 kB of records',
    asked: request('resources/read', { uri: 'file:///a' }),
    answered: result({ contents: records })
  },
  {
    name: 'resources/read, 5 MB of text',
    asked: request('resources/read', { uri: 'file:///a' }),
    answered: result({ contents: [{ uri: 'file:///a', text: text(5_000_000) }] }),
    times: times / 30
  },
  {
    name: 'tools/call, 100 B there and back',
    asked: request('tools/call', { name: 'weather_now', arguments: { path: '/srv/app/main.ts', text: text(50) } }),
    answered: result(content(100))
  },
  {
    name: 'tools/call, 10 kB back',
    asked: request('tools/call', { name: 'weather_now', arguments: { path: '/srv/app/main.ts' } }),
    answered: result(content(10_000))
  },
  { name: 'tools/list, 100 tools', asked: request('tools/list', {}), answered: result({ tools }), times: times / 10 }
]

let id = 0
const rows: string[][] = []
for (const exchange of exchanges) rows.push(await measured(exchange))
console.log(
  `Node ${process.version}, ${isPinned ? 'on one core' : 'not held to one core'}, request and answer together\n`
)
printTable([['exchange', 'p50 us', 'p99 us', 'JSON.parse of both, p50 us', 'ratio'], ...rows])

async function measured({ name, asked, answered, times: count = times }: Exchange): Promise<string[]> {
  const judged: number[] = []
  const parsed: number[] = []
  for (let i = 0; i < count; i++) {
    const [there, back] = [message(asked, ++id), message(answered, id)]
    const from = performance.now()
    // A large message is processed in steps that yield to other work; a small one is done when the call returns.
    const up = session.fromClient(there)
    const { forward } = up instanceof Promise ? await up : up
    const down = session.fromServer(back)
    const answer = down instanceof Promise ? await down : down
    judged.push((performance.now() - from) * 1000)
    if (forward === undefined || answer.forward === undefined) throw new Error(`${name} was refused`)
    const again = performance.now()
    JSON.parse(there.toString('utf8'))
    JSON.parse(back.toString('utf8'))
    parsed.push((performance.now() - again) * 1000)
  }
  const [gateUs, parseUs] = [judged, parsed].map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]]
  const [p50, p99, parse] = [percentile(gateUs, 0.5), percentile(gateUs, 0.99), percentile(parseUs, 0.5)]
  return [name, p50.toFixed(1), p99.toFixed(1), parse.toFixed(1), `${(p50 / parse).toFixed(2)} x`]
}
