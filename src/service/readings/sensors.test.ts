import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sensorHeartbeatKind } from '../../protocol/events/event-schema.ts'
import type { SensorRecord } from '../../store/store.ts'
import type { Principal } from '../tokens/tokens.ts'
import { createSensorRegistry } from './sensors.ts'

const principal = (lineageId: string, workspaceId = 'acme'): Principal => ({
  ...{ tokenId: lineageId, lineageId, workspaceId },
  ...{ scopes: ['events:write'], expiresAt: null }
})

test('a token that reports any number of sensors displaces none of another token, and its known ones are kept', async () => {
  const written: SensorRecord[][] = []
  const registry = createSensorRegistry({ putSensors: async (sensors) => void written.push([...sensors]) })
  const beat = (sensorId: string, by: Principal, now = 1): void =>
    registry.note({ kind: sensorHeartbeatKind, sensorId }, by, now)
  const flooder = principal('tok00001')
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 30_000; i++) beat(`f${i}`, flooder)
    beat('f0', flooder, 2)
    beat('real', principal('tok00002'))
    beat('real', principal('tok00003', 'beta'))
    await registry.close()
  }
  assert.equal(written.length, 2)
  for (const sensors of written) {
    const [first, ...others] = sensors
    assert.deepEqual([first?.sensorId, first?.lastSeenAt], ['f0', 2])
    assert.equal(others.length, 5001)
    const real = others.slice(-2).map(({ sensorId, workspaceId }) => [sensorId, workspaceId])
    assert.deepEqual(real, [
      ['real', 'acme'],
      ['real', 'beta']
    ])
  }
})
