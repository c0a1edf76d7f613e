/** Keys split over two lines, neither half of which is a key: they are found across the line break and gutters. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { splitKeyBefore } from './split-key.ts'

const scanner = createScanner()
const key = ['AI', 'za', filler(35)].join('')
const words = 'see the notes of the last call and what was said about it in '

/** The key across the end of a line, with `units` of it on the first one. */
function split(units: number, before: string, between: string): string {
  return `${before}${words}${key.slice(0, units)}${between}${key.slice(units)}\n`
}

test('a key is found behind a gutter whether its first part is shorter or longer', () => {
  for (const [before, between] of [
    ['', '\n'],
    ['', '\r\n'],
    ['    ', '\n    '],
    ['> ', '\n> '],
    ['# ', '\n# '],
    ['+', '\n+'],
    ['   7\t', '\n   8\t'],
    ['7: ', '\n8: ']
  ] as const)
    for (const units of [10, 14, 27]) {
      const text = split(units, before, between)
      const [found] = scanner.scan(text)
      assert.deepEqual(
        [found?.kind, found?.start, found?.end],
        ['google_api_key', text.indexOf(key.slice(0, 10)), text.length - 1],
        JSON.stringify(text)
      )
    }
})

test('a possible key is found across a line break as well, if it has a form of its own', () => {
  const open = ['sk', 'proj', filler(60)].join('-')
  const text = `${words}${open.slice(0, 30)}\n${open.slice(30)}\n`
  const [found] = scanner.scan(text)
  assert.deepEqual([found?.kind, found?.end], ['openai_api_key', text.length - 1])
})

test('lines that begin with a long word are not joined to those above', () => {
  const rest = filler(30)
  for (const text of [
    `${words}this line;\n${rest}`,
    `${words}a1b2c3d4\n${'a_long_name_of_a_function_in_a_library'}`,
    `short a1b2c3d4\n${rest}`,
    `${words}a1b2c3d4\n${rest}${rest}${rest}${rest}`
  ]) {
    const start = text.indexOf('\n') + 1
    assert.equal(splitKeyBefore(text, start, text.length), undefined, text)
  }
  const text = `${words}a1b2c3d4\n${rest}`
  assert.deepEqual(splitKeyBefore(text, words.length + 9, text.length), { at: words.length + 8, to: words.length + 9 })
})
