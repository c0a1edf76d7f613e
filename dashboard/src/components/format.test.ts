import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames, formatDuration, formatName } from './format.ts'

test('a name shows characters that would reverse or hide text', () => {
  assert.equal(formatName('run_\u202efdp.exe\u2069'), 'run_[U+202E]fdp.exe[U+2069]')
  assert.equal(formatName('read\u200b_file\u{e0041}'), 'read[U+200B]_file[U+E0041]')
  for (const name of ['read_file', 'Größe messen', 'قراءة', '📁 files', '👩\u200d💻', '❤\ufe0f']) {
    assert.equal(formatName(name), name)
  }
})

test('a duration has no 60 of a unit, and uses days instead of many hours', () => {
  const told = [0.25, 6.2, 870, 59_940, 59_999, 119_900, 3_599_900, 7_199_000, 86_400_000, 20 * 86_400_000]
  assert.deepEqual(told.map(formatDuration), [
    '0.25 ms',
    '6.2 ms',
    '870 ms',
    '59.9 s',
    '1 min 0 s',
    '2 min 0 s',
    '1 h 0 min',
    '2 h 0 min',
    '24 h 0 min',
    '20 days 0 h'
  ])
})

test('names are sorted in natural order', () => {
  assert.deepEqual(['runner-10', 'runner-9', 'edge', 'Runner-1'].toSorted(compareNames), [
    'edge',
    'Runner-1',
    'runner-9',
    'runner-10'
  ])
})
