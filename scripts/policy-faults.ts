/**
 * `npm run check:policy-faults`: three instances on one PostgreSQL and nine sensors, while connections, instances, the
 * database and the network fail. After each fault every instance and every sensor must get the newest revision, through
 * rising sequences only, and no policy may be rejected.
 *
 * `--short` takes the database away for 2 seconds instead of 60, and does not limit the recovery time, since it runs
 * alongside other tests.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { eventually } from '../test/support/eventually.ts'
import { Sensor, sensorsCount } from './policy-faults/fleet.ts'
import { InstanceWatch } from './policy-faults/instance-watch.ts'
import { instancesCount, startInstances, type Instances } from './policy-faults/instances.ts'

const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })

/** Longest time from the end of a fault until all sensors, and all instances, have the newest revision. */
const sensorMsMax = 6000
const instanceMsMax = 5000
const revocationMsMax = 2000
const databaseAwayMs = options.short ? 2000 : 60_000
/** Longer than the sensors' watchdog of 5 s, which detects connections that died silently. */
const silenceMs = 6000

await using instances = await startInstances()
await using watch = new InstanceWatch(instances)
await using undo = new AsyncDisposableStack()
const fleet = Array.from({ length: sensorsCount }, (_, number) => {
  const { port } = instances.relays[number % instancesCount] as Instances['relays'][number]
  return undo.use(new Sensor(`http://127.0.0.1:${port}`, instances.token))
})
const faults: string[] = []

/** Waits until all have the revision. The time counts from now. */
async function settle(what: string, sequence: number): Promise<void> {
  const startedMs = performance.now()
  const isThere = (known: number): boolean => known >= sequence
  let instancesMs: number | undefined
  await eventually(`revision ${sequence} everywhere after: ${what}`, () => {
    if (watch.sequences.every(isThere)) instancesMs ??= performance.now() - startedMs
    return (instancesMs !== undefined && fleet.every((sensor) => isThere(sensor.sequence))) || undefined
  })
  const sensorsMs = Math.max(...fleet.map(({ times }) => (times.at(-1) ?? 0) - startedMs), 0)
  console.log(`${what}: instances ${Math.round(instancesMs ?? 0)} ms, sensors ${Math.round(sensorsMs)} ms`)
  if (options.short) return
  if ((instancesMs ?? 0) > instanceMsMax) faults.push(`${what}: the instances took too long`)
  if (sensorsMs > sensorMsMax) faults.push(`${what}: the sensors took too long`)
}

/** A token revoked anywhere loses its streams everywhere. */
async function revoke(): Promise<void> {
  const streams = await Promise.all(Array.from({ length: instancesCount }, (_, index) => instances.openStream(index)))
  const startedMs = performance.now()
  await instances.revokeStreams()
  await Promise.all(streams.map(({ ended }) => ended))
  const ms = performance.now() - startedMs
  console.log(`a token revoked: its streams ended within ${Math.round(ms)} ms`)
  if (!options.short && ms > revocationMsMax) faults.push('streams outlived their token for too long')
}

const eachRelay = (work: (relay: Instances['relays'][number]) => void): void => instances.relays.forEach(work)

await settle('start', 1)
await settle('a publication', await instances.publish())

await instances.killListeners()
await settle('listeners killed right before a publication', await instances.publish())
const lost = instances.publish()
await instances.killListeners()
await settle('listeners killed during a publication', await lost)

await revoke()

await instances.kill(0)
watch.sequences[0] = Infinity
await settle('an instance killed', await instances.publish())
watch.sequences[0] = 0
await instances.restart(0)
await settle('its restart', await instances.publish())

for (const crash of [false, true]) {
  const name = crash ? 'the database crashed' : `the database away for ${databaseAwayMs / 1000} s`
  await instances.postgres.stop({ crash })
  await sleep(crash ? 100 : databaseAwayMs)
  const without = fleet.filter(({ sequence }) => sequence === 0).length
  if (without > 0) faults.push(`${name}: ${without} sensors gave up their policy`)
  await instances.postgres.start()
  await settle(name, await instances.publish())
}

instances.databaseRelay.halfOpen()
const unknown = await instances.publish()
await sleep(silenceMs)
await settle(`connections to the database without another end, ${silenceMs / 1000} s later`, unknown)
const meanwhile = instances.publish()
instances.databaseRelay.reset()
await settle('connections to the database reset during a publication', await meanwhile)

eachRelay((relay) => (relay.mode = 'blackhole'))
const unseen = await instances.publish()
await sleep(silenceMs)
if (fleet.some(({ sequence }) => sequence >= unseen)) faults.push('a policy came through a black hole')
eachRelay((relay) => (relay.mode = 'pass'))
await settle(`a network that swallowed everything for ${silenceMs / 1000} s`, unseen)

eachRelay((relay) => relay.halfOpen())
const unheard = await instances.publish()
await sleep(silenceMs)
await settle(`connections without another end, ${silenceMs / 1000} s later`, unheard)

const cut = instances.publish()
eachRelay((relay) => relay.reset())
await settle('connections reset during a publication', await cut)

eachRelay((relay) => (relay.mode = 'bytewise'))
await settle('a network that passes single bytes', await instances.publish())
eachRelay((relay) => relay.reset())
await settle('the same for new connections', await instances.publish())
eachRelay((relay) => (relay.mode = 'pass'))
await settle('the end', await instances.publish())

faults.push(...watch.faults, ...fleet.flatMap((sensor) => sensor.faults()))
for (const fault of faults) console.error(fault)
console.log(
  faults.length === 0
    ? `${sensorsCount} sensors, ${instancesCount} instances: nothing lost, nothing went back.`
    : `${faults.length} FAULTS`
)
process.exitCode = faults.length === 0 ? 0 : 1
