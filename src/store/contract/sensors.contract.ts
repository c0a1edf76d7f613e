/** Heartbeats of sensors: see `store.contract.ts`. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { noon } from './samples.contract.ts'
import { sensorDays, sensorsMax, type SensorRecord, type Store } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

const sensorOf = (sensorId: string, fields: Partial<SensorRecord> = {}): SensorRecord => ({
  workspaceId: 'acme',
  lineageId: 'tok00001',
  sensorId,
  tokenId: 'tok00001',
  lastSeenAt: noon,
  report: { policyState: 'fresh' },
  ...fields
})

export function sensorContract(store: () => Store): void {
  const list = (workspaceId = 'acme') => store().listSensors({ workspaceId, limit: 1000 })

  it('keeps the last heartbeat of each sensor, and when it was first seen', async () => {
    await store().putSensors([sensorOf('a'), sensorOf('b', { lastSeenAt: noon + 1 })])
    const later = { lastSeenAt: noon + 5, tokenId: 'tok00002', report: { policyState: 'stale', spooled: 3 } }
    await store().putSensors([sensorOf('a', later)])
    await store().putSensors([sensorOf('a', { lastSeenAt: noon + 4, report: {} })])
    assert.deepEqual(await list(), [
      { ...sensorOf('a', later), firstSeenAt: noon },
      { ...sensorOf('b', { lastSeenAt: noon + 1 }), firstSeenAt: noon + 1 }
    ])
  })

  it('tells sensors apart by workspace and by the lineage of their tokens', async () => {
    await store().putSensors([sensorOf('a'), sensorOf('a', { lineageId: 'tok00009' })])
    await store().putSensors([sensorOf('a', { workspaceId: 'beta', report: {} })])
    assert.equal((await list()).length, 2)
    assert.deepEqual((await list('beta')).length, 1)
    assert.equal((await store().listSensors({ workspaceId: 'acme', limit: 1 })).length, 1)
  })

  it('deletes sensors that are silent for long, and the oldest if there are too many', async () => {
    await store().putSensors([sensorOf('old'), sensorOf('new', { lastSeenAt: noon + dayMs })])
    const plan = { now: noon + sensorDays * dayMs + 1, eventDays: 30, auditDays: 400, minuteRollupDays: 2, bytesMax: 0 }
    await store().maintain(plan)
    assert.deepEqual(
      (await list()).map(({ sensorId }) => sensorId),
      ['new']
    )
    const many = Array.from({ length: sensorsMax }, (_, index) =>
      sensorOf(`s${index}`, { lastSeenAt: noon + 2 * dayMs + index })
    )
    await store().putSensors(many)
    await store().putSensors([sensorOf('last', { lastSeenAt: noon + 3 * dayMs })])
    const [first] = await list()
    assert.equal(first?.sensorId, 'last')
    const known = await store().listSensors({ workspaceId: 'acme', limit: 1000 })
    assert.ok(!known.some(({ sensorId }) => sensorId === 'new'))
  })

  it('lets no token that reports any number of sensors displace those of another, including silent ones', async () => {
    await store().putSensors([sensorOf('silent'), sensorOf('alive', { lastSeenAt: noon + dayMs })])
    const flood = Array.from({ length: sensorsMax + 500 }, (_, index) =>
      sensorOf(`f${index}`, { lineageId: 'tok00009', tokenId: 'tok00009', lastSeenAt: noon + dayMs + index })
    )
    await store().putSensors(flood)
    const listed = await store().listSensors({ workspaceId: 'acme', limit: 10 })
    assert.deepEqual(
      listed.map(({ sensorId }) => sensorId),
      [
        ...flood
          .slice(-8)
          .map(({ sensorId }) => sensorId)
          .toReversed(),
        'alive',
        'silent'
      ]
    )
    const again = sensorOf('more', { lineageId: 'tok00009', tokenId: 'tok00009', lastSeenAt: noon + 2 * dayMs })
    await store().putSensors([again])
    const names = (await list()).map(({ sensorId }) => sensorId)
    assert.deepEqual([names[0], ...names.slice(-2)], ['more', 'alive', 'silent'])
  })
}
