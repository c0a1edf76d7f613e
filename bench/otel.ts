/**
 * `node bench/otel.ts`: what OpenTelemetry costs. Sends the same calls through two Sluice processes in alternation on
 * one core, one without OpenTelemetry and one that sends every span, log record and metric to a collector on the other
 * core. `--short` only shows that everything works; `--json FILE` writes the figures.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findCores, startChild, type Child } from './child.ts'
import { printTable } from './one-core.ts'
import { fullExtent, measureLatency, measureRates, shortExtent, type Lane, type Stage } from './phases.ts'

export interface OtelFigures {
  /** Rate with OpenTelemetry divided by the rate without. */
  readonly rateRatio: number
  /** Processor time per call, as the same ratio. */
  readonly cpuRatio: number
  readonly addedP50Ms: number
}

const { values: options } = parseArgs({
  options: { short: { type: 'boolean', default: false }, json: { type: 'string' } }
})
const sizeBytes = 2000

const cores = findCores()
const [proxyCore, loadCore] = 'unpinned' in cores ? [undefined, undefined] : [cores.proxy, cores.load]

async function setUp(stack: AsyncDisposableStack): Promise<Stage> {
  const upstream = stack.use(await startChild<{ port: number }>('upstream.ts', { core: loadCore }))
  const generator = stack.use(await startChild('load.ts', { core: loadCore }))
  const { port } = upstream.ready
  const sluice = async (name: string, env: Record<string, string>): Promise<Lane> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
    stack.defer(() => rm(dataDir, { recursive: true, force: true }))
    const started = { core: proxyCore, args: [dataDir, String(port)], env }
    const process: Child<{ port: number; token: string }> = stack.use(await startChild('sluice-process.ts', started))
    const headers = { authorization: `Bearer ${process.ready.token}` }
    const path = '/api/ingress/v1/chat/completions'
    return { process, target: { name, port: process.ready.port, path, headers } }
  }
  const target = { name: 'the upstream', port, path: '/v1/chat/completions', headers: {} }
  return {
    upstream,
    generator,
    proxyCore,
    progress: () => undefined,
    // The stage has the lane names of the ingress benchmark: its `bare` lane is Sluice without OpenTelemetry here.
    lanes: {
      direct: { process: upstream, target },
      bare: await sluice('Sluice without OpenTelemetry', { OTEL_SDK_DISABLED: 'true' }),
      sluice: await sluice('Sluice with OpenTelemetry', { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
    }
  }
}

await using stack = new AsyncDisposableStack()
const stage = await setUp(stack)
const extent = options.short ? shortExtent : fullExtent
const rates = await measureRates(stage, extent, sizeBytes)
const latency = await measureLatency(stage, extent, sizeBytes)
const row = (title: string, lane: 'bare' | 'sluice'): string[] => [
  title,
  rates[lane].perSecond.toFixed(0),
  rates[lane].cpuMsPerCall.toFixed(3),
  latency[lane].p50Ms.toFixed(2),
  latency[lane].p99Ms.toFixed(2),
  `${Math.round(rates[lane].otherWork * 100)} %`
]
printTable([
  [`${sizeBytes} bytes`, 'calls/s', 'CPU ms/call', 'p50 ms', 'p99 ms', 'others'],
  row('without OpenTelemetry', 'bare'),
  row('with OpenTelemetry', 'sluice')
])
const figures: OtelFigures = {
  rateRatio: rates.sluice.perSecond / rates.bare.perSecond,
  cpuRatio: rates.sluice.cpuMsPerCall / rates.bare.cpuMsPerCall,
  addedP50Ms: latency.sluice.p50Ms - latency.bare.p50Ms
}
console.log(`with by without: rate ${figures.rateRatio.toFixed(2)}, CPU ${figures.cpuRatio.toFixed(2)}`)
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`)
