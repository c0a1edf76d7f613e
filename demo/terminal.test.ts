import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'node:test'
import fc from '../test/support/property.ts'
import { createTerminal, sideBySide, table, wrap } from './terminal.ts'

function terminalOf(tty: { isTTY: boolean; columns: number }, env: NodeJS.ProcessEnv = {}) {
  return createTerminal(Object.assign(new PassThrough(), tty), env)
}

test('wrapping only loses line breaks and keeps to the width', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab \n]{0,60}$/), fc.integer({ min: 1, max: 20 }), (text, width) => {
      const lines = wrap(text, width)
      assert.ok(lines.every(([start, end]) => end - start <= width))
      let at = 0
      for (const [start, end] of lines) {
        assert.ok(/^[ \n]?$/.test(text.slice(at, start)), 'only one space or line break is left out')
        at = end
      }
      assert.equal(at, text.length)
    })
  )
})

test('words are not split if they fit', () => {
  const text = 'one two three\nfour'
  assert.deepEqual(
    wrap(text, 8).map(([start, end]) => text.slice(start, end)),
    ['one two', 'three', 'four']
  )
})

test('two columns fill the width and mark both sides, even across a line break', () => {
  const terminal = terminalOf({ isTTY: true, columns: 40 })
  const left = { text: 'a value-that-is-very-long-indeed b', marks: [[2, 32]] as const }
  const lines = sideBySide(terminal, left, { text: 'a EMAIL_X b', marks: [[2, 9]] })
  assert.ok(lines.every((line) => stripVTControlCharacters(line).length <= 40))
  assert.ok(lines.some((line) => line.includes('\u001b[32mEMAIL_X\u001b[39m')))
  assert.ok(lines.filter((line) => line.includes('\u001b[31m')).length > 1, 'each line of a broken value is marked')
})

test('anything but a terminal, and NO_COLOR, gets plain text', () => {
  assert.equal(terminalOf({ isTTY: false, columns: 40 }).paint('red', 'x'), 'x')
  assert.equal(terminalOf({ isTTY: true, columns: 40 }, { NO_COLOR: '1' }).paint('red', 'x'), 'x')
  assert.notEqual(terminalOf({ isTTY: true, columns: 40 }, { NO_COLOR: '' }).paint('red', 'x'), 'x')
  assert.equal(terminalOf({ isTTY: false, columns: 40 }).width, 100)
  assert.equal(terminalOf({ isTTY: true, columns: 500 }).width, 140)
})

test('a table aligns its columns', () => {
  const lines = table(terminalOf({ isTTY: false, columns: 0 }), [
    ['a', 'long heading'],
    ['longer', 'b']
  ])
  assert.deepEqual(lines, ['  a       long heading', '  longer  b'])
})
