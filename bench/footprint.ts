/**
 * `node bench/footprint.ts`: how long a sidecar and a service take from start to listening, and how much memory they
 * hold when idle, first after the start and then after calls. Compares the bundle, as the package and the image ship
 * it, with the sources and with a bare `node -e`, in alternation within one run. The aim counts resident memory, of
 * which more than half is the runtime's own program; shared memory is shown separately.
 *
 * `--short` only shows that everything works.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root, runNode } from '../scripts/run.ts'
import { makeBody } from './bodies.ts'
import { startChild } from './child.ts'
import { startForm, type Form, type Start } from './footprint-start.ts'
import { median } from './measure.ts'

const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const rounds = options.short ? 1 : 9
const calls = options.short ? 50 : 2000
/** 90 MB. */
const aims = { listeningMs: 300, rssMiB: 90e6 / 1024 ** 2 }

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
  // As the image sets it.
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576'
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
// The first start of each is not counted: it creates files, and the bundle writes its compile cache.
for (let round = 0; round <= rounds; round++) {
  for (const form of forms) {
    const start = await startForm(form, { idleMs: 1500, work: round === rounds ? workOf(form) : undefined })
    if (round > 0) starts.get(form)?.push(start)
  }
}

/** Sends calls of 2 kB, four at a time. */
function workOf({ name }: Form): ((printed: string) => Promise<void>) | undefined {
  if (!name.endsWith('sidecar')) return undefined
  const { bytes } = makeBody('chat-completions', 2000, 0)
  return async (printed) => {
    const url = `${/base URL (\S+),/.exec(printed)?.[1]}/chat/completions`
    let left = calls
    const headers = { 'content-type': 'application/json' }
    async function call(): Promise<void> {
      while (left-- > 0) {
        const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(bytes) })
        await answer.arrayBuffer()
        if (answer.status !== 200) throw new Error(`${name} answered ${answer.status} instead of 200.`)
      }
    }
    await Promise.all([call(), call(), call(), call()])
  }
}

console.log(
  `Footprint bench${options.short ? ', short form' : ''}, Node ${process.version}, median of ${rounds} starts`
)
const shown = (all: readonly number[], digits = 0): string => median(all).toFixed(digits)
for (const [{ name }, all] of starts) {
  const listening = shown(all.map(({ listeningMs }) => listeningMs)).padStart(5)
  const cpu = shown(all.map(({ cpuMs }) => cpuMs)).padStart(4)
  const [rss, pss, own] = (['rss', 'pss', 'own'] as const).map((kind) =>
    shown(
      all.map(({ idle }) => idle[kind]),
      1
    )
  )
  const aim = name === 'bundle sidecar' ? ` (aims: below ${aims.listeningMs} ms and ${aims.rssMiB.toFixed(1)} MiB)` : ''
  const worked = all.at(-1)?.worked
  const after = worked ? `; ${worked.rss.toFixed(1)} MiB after ${calls} calls` : ''
  console.log(
    `${name.padEnd(16)} listens after ${listening} ms (${cpu} ms of processor); ${rss} MiB resident when idle${aim}, ${pss} by shares, ${own} of its own${after}`
  )
}
