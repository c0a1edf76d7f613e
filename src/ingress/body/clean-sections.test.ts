import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confidences, tiers, type FindingSort, type Scanner } from '../../detection/findings.ts'
import { createScanner } from '../../detection/scanner.ts'
import { dialects } from '../../dialects/index.ts'
import type { DialectName, TextSection } from '../../dialects/dialect.ts'
import { finish, indexOf } from '../../dialects/json/indexing.fixture.ts'
import type { JsonIndex } from '../../dialects/json/json-index.ts'
import { CleanSections, cleanSectionsOf, sortsMax, type CallersSections, type PassedFind } from './clean-sections.ts'

const scanner = createScanner([])

interface Part {
  readonly index: JsonIndex
  readonly section: TextSection
}

/** The first message of a body. */
function message(content: string, role = 'user'): Part {
  const index = indexOf({ messages: [{ role, content }] })
  const plan = finish(dialects.messages.plan(index)).value
  const section = [...plan.texts.sections(() => true)].find(({ name }) => name === 'messages')
  assert.ok(section)
  return { index, section }
}

/** What is known about the parts of a body that is large enough. */
function of(all: CleanSections, ...[by, tokenId, dialect]: [Scanner, string, DialectName]): CallersSections {
  const sections = all.of(by, tokenId, dialect, 8192)
  assert.ok(sections)
  return sections
}

const findsOf = (by: CallersSections, { index, section }: Part): readonly PassedFind[] | undefined =>
  finish(by.knows(index, section)).value

const knows = (by: CallersSections, part: Part): boolean => findsOf(by, part) !== undefined

function add(to: CallersSections, part: Part): void {
  knows(to, part)
  to.add([])
}

test('a part is known only to the client that sent it, to the same scanner and on the same API', () => {
  const all = new CleanSections(1024)
  const part = message('Please look at the log.')
  add(of(all, scanner, 'ana', 'messages'), part)
  assert.equal(knows(of(all, scanner, 'ana', 'messages'), part), true)
  assert.equal(knows(of(all, scanner, 'bo', 'messages'), part), false, 'to another client')
  assert.equal(knows(of(all, createScanner([]), 'ana', 'messages'), part), false, 'under another policy')
  assert.equal(knows(of(all, scanner, 'ana', 'responses'), part), false, 'on another API')
  assert.equal(knows(of(new CleanSections(1024), scanner, 'ana', 'messages'), part), false, 'to another process')
})

test('a part with other bytes, in another field, or read in another way is a different part', () => {
  const by = of(new CleanSections(1024), scanner, 'ana', 'messages')
  const part = message('Please look at the log.')
  add(by, part)
  const { index, section } = part
  assert.equal(knows(by, message('Please look at the log!')), false)
  assert.equal(knows(by, message('Please look at the log.', 'system')), false)
  assert.equal(knows(by, { index, section: { ...section, name: 'system' } }), false)
  assert.equal(knows(by, { index, section: { ...section, codes: section.codes.map((code) => code ^ 1) } }), false)
  assert.equal(knows(by, { index, section: { ...section, codes: section.codes.subarray(1) } }), false)
  assert.equal(knows(by, part), true)
})

test('a long part is identified by all of its bytes, and its digest is computed in steps', () => {
  const by = of(new CleanSections(1024), scanner, 'ana', 'messages')
  const long = 'word '.repeat(200_000)
  const part = message(long)
  add(by, part)
  assert.equal(knows(by, part), true)
  assert.ok(finish(by.knows(part.index, part.section)).yields >= 3)
  assert.equal(knows(by, message(`${long.slice(0, -1)}.`)), false)
  assert.equal(knows(by, message(`W${long.slice(1)}`)), false)
})

const sortsOf = (by: Scanner): FindingSort[] =>
  [...by.kinds.values()].flatMap(({ id: kind, group }) =>
    tiers.flatMap((tier) => confidences.map((confidence) => ({ kind, group, tier, confidence })))
  )

test('the findings of a part are remembered by kind, tier, confidence and count, and of no other part', () => {
  const whole = createScanner()
  const by = of(new CleanSections(65_536), whole, 'ana', 'messages')
  const sorts = sortsOf(whole)
  const listOf = (i: number): PassedFind[] =>
    sorts.slice(i, i + (i % (sortsMax + 1))).map((finding, k) => ({ finding, count: k === 0 ? 4095 : i + 1 }))
  const parts = Array.from({ length: 1500 }, (_, i) => message(`Message number ${i}`))
  parts.forEach((part, i) => {
    knows(by, part)
    by.add(listOf(i))
  })
  parts.forEach((part, i) => assert.deepEqual(findsOf(by, part), listOf(i)))
  assert.equal(knows(by, message('Message number 1500')), false)
})

test('what does not fit into an entry is not kept', () => {
  const by = of(new CleanSections(1024), createScanner(), 'ana', 'messages')
  const [finding] = sortsOf(createScanner())
  assert.ok(finding)
  for (const find of [
    { finding, count: 4096 },
    { finding: { ...finding, kind: 'unknown' }, count: 1 }
  ]) {
    const part = message('Please look at the log.')
    knows(by, part)
    by.add([find])
    assert.equal(knows(by, part), false)
  }
})

test('when there is no room, the oldest parts are forgotten', () => {
  const by = of(new CleanSections(15), scanner, 'ana', 'messages')
  const parts = Array.from({ length: 12 }, (_, i) => message(`Message number ${i}`))
  for (const part of parts) add(by, part)
  assert.deepEqual(
    parts.map((part) => knows(by, part)),
    parts.map((_, i) => i >= 4),
    'eight of them are kept'
  )
})

test('a part that is already known takes no more room', () => {
  const by = of(new CleanSections(8), scanner, 'ana', 'messages')
  const first = message('the first')
  add(by, first)
  const again = message('sent again and again')
  for (let i = 0; i < 20; i++) add(by, again)
  assert.equal(knows(by, first), true)
})

test('with room for many parts, many are known', () => {
  const by = of(new CleanSections(4096), scanner, 'ana', 'messages')
  // One of 512 slots, chosen by a random key, gets more than its eight entries once in 600,000 runs. With 1,024 parts it
  // would be once in nine.
  const parts = Array.from({ length: 256 }, (_, i) => message(`Message number ${i}`))
  for (const part of parts) add(by, part)
  assert.ok(parts.every((part) => knows(by, part)))
})

test('everything is forgotten within the hour, without disturbing a call under way', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const all = new CleanSections(1024)
  const part = message('Please look at the log.')
  const underWay = of(all, scanner, 'ana', 'messages')
  add(underWay, part)
  t.mock.timers.tick(3_599_999)
  assert.equal(knows(of(all, scanner, 'ana', 'messages'), part), true)
  t.mock.timers.tick(1)
  assert.equal(knows(of(all, scanner, 'ana', 'messages'), part), false)
  assert.equal(knows(underWay, part), true)
  add(of(all, scanner, 'ana', 'messages'), part)
  t.mock.timers.tick(3_600_000)
  assert.equal(knows(of(all, scanner, 'ana', 'messages'), part), false, 'and again an hour later')
})

test('small bodies and embeddings requests are not conversations', () => {
  const all = new CleanSections(1024)
  assert.equal(all.of(scanner, 'ana', 'messages', 8191), undefined)
  assert.ok(all.of(scanner, 'ana', 'messages', 8192))
  assert.equal(all.of(scanner, 'ana', 'embeddings', 100_000), undefined)
})

test('with a limit of zero nothing is kept', () => {
  assert.equal(cleanSectionsOf({ cleanSectionsMax: 0 }), undefined)
  assert.ok(cleanSectionsOf({ cleanSectionsMax: 1 }))
})

test('parts whose digests begin alike are told apart', () => {
  const by = of(new CleanSections(2 ** 20), scanner, 'ana', 'messages')
  const { index, section } = message('a part of which there are many')
  const bytes = new Uint8Array(index.bytes)
  const counter = new DataView(bytes.buffer)
  const part: Part = { index: Object.create(index, { bytes: { value: bytes } }) as JsonIndex, section }
  const at = index.starts[section.node]!
  // Among so many, about five share the first 32 bits with another's digest, and therefore its slot.
  for (let n = 0; n < 200_000; n++) {
    counter.setUint32(at, n)
    assert.equal(knows(by, part), false, `part ${n}`)
    by.add([])
  }
})
