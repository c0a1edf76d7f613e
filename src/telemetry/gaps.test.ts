import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { WorkspaceEvent } from '../store/store.ts'
import { GapLedger } from './gaps.ts'

const loss = (workspaceId: string, receivedAt: number) => ({ workspaceId, receivedAt }) as WorkspaceEvent

it('losses are one gap per workspace, from the first to the last, and as many gaps are taken as asked', () => {
  const gaps = new GapLedger()
  for (const [workspaceId, at] of [['a', 5], ['b', 1], ['a', 3], ['c', 9], ['a', 4]] as const) gaps.add(loss(workspaceId, at)) // prettier-ignore
  assert.equal(gaps.pending, 5)
  const taken = gaps.take(10, 2)
  assert.deepEqual(
    taken.map(({ count, event }) => [
      event.workspaceId,
      count,
      event.sensorMetadata['from'],
      event.sensorMetadata['to']
    ]),
    [
      ['a', 3, 3, 5],
      ['b', 1, 1, 1]
    ]
  )
  assert.equal(gaps.pending, 1)
})

it('a gap that was attempted comes again unchanged and before others, whatever was lost since', () => {
  const gaps = new GapLedger()
  gaps.add(loss('a', 1))
  const [first] = gaps.take(10, 9)
  gaps.putBack(first ? [first] : [])
  gaps.add(loss('a', 2))
  assert.equal(gaps.pending, 2)
  const again = gaps.take(20, 9)
  assert.equal(again[0], first)
  assert.deepEqual([again.length, again[1]?.count, gaps.pending], [2, 1, 0])
})
