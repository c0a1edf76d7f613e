/**
 * `npm run check:spool`: a sensor is killed at random moments while it reports over a connection that fails. In the
 * end, every event that it was told is on disk must be in the service exactly once, and none may be counted as lost.
 *
 * `--kills N` (100); `--seed N` repeats a run's choices.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createRandom } from '../test/support/random.ts'
import { storedEvents } from '../test/support/events.ts'
import { startTestService } from '../test/support/start-service.ts'
import { startTcpRelay, type TcpRelay } from '../test/support/tcp-relay.ts'

const entry = join(import.meta.dirname, 'spool-kills/reporter-process.ts')
/** Latest time of a kill after the first event is on disk, or in one round of eight after the start. */
const roundMsMax = 400
const startMsMax = 900
const drainTimeoutMs = 60_000

const { values: options } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } })
const kills = Number(options.kills ?? 100)
const seed = Number(options.seed ?? randomBytes(4).readUInt32BE())
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  throw new Error('--kills and --seed take whole numbers.')
}
console.log(`Seed ${seed}, Node ${process.version}.`)

const random = createRandom(seed)
await using undo = new AsyncDisposableStack()
const dir = await mkdtemp(join(tmpdir(), 'sluice-spool-'))
undo.defer(() => rm(dir, { recursive: true, force: true }))
const service = undo.use(await startTestService({ env: { SERVICE_EVENTS_PER_SECOND_MAX: '0' } }))
const relay = undo.use(await startTcpRelay(() => Number(new URL(service.url).port)))
const onDisk = new Set<string>()
let faults = 0

/** Starts a sensor and records which events it reports as on disk. */
function start(mode: string) {
  const args = [entry, `http://127.0.0.1:${relay.port}`, service.token, dir, mode]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let last = ''
  const first = Promise.withResolvers<void>()
  child.once('exit', () => first.resolve())
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    last = line
    first.resolve()
    const [kept, id = ''] = line.split(' ')
    // The last line may be cut off with its process.
    if (kept === 'disk' && id.length === 36) onDisk.add(id)
  })
  return {
    child,
    first: first.promise,
    ended: Promise.all([once(child, 'exit'), once(lines, 'close')]),
    last: () => last
  }
}

function disturb(connection: TcpRelay, dice: number): void {
  connection.mode = dice === 0 ? 'blackhole' : 'pass'
  if (dice === 1) connection.reset()
  if (dice === 2) connection.halfOpen()
}

for (let kill = 1; kill <= kills; kill++) {
  const { child, first, ended } = start('report')
  if (random.below(8) === 0) await sleep(random.below(startMsMax))
  else await first
  await sleep(random.below(roundMsMax / 2))
  disturb(relay, random.below(4))
  await sleep(random.below(roundMsMax / 2))
  child.kill('SIGKILL')
  await ended
}

relay.mode = 'pass'
const last = start('drain')
const timer = setTimeout(() => last.child.kill('SIGKILL'), drainTimeoutMs)
await last.ended
clearTimeout(timer)
if (last.last() !== 'drained 0') faults++

const stored = (await storedEvents(service)).filter(
  ({ sensorMetadata }) => sensorMetadata?.['kind'] !== 'policy_applied'
)
const ids = new Set(stored.map(({ eventId }) => eventId))
const missing = [...onDisk].filter((id) => !ids.has(id))
if (missing.length > 0) console.error(`${missing.length} events were on disk and are not there, such as ${missing[0]}.`)
if (ids.size !== stored.length) console.error(`${stored.length - ids.size} events are there twice.`)
const losses = stored.filter(({ kind }) => kind === 'events_dropped')
if (losses.length > 0) console.error(`${losses.length} events tell of losses.`)
faults += missing.length + (stored.length - ids.size) + losses.length
const verdict = faults === 0 ? 'nothing lost, nothing twice' : `${faults} FAULTS`
console.log(`${kills} kills, ${onDisk.size} events on disk, ${ids.size} stored: ${verdict}.`)
process.exitCode = faults === 0 && onDisk.size > 0 ? 0 : 1
