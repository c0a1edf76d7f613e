import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PolicySensorsBody } from '../../../../src/protocol/api/policy-schema.ts'
import { countStandings, standingsOf } from './standings.ts'

type Sensor = PolicySensorsBody['sensors'][number]

const at = '2026-11-22T12:00:00.000Z'
const said = (revision: string | null) => ({ revision, reasonCode: null, at })
const sensor = (over: Partial<Sensor>): Sensor => ({
  sensorId: 'edge-1',
  tokenId: 'abcdefgh',
  platform: 'sidecar',
  sensorVersion: '0.1.0',
  isCurrent: false,
  applied: said('2-00000000000000aa'),
  rejected: null,
  ...over
})

test('a refusal counts for the revision that was refused, and for no later one', () => {
  const sensors = [
    sensor({ isCurrent: true, applied: said('3-00000000000000bb') }),
    sensor({}),
    sensor({ rejected: said('3-00000000000000bb') }),
    // In an instance that does not block, the same revision has another hash.
    sensor({ rejected: said('3-00000000000000cc') }),
    sensor({ rejected: said('2-00000000000000aa') }),
    sensor({ rejected: said(null) })
  ]
  const body = { revision: '3-00000000000000bb', sensors }
  assert.deepEqual(
    standingsOf(body).map(({ standing }) => standing),
    ['current', 'behind', 'refused', 'refused', 'behind', 'refused']
  )
  assert.deepEqual(countStandings(body), { current: 1, behind: 2, refused: 3 })
})
