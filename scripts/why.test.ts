import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../src/detection/index.ts'
import { filler } from '../src/detection/sample-text.ts'
import { explain } from './why.ts'

test('a call says what its matcher found, and the findings are those of a scan', () => {
  const value = filler(20)
  const text = `DB_PASSWORD=${value}\n`
  const { calls, findings } = explain(text)
  const call = calls.find(({ kind }) => kind === 'env_assignment_secret')
  assert.equal(call?.by, 'literal')
  assert.match(call.around, /^password=/i)
  assert.match(call.answers.join(), new RegExp(`^${value} \\(`))
  assert.deepEqual(findings, createScanner().scan(text))
  assert.equal(findings.length, 1)
})

test('a matcher that finds nothing was called all the same, also within an encoded text', () => {
  const { calls, findings } = explain(Buffer.from('password = os.environ.get("DB_PASSWORD")').toString('base64'))
  const call = calls.find(({ kind }) => kind === 'env_assignment_secret')
  assert.deepEqual(call?.answers, [])
  assert.deepEqual(findings, [])
})
