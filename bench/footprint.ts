/**
 * `node bench/footprint.ts`: how long a sidecar and a service take from their start to listening, and what they hold in
 * memory when nothing is to be done. The bundle, as package and image bring it, stands beside the sources and beside a
 * bare `node -e`, in turns within one run.
 *
 * `--short` only shows that everything works.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root, runNode } from '../scripts/run.ts'
import { startChild } from './child.ts'
import { startForm, type Form, type Start } from './footprint-start.ts'
import { median } from './measure.ts'

const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const rounds = options.short ? 1 : 9
const aims = { listeningMs: 300, rssMiB: 90 }

await using stack = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
stack.defer(() => rm(folder, { recursive: true, force: true }))

const installed = join(folder, 'package')
await mkdir(installed)
for (const name of ['bin', 'package.json']) await cp(join(root, name), join(installed, name), { recursive: true })
const built = await runNode([join(root, 'scripts/build.ts'), '--out', join(installed, 'dist')], { shown: true })
if (built.code !== 0) throw new Error('The bundle could not be built.')

const upstream = stack.use(await startChild<{ port: number }>('upstream.ts', { core: undefined }))
const { ready } = stack.use(
  await startChild<{ port: number; token: string }>('sluice-process.ts', {
    core: undefined,
    args: [join(folder, 'service'), String(upstream.ready.port)]
  })
)

const env = (name: string): Record<string, string> => ({
  SERVICE_DATA_DIR: join(folder, name),
  SERVICE_INGRESS_TARGET: `http://127.0.0.1:${ready.port}`,
  SERVICE_WORKSPACE_TOKEN: ready.token,
  LISTEN_PORT: '0',
  PORT: '0',
  // As the image has it.
  MALLOC_ARENA_MAX: '2'
})
const command = (home: string, word: string, waitsFor: string): Form => {
  const name = `${home === root ? 'source' : 'bundle'} ${word}`
  return { name, args: [join(home, 'bin/sluice.mjs'), word], env: env(name), listening: 'listening', idle: waitsFor }
}
const bare = "process.stdout.write('listening\\n'); setInterval(() => undefined, 1e9)"
const forms: Form[] = [
  { name: 'bare node -e', args: ['-e', bare], env: {}, listening: 'listening', idle: 'listening' },
  command(installed, 'sidecar', '"state":"fresh"'),
  command(root, 'sidecar', '"state":"fresh"'),
  command(installed, 'serve', 'listening'),
  command(root, 'serve', 'listening')
]

const starts = new Map(forms.map((form) => [form, [] as Start[]]))
// The first start of each is not counted: it makes files, and the bundle keeps its compiled code.
for (let round = 0; round <= rounds; round++) {
  for (const form of forms) {
    const start = await startForm(form, { idleMs: 1500 })
    if (round > 0) starts.get(form)?.push(start)
  }
}

console.log(
  `Footprint bench${options.short ? ', short form' : ''}, Node ${process.version}, median of ${rounds} starts`
)
for (const [{ name }, all] of starts) {
  const listening = median(all.map(({ listeningMs }) => listeningMs)).toFixed(0)
  const cpu = median(all.map(({ cpuMs }) => cpuMs)).toFixed(0)
  const rss = median(all.map(({ rssMiB }) => rssMiB)).toFixed(0)
  const aim = name === 'bundle sidecar' ? ` (aims: below ${aims.listeningMs} ms and ${aims.rssMiB} MiB)` : ''
  console.log(
    `${name.padEnd(16)} listens after ${listening.padStart(5)} ms (${cpu.padStart(4)} ms of processor); ${rss.padStart(4)} MiB idle${aim}`
  )
}
