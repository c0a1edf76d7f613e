/** An event may open ten thousands of texts, and end as many. Work is counted, not timed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countReads } from '../../detection/count-reads.fixture.ts'
import { dialects } from '../../dialects/index.ts'
import { plan } from './stream.fixture.ts'
import { StreamRestorer } from './stream.ts'

const choices = (count: number, choice: object): Buffer => {
  const list = Array.from({ length: count }, (_, index) => ({ index, ...choice }))
  return Buffer.from(`data: ${JSON.stringify({ choices: list })}\n\n`)
}

/** How many code units are read to pass on an event that opens texts, and one that ends as many. */
function readsOf(count: number, isOfOthers: boolean): number {
  const opening = choices(count, { delta: { content: 'a EMAIL_' } })
  const ending = choices(isOfOthers ? 2 * count : count, { delta: {}, finish_reason: 'stop' })
  const reader = dialects['chat-completions'].createAnswerReader?.()
  assert.ok(reader)
  const restorer = new StreamRestorer(reader, plan, { restored: 0, left: 0 })
  let sent = 0
  const reads = countReads(() => {
    for (const event of [opening, ending]) sent += restorer.push(event).length
    sent += restorer.end().length
  })
  assert.equal(sent, opening.length + ending.length)
  return reads
}

test('ending many texts at once takes linear work', () => {
  for (const isOfOthers of [false, true]) {
    const once = readsOf(500, isOfOthers)
    const twice = readsOf(1000, isOfOthers)
    assert.ok(twice <= 2.3 * once, `${once} reads, then ${twice} for twice as many`)
  }
})
