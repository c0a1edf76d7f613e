/**
 * `node bench/sidecar.ts`: what a second hop costs. Sends the same bodies directly to an upstream, through the service,
 * and through a sidecar and the service, in alternation within one run; also measures a sidecar's start-up time and
 * idle memory.
 *
 * `--short` only shows that everything works.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findCores, startChild } from './child.ts'
import type { Latency } from './measure.ts'
import type { Target } from './raw-http.ts'

const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const durationMs = options.short ? 300 : 10_000
const sizesBytes = [2000, 50_000, 500_000]
const mebibyte = 1024 * 1024

const cores = findCores()
const [proxyCore, loadCore] = 'unpinned' in cores ? [undefined, undefined] : [cores.proxy, cores.load]

await using stack = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
stack.defer(() => rm(folder, { recursive: true, force: true }))

async function start<Ready>(file: string, core: number | undefined, args: readonly string[] = []) {
  return stack.use(await startChild<Ready>(file, { core, args }))
}
const upstream = await start<{ port: number }>('upstream.ts', loadCore)
const generator = await start('load.ts', loadCore)
const service = await start<{ port: number; token: string }>('sluice-process.ts', proxyCore, [
  folder,
  String(upstream.ready.port)
])
const { token } = service.ready
const sidecar = await start<{ port: number; listeningMs: number; readyMs: number }>('sidecar-process.ts', proxyCore, [
  join(folder, 'beside'),
  String(service.ready.port),
  token
])
const idleBytes = await sidecar.ask<number>('rss')

const headers = { authorization: `Bearer ${token}` }
const targets: Target[] = [
  { name: 'direct', port: upstream.ready.port, path: '/v1/chat/completions', headers: {} },
  { name: 'service', port: service.ready.port, path: '/api/ingress/v1/chat/completions', headers },
  { name: 'sidecar', port: sidecar.ready.port, path: '/v1/chat/completions', headers }
]

const inMs = (value: number): string => `${value.toFixed(2)} ms`
console.log(`Sidecar bench${options.short ? ', short form' : ''}, Node ${process.version}`)
// Warm-up, or the first size would pay for compilation.
await generator.ask('alternate', { targets, sizeBytes: sizesBytes[0], durationMs })
for (const sizeBytes of sizesBytes) {
  const [direct, one, two] = await generator.ask<[Latency, Latency, Latency]>('alternate', {
    targets,
    sizeBytes,
    durationMs
  })
  const added = (of: Latency): string => `p50 +${inMs(of.p50Ms - direct.p50Ms)}, p99 +${inMs(of.p99Ms - direct.p99Ms)}`
  const ratio = (two.p50Ms - direct.p50Ms) / (one.p50Ms - direct.p50Ms)
  console.log(
    `${sizeBytes} bytes: direct p50 ${inMs(direct.p50Ms)}; service ${added(one)}; sidecar and service ${added(two)}; ` +
      `two hops cost ${ratio.toFixed(2)} times one (${direct.count} calls each)`
  )
}
const loadedBytes = await sidecar.ask<number>('rss')
console.log(
  `sidecar: listens after ${sidecar.ready.listeningMs.toFixed(0)} ms, has its policy after ` +
    `${sidecar.ready.readyMs.toFixed(0)} ms; memory ${(idleBytes / mebibyte).toFixed(0)} MiB idle, ` +
    `${(loadedBytes / mebibyte).toFixed(0)} MiB after the run`
)
