import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatName } from './format.ts'

test('a name shows what would turn it around, and what nobody would see', () => {
  assert.equal(formatName('run_\u202efdp.exe\u2069'), 'run_[U+202E]fdp.exe[U+2069]')
  assert.equal(formatName('read\u200b_file\u{e0041}'), 'read[U+200B]_file[U+E0041]')
  for (const name of ['read_file', 'Größe messen', 'قراءة', '📁 files', '👩\u200d💻', '❤\ufe0f']) {
    assert.equal(formatName(name), name)
  }
})
