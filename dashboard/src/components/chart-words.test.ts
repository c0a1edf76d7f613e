import assert from 'node:assert/strict'
import { test } from 'node:test'

const hourMs = 3_600_000

test("days show the dates of their counts, and hours the viewer's time", async () => {
  process.env['TZ'] = 'America/New_York'
  const { stepText, tickText } = await import('./chart-words.ts')
  const midnightUtc = Date.UTC(2026, 10, 22)
  assert.equal(new Date(midnightUtc).getDate(), 21, 'the viewer lives west of Greenwich')
  assert.match(tickText(midnightUtc, 24 * hourMs), /22/)
  assert.match(stepText(midnightUtc, 24 * hourMs), /22.*\(UTC\)$/)
  assert.match(tickText(midnightUtc, hourMs), /19:00/)
  assert.match(stepText(midnightUtc, hourMs), /21.*19:00/)
  assert.match(tickText(midnightUtc + 5 * hourMs, hourMs), /22/)
})
