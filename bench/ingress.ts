/**
 * `node bench/ingress.ts`: what masking costs. Sends bodies of three sizes directly to an upstream, through a bare
 * proxy and through Sluice, in one run. The proxies share one core; upstream and load generator share another.
 *
 * `--short` only shows that everything works; `--size BYTES` measures one size alone; `--json FILE` writes the figures;
 * `--cpu-prof DIR` writes a CPU profile of the Sluice process, for `bench/top-costs.ts`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findCores, startChild, type Child } from './child.ts'
import { fullExtent, measureLatency, measureMix, measureRates, shortExtent, type Stage } from './phases.ts'
import type { Target } from './raw-http.ts'
import { judgeAims, renderReport, type Figures, type SizeFigures } from './report.ts'

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    size: { type: 'string' },
    json: { type: 'string' },
    'cpu-prof': { type: 'string' }
  }
})

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`)
  else process.stderr.write(`${text}\n`)
}

const cores = findCores()
const [proxyCore, loadCore] = 'unpinned' in cores ? [undefined, undefined] : [cores.proxy, cores.load]

/** Starts the four processes. The stack ends them in reverse order and then deletes the folder. */
async function setUp(stack: AsyncDisposableStack): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const start = async <Ready>(
    file: string,
    core: number | undefined,
    args: readonly string[] = [],
    nodeArgs: readonly string[] = []
  ) => stack.use(await startChild<Ready>(file, { core, args, nodeArgs }))
  const upstream: Child<{ port: number }> = await start('upstream.ts', loadCore)
  const upstreamPort = upstream.ready.port
  const generator = await start('load.ts', loadCore)
  const bare: Child<{ port: number }> = await start('bare-proxy.ts', proxyCore, [String(upstreamPort)])
  const profiling = options['cpu-prof'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options['cpu-prof']}`]
  const sluice: Child<{ port: number; token: string }> = await start(
    'sluice-process.ts',
    proxyCore,
    [dataDir, String(upstreamPort)],
    profiling
  )
  const target = (name: string, port: number, path: string, headers = {}): Target => ({ name, port, path, headers })
  return {
    upstream,
    generator,
    proxyCore,
    progress,
    lanes: {
      direct: { process: upstream, target: target('the upstream', upstreamPort, '/v1/chat/completions') },
      bare: { process: bare, target: target('the bare proxy', bare.ready.port, '/v1/chat/completions') },
      sluice: {
        process: sluice,
        target: target('Sluice', sluice.ready.port, '/api/ingress/v1/chat/completions', {
          authorization: `Bearer ${sluice.ready.token}`
        })
      }
    }
  }
}

async function measure(stage: Stage): Promise<Figures> {
  const extent = options.short ? shortExtent : fullExtent
  const sizes: SizeFigures[] = []
  for (const sizeBytes of options.size === undefined ? extent.sizesBytes : [Number(options.size)]) {
    const rates = await measureRates(stage, extent, sizeBytes)
    sizes.push({ sizeBytes, rates, latency: await measureLatency(stage, extent, sizeBytes) })
  }
  const mix = options.size === undefined ? { mix: await measureMix(stage, extent) } : {}
  return {
    node: process.version,
    placement: 'unpinned' in cores ? cores.unpinned : 'pinned',
    short: options.short,
    sizes,
    ...mix
  }
}

const sizeBytesMin = 1500
const sizeBytesMax = 32 * 1024 * 1024

async function main(): Promise<void> {
  const size = Number(options.size ?? sizeBytesMin)
  if (!(Number.isInteger(size) && size >= sizeBytesMin && size <= sizeBytesMax)) {
    throw new Error(`--size must be an integer from ${sizeBytesMin} to ${sizeBytesMax}.`)
  }
  await using stack = new AsyncDisposableStack()
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error(`Stopped by ${signal}.`)))
  })
  const figures = await Promise.race([setUp(stack).then(measure), interrupted])
  progress('')
  const place =
    figures.placement === 'pinned'
      ? `proxy on core ${proxyCore}, upstream and generator on core ${loadCore}`
      : `not pinned, ${figures.placement}`
  console.log(`Sluice ingress bench${options.short ? ', short form: no verdicts' : ''}`)
  console.log(`Node ${figures.node}, ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${place}\n`)
  console.log(renderReport(figures))
  const verdicts = options.short ? {} : { aims: judgeAims(figures) }
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify({ ...figures, ...verdicts }, null, 2)}\n`)
}

try {
  await main()
} catch (error) {
  progress('')
  console.error(error instanceof Error ? error.message : error)
  // A child that is still starting is not on the stack yet; it ends when its IPC channel to this process closes.
  process.exit(1)
}
