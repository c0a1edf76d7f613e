/** A policy is examined once, however many pages are open. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PolicyRevision } from '../../store/store.ts'
import { keptByRevision } from './kept-by-revision.ts'

const revisionOf = (workspaceId: string, revision: string): PolicyRevision => ({
  workspaceId,
  revision,
  sequence: Number.parseInt(revision, 10),
  mcpToolPolicy: {},
  redactionProfile: {},
  author: 'service',
  note: '',
  publishedAt: 0
})

test('a revision is examined once, also for those who ask at the same time', async () => {
  const seen: string[] = []
  const find = keptByRevision(async ({ workspaceId, revision }) => {
    seen.push(`${workspaceId} ${revision}`)
    return seen.length
  })
  const [one, two] = [revisionOf('default', '1-a'), revisionOf('default', '2-b')]
  assert.deepEqual(await Promise.all([find(one), find(one), find({ ...one })]), [1, 1, 1])
  assert.equal(
    await find(revisionOf('other', '1-a')),
    2,
    'the same documents of another workspace are another question'
  )
  assert.equal(await find(two), 3)
  assert.equal(await find(two), 3)
  assert.deepEqual(seen, ['default 1-a', 'other 1-a', 'default 2-b'])
})

test('a failure is not cached', async () => {
  let tries = 0
  const find = keptByRevision(async () => {
    if (++tries === 1) throw new Error('the thread is busy')
    return tries
  })
  await assert.rejects(find(revisionOf('default', '1-a')), /busy/)
  assert.equal(await find(revisionOf('default', '1-a')), 2)
})
