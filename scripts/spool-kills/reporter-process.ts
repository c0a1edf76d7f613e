/**
 * A sensor that reports continuously, to be killed. It is given its target, token and folder, and prints the id of each
 * event once that event is on disk. With `drain` it reports one event, and ends when nothing is left to send.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createSensor } from '../../src/sdk/index.ts'

const [target = '', token = '', dir = '', mode = ''] = process.argv.slice(2)
const sensor = createSensor({
  target,
  token,
  dir,
  stamp: { sensorId: 'spool kills' },
  timings: { delivery: { backoffMinMs: 20, backoffMaxMs: 100, lingerMs: 5, requestTimeoutMs: 1000 } }
})
const actions = ['allow', 'mask', 'block'] as const

function report(number: number): Promise<void> {
  const action = actions[number % actions.length] as (typeof actions)[number]
  const event = { kind: 'tool_call_enforcement', action, mcpToolName: 'read_file', entitiesMasked: number } as const
  const report = sensor.report(event)
  if (!report.ok) throw new Error('An event of the check was refused.')
  return report.kept.then((kept) => void process.stdout.write(`${kept} ${report.eventId}\n`))
}

async function reportForEver(): Promise<never> {
  for (;;) {
    const reports = Array.from({ length: 20 }, (_, number) => report(number))
    // Every other round continues before the disk has answered.
    if (process.uptime() % 2 < 1) await Promise.all(reports)
    await sleep(2)
  }
}

async function drain(): Promise<void> {
  await report(0)
  while (sensor.stats().onDisk + sensor.stats().inMemory > 0) await sleep(5)
  const { lost, lostUntold } = sensor.stats()
  await sensor.close()
  process.stdout.write(`drained ${lost + lostUntold}\n`)
}

await (mode === 'drain' ? drain() : reportForEver())
