import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamCursor } from './stream-cursor.ts'

test('a server may say how long to wait, but not that there be no wait', () => {
  const cursor = new StreamCursor()
  for (const [retry, pauseMs] of [
    ['500', 500],
    ['0', 100],
    ['7', 100],
    ['x', 100],
    ['999999', 60_000]
  ] as const) {
    cursor.note(Buffer.from(`id: 1\nretry: ${retry}\ndata: {}\n\n`))
    assert.equal(cursor.pauseMs, pauseMs, retry)
  }
  assert.deepEqual(cursor.headers(), { 'last-event-id': '1' })
})
