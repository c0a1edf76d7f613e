/**
 * `npm run bench:mcp`: what the MCP proxy adds to a call, on stdio and on HTTP. Sends the same calls directly to a
 * server and through `sluice mcp-proxy` with the policy of a running service, in alternation within one run: first one
 * call at a time for the latency, then sixteen at a time for the rate.
 *
 * `--short` only shows that everything works.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startChild } from './child.ts'
import { httpCaller, pipeCaller, type Caller } from './mcp-callers.ts'
import { latencyOf, median } from './measure.ts'

const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const rounds = options.short ? 2 : 10
const callsPerRound = options.short ? 100 : 1000
const warmUps = options.short ? 1 : 4
const atOnce = 16

await using stack = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
stack.defer(() => rm(folder, { recursive: true, force: true }))
const upstream = stack.use(await startChild<{ port: number }>('upstream.ts', { core: undefined }))
const service = stack.use(
  await startChild<{ port: number; token: string }>('sluice-process.ts', {
    core: undefined,
    args: [folder, String(upstream.ready.port)]
  })
)
const web = stack.use(await startChild<{ port: number }>('mcp-server.ts', { core: undefined, args: ['--http'] }))
const env = {
  SERVICE_INGRESS_TARGET: `http://127.0.0.1:${service.ready.port}`,
  SERVICE_WORKSPACE_TOKEN: service.ready.token,
  SERVICE_DATA_DIR: join(folder, 'proxy'),
  SERVICE_LOG_LEVEL: 'error'
}
const sluice = [process.execPath, join(import.meta.dirname, '..', 'bin', 'sluice.mjs'), 'mcp-proxy']
const server = [process.execPath, join(import.meta.dirname, 'mcp-server.ts')]

/** Starts a listening proxy and returns its address. */
async function listening(words: readonly string[]): Promise<string> {
  const [command = '', ...args] = [...sluice, '--listen', '0', ...words]
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'pipe'] })
  stack.defer(async () => {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  })
  return new Promise((resolve, reject) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const url = /http:\S+\/mcp/.exec(text)?.[0]
      if (url !== undefined) resolve(url)
    })
    child.once('exit', () => reject(new Error(text)))
  })
}

interface Measured {
  readonly samplesMs: number[]
  readonly rates: number[]
}

async function measure(caller: Caller, into: Measured): Promise<void> {
  for (let i = 0; i < callsPerRound; i++) {
    const startMs = performance.now()
    await caller.call()
    into.samplesMs.push(performance.now() - startMs)
  }
  const startMs = performance.now()
  const worker = async (): Promise<void> => {
    for (let i = 0; i < callsPerRound / atOnce; i++) await caller.call()
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  into.rates.push((Math.ceil(callsPerRound / atOnce) * atOnce * 1000) / (performance.now() - startMs))
}

async function compare(name: string, direct: Caller, proxied: Caller, aimMs: number): Promise<void> {
  const [one, two]: [Measured, Measured] = [
    { samplesMs: [], rates: [] },
    { samplesMs: [], rates: [] }
  ]
  // Warm-up.
  for (let i = 0; i < warmUps; i++)
    for (const caller of [direct, proxied]) await measure(caller, { samplesMs: [], rates: [] })
  for (let round = 0; round < rounds; round++) {
    await measure(direct, one)
    await measure(proxied, two)
  }
  const [a, b] = [latencyOf(one.samplesMs), latencyOf(two.samplesMs)]
  const inMs = (value: number): string => `${value.toFixed(3)} ms`
  const p50 = b.p50Ms - a.p50Ms
  console.log(
    `${name}: direct p50 ${inMs(a.p50Ms)}, p99 ${inMs(a.p99Ms)}; proxied adds p50 ${inMs(p50)} (aim below ${aimMs} ms: ` +
      `${p50 < aimMs ? 'met' : 'missed'}), p99 ${inMs(b.p99Ms - a.p99Ms)}; ` +
      `${median(one.rates).toFixed(0)} and ${median(two.rates).toFixed(0)} calls/s with ${atOnce} at once (${a.count} calls each)`
  )
}

console.log(`MCP bench${options.short ? ', short form' : ''}, Node ${process.version}`)
{
  await using direct = await pipeCaller(server)
  await using proxied = await pipeCaller([...sluice, '--', ...server], env)
  await compare('stdio to stdio', direct, proxied, 0.3)
}
const url = `http://127.0.0.1:${web.ready.port}/mcp`
{
  await using direct = await httpCaller(url, atOnce)
  await using proxied = await httpCaller(await listening(['--url', url]), atOnce)
  await compare('HTTP to HTTP', direct, proxied, 1.5)
}
{
  await using direct = await httpCaller(url, atOnce)
  await using proxied = await httpCaller(await listening(['--', ...server]), atOnce)
  await compare('HTTP to stdio, beside HTTP', direct, proxied, 1.5)
}
