/**
 * `npm run check:sidecar-faults`: eight agents work through a sidecar for ten minutes, while the service behind it is
 * killed, slow, half-open or answers garbage. A high-risk secret must always get a 403, no planted value may be in a
 * byte that leaves the sidecar or reaches the upstream, every event of the sidecar must eventually arrive exactly once,
 * and its memory must not grow.
 *
 * `--short` goes through each fault once, in about 20 seconds, and prints the memory without judging it.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { allRows } from '../src/store/all-rows.ts'
import { openStore } from '../src/store/sqlite/sqlite.ts'
import { eventually } from '../test/support/eventually.ts'
import { freePort } from '../test/support/free-port.ts'
import { call } from '../test/support/http.ts'
import { createPlanter, maskedKinds } from '../test/support/planted.ts'
import { testEnvironment } from '../test/support/start-service.ts'
import { startStubUpstream } from '../test/support/stub-upstream.ts'
import { answers } from '../test/support/upstream-behaviours.ts'
import { startVictim, type Victim } from './kill-check/service.ts'
import { work } from './sidecar-faults/agents.ts'
import { startSidecarProcess, type Memory } from './sidecar-faults/sidecar-victim.ts'
import { startWire, type WireMode } from './sidecar-faults/wire.ts'

const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const durationMs = options.short ? 1 : 600_000
const faultMs = options.short ? 1200 : 8000
const calmMs = options.short ? 500 : 5000
/** Most growth of memory, from the first third of the run to the last, that counts as flat. */
const growthMax = 1.15

await using stack = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'sluice-faults-'))
stack.defer(() => rm(folder, { recursive: true, force: true }))

const plant = createPlanter(705)
const masked = Array.from({ length: 60 }, (_, index) => plant(maskedKinds[index % maskedKinds.length] ?? 'email'))
const blocked = Array.from({ length: 20 }, (_, index) => plant(index % 2 === 0 ? 'aws_access_key_id' : 'jwt'))
const needles = [...masked, ...blocked].map(({ needle }) => needle)

let upstreamLeaks = 0
const answer = answers()
const upstream = stack.use(
  await startStubUpstream((received, res) => {
    const body = received.body.toString('latin1')
    upstreamLeaks += needles.filter((needle) => body.includes(needle)).length
    if (upstream.received.length > 200) upstream.forget()
    return answer(received, res)
  })
)

const servicePort = await freePort()
const dataDir = join(folder, 'service')
const env = Object.fromEntries(
  Object.entries({
    ...testEnvironment(dataDir, { upstream }),
    SERVICE_LOG_LEVEL: 'info',
    PORT: String(servicePort)
  }).filter((entry): entry is [string, string] => entry[1] !== undefined)
)
let service: Victim = startVictim(env)
stack.defer(() => service.kill())
await service.listening
const wire = stack.use(await startWire(servicePort, needles))
const sidecar = stack.use(
  await startSidecarProcess({
    SERVICE_INGRESS_TARGET: `http://127.0.0.1:${wire.port}`,
    SERVICE_WORKSPACE_TOKEN: await firstToken(),
    SERVICE_DATA_DIR: folder,
    UPSTREAM_CONNECT_TIMEOUT_MS: '1000',
    UPSTREAM_HEADERS_TIMEOUT_MS: '2000',
    UPSTREAM_IDLE_TIMEOUT_MS: '2000'
  })
)
const ready = async (): Promise<{ readonly state?: string }> => {
  const { checks } = (await call(`${sidecar.url}/readyz`, { method: 'GET' })).json() as {
    readonly checks: { readonly policy: { readonly state?: string } }
  }
  return checks.policy
}
await eventually('a policy', async () => ((await ready()).state === 'fresh' ? true : undefined))

const end = new AbortController()
const memory: Memory[] = []
const working = work(sidecar.url, { masked, blocked }, end.signal)
const startedMs = performance.now()
do {
  for (const fault of ['killed', 'slow', 'half_open', 'garbage'] as const) {
    await sleep(calmMs)
    await (fault === 'killed' ? kill() : fail(fault))
    memory.push(await sidecar.memory())
  }
} while (performance.now() - startedMs < durationMs)
await sleep(calmMs)
end.abort()
const account = await working

await eventually('the end of all events', async () => {
  const { text } = await call(`${sidecar.url}/metrics`, { method: 'GET' })
  const isEmpty = /^sluice_sidecar_events_waiting 0$/m.test(text)
  // A wait for the next attempt can take a minute.
  if (!isEmpty) await sleep(500)
  return isEmpty || undefined
})
const metrics = (await call(`${sidecar.url}/metrics`, { method: 'GET' })).text
const faults = [...new Set(account.faults)]
if (!/^sluice_sidecar_events_dropped_total 0$/m.test(metrics)) faults.push('events were dropped')
if ((await sidecar.stop()) !== 0) faults.push('the sidecar did not stop in good order')
await service.kill()
faults.push(...(await judgeEvents()))
if (wire.leaks > 0) faults.push(`${wire.leaks} planted values were on the wire`)
if (upstreamLeaks > 0) faults.push(`${upstreamLeaks} planted values came to the upstream`)
for (const status of [200, 403, 502]) if (!account.statuses.has(status)) faults.push(`no call was a ${status}`)
judgeMemory()

const statuses = [...account.statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status}`)
console.log(
  `calls: ${statuses.join(', ')}, ${account.cut} cut; ${wire.bytes} bytes on the wire, ${wire.leaks} planted values among them`
)
console.log(
  `events: ${account.blocked.length} blocks and ${account.unanswered.length} calls without answer to be found once`
)
// What holds connections open ends with the stack; the service is already gone.
service = { pid: 0, listening: Promise.resolve(''), kill: async () => undefined }
for (const fault of faults) console.error(`FAULT: ${fault}`)
console.log(faults.length === 0 ? 'Nothing leaked, nothing was lost, nothing came twice.' : `${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1

async function kill(): Promise<void> {
  await service.kill()
  await sleep(faultMs)
  service = startVictim(env)
  await service.listening
}

async function fail(mode: WireMode): Promise<void> {
  wire.mode = mode
  await sleep(faultMs)
  wire.mode = 'pass'
}

/** What the store holds about the calls, once the service that wrote it has ended. */
async function judgeEvents(): Promise<string[]> {
  await using store = await openStore({ dataDir })
  const counts = new Map<string, number>()
  const events = allRows((page) => store.findEvents(page), { workspaceId: 'default', limit: 1000 })
  let leaks = 0
  for await (const event of events) {
    const key = `${event.kind} ${event.requestId}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    const text = JSON.stringify(event)
    leaks += needles.filter((needle) => text.includes(needle)).length
  }
  const wrong = (kind: string, ids: readonly string[]): string[] => {
    const missing = ids.filter((id) => !counts.has(`${kind} ${id}`)).length
    const twice = ids.filter((id) => (counts.get(`${kind} ${id}`) ?? 0) > 1).length
    return missing + twice === 0 ? [] : [`of ${kind}, ${missing} are missing and ${twice} came more than once`]
  }
  return [
    ...wrong('ingress_block', account.blocked),
    ...wrong('ingress_unanswered', account.unanswered),
    ...(leaks === 0 ? [] : [`${leaks} planted values stand in events`])
  ]
}

function judgeMemory(): void {
  const third = Math.max(1, Math.floor(memory.length / 3))
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const thirds = (pick: (one: Memory) => number): readonly [number, number] => {
    const all = memory.map(pick)
    return [mean(all.slice(0, third)), mean(all.slice(-third))]
  }
  const [first, last] = thirds(({ heldMiB }) => heldMiB)
  const [firstRss, lastRss] = thirds(({ rssMiB }) => rssMiB)
  console.log(`memory held: ${first.toFixed(1)} MiB in the first third, ${last.toFixed(1)} in the last`)
  console.log(`memory resident: ${firstRss.toFixed(0)} MiB in the first third, ${lastRss.toFixed(0)} in the last`)
  if (!options.short && last > first * growthMax) faults.push('the memory that the sidecar holds grew')
}

async function firstToken(): Promise<string> {
  return await eventually('the first token', async () => {
    const name = (await readdir(dataDir)).find((file) => file.startsWith('token-'))
    const text = name === undefined ? '' : (await readFile(join(dataDir, name), 'utf8')).trim()
    return text === '' ? undefined : text
  })
}
