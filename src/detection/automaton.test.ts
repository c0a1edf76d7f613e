import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { buildAutomaton } from './automaton.ts'

/** All hits as `end:id`, by the automaton. */
function hits(literals: readonly string[], text: string, withNumbers = false): string[] {
  const { classOf, table, start, outputMin, outputs, stride } = buildAutomaton(literals, withNumbers)
  const found: string[] = []
  let state = start
  for (let i = 0; i < text.length; i++) {
    state = table[state + (classOf[text.charCodeAt(i)] as number)] as number
    if (state >= outputMin)
      for (const id of outputs[(state - outputMin) / stride] as Int32Array) found.push(`${i + 1}:${id}`)
  }
  return found.sort()
}

function naive(literals: readonly string[], text: string): string[] {
  const lower = text.toLowerCase()
  const found: string[] = []
  literals.forEach((literal, id) => {
    for (let at = lower.indexOf(literal); at >= 0; at = lower.indexOf(literal, at + 1))
      found.push(`${at + literal.length}:${id}`)
  })
  return found.sort()
}

test('finds every literal that a search for each would find', () => {
  const letters = fc.constantFrom(...'ab1.x')
  const word = fc.string({ unit: letters, minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom(...'aAbB12.xé'), maxLength: 60 }),
      (literals, text) => {
        assert.deepEqual(hits(literals, text), naive(literals, text))
        const withNumbers = hits(literals, text, true).filter((hit) => Number(hit.split(':')[1]) < literals.length)
        assert.deepEqual(withNumbers, naive(literals, text))
      }
    )
  )
})

test('announces a run at its third digit only, and a fourth dotted group, beside literals made of digits', () => {
  const ends = (text: string, literals: string[], id: number) =>
    hits(literals, text, true)
      .filter((hit) => hit.endsWith(`:${literals.length + id}`))
      .map((hit) => Number(hit.split(':')[0]))
  for (const literals of [['x'], ['12', '345', '1.2']]) {
    assert.deepEqual(
      ends('12 123 12345678 1', literals, 0).sort((a, b) => a - b),
      [6, 10]
    )
    assert.deepEqual(
      ends('1.2.3 10.20.30.40 v1.2.3.4.5', literals, 1).sort((a, b) => a - b),
      [16, 26]
    )
  }
})

test('refuses an empty literal', () => {
  assert.throws(() => buildAutomaton([''], false), RangeError)
})
