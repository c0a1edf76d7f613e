import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { confidences, tiers, type OwnFind } from '../../detection/findings.ts'
import { createScanner } from '../../detection/scanner.ts'
import type { TextFinds } from './part-finds.ts'
import { findsMax, SealedFinds } from './sealed-finds.ts'

const kinds = [...createScanner().kinds.values()]
const kindNumbers = new Map(kinds.map(({ id }, i) => [id, i]))
const digestOf = (part: number): string => createHash('sha256').update(String(part)).digest('latin1')

/** Findings of every kind, tier and confidence by turns. */
function findsOf(count: number, first = 0): OwnFind[] {
  return Array.from({ length: count }, (_, i) => {
    const { id: kind, group } = kinds[(first + i) % kinds.length]!
    const [tier, confidence] = [tiers[i % tiers.length]!, confidences[(i >> 2) % confidences.length]!]
    return { finding: { kind, group, tier, confidence, start: i * 7, end: i * 7 + 5 }, byContext: i % 3 === 0 }
  })
}

test('what the texts of a part hold is the same once it was kept', () => {
  const sealed = new SealedFinds(8)
  for (let first = 0; first < kinds.length; first += findsMax / 2) {
    const texts: TextFinds[] = [
      { text: 0, inner: -1, finds: findsOf(findsMax / 4, first) },
      { text: 7, inner: 0, finds: findsOf(2, first + 9) },
      { text: 7, inner: 1_000_000, finds: findsOf(findsMax / 4, first + findsMax / 4) }
    ]
    const place = sealed.add(digestOf(first), texts, kindNumbers)
    assert.deepEqual(sealed.get(place, digestOf(first), kinds), texts)
  }
})

test('the finds of a part are given for no other, and not without all of its digest', () => {
  const sealed = new SealedFinds(8)
  const texts = [{ text: 0, inner: -1, finds: findsOf(3) }]
  const place = sealed.add(digestOf(1), texts, kindNumbers)
  assert.equal(sealed.get(place, digestOf(2), kinds), undefined)
  assert.equal(sealed.get(place + 1, digestOf(1), kinds), undefined)
  const otherKey = digestOf(1).slice(0, 16) + digestOf(2).slice(16)
  let found: unknown
  try {
    found = sealed.get(place, otherKey, kinds)
  } catch {
    // Most words are no kind then.
  }
  assert.notDeepEqual(found, texts)
})

test('when there is no room, the oldest parts are forgotten', () => {
  const partsMax = 16
  const isKept = (sealed: SealedFinds, places: readonly number[]): boolean[] =>
    places.map((place, part) => sealed.get(place, digestOf(part), kinds) !== undefined)
  for (const [finds, kept] of [
    [1, partsMax],
    [100, 2],
    [findsMax, 1]
  ] as const) {
    const sealed = new SealedFinds(partsMax)
    const texts = [{ text: 0, inner: -1, finds: findsOf(finds) }]
    const places = Array.from({ length: 40 }, (_, part) => sealed.add(digestOf(part), texts, kindNumbers))
    assert.deepEqual(
      isKept(sealed, places),
      places.map((_, part) => part >= places.length - kept)
    )
  }
})

test('a part with too many findings is not kept', () => {
  const texts = [{ text: 0, inner: -1, finds: findsOf(findsMax + 1) }]
  assert.equal(new SealedFinds(8).add(digestOf(1), texts, kindNumbers), -1)
})
