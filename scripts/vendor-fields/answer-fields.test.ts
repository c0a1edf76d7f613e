/**
 * A placeholder is restored at every place of an answer at which the client shows the model's words or runs a tool with
 * them, and at no other: compared with the types of the vendors' answers and events.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../src/dialects/index.ts'
import { indexOf } from '../../src/dialects/json/indexing.fixture.ts'
import { judgeAnswer } from './answer-judgement.ts'
import { answerFields, type AnswerField } from './fields.ts'

const placeholder = ['EMAIL', 'ABCDEFGHIJ'].join('_')

function isRestored(field: AnswerField): boolean {
  const index = indexOf(field.value(field.kind === 'open' ? { note: placeholder } : placeholder))
  const texts = dialects[field.dialect].createAnswerReader?.().read(index).texts ?? []
  return texts.some(({ node }) => index.text(node) === placeholder)
}

test('placeholders are restored only in the words of the model and in calls of the client’s tools', () => {
  const fields = answerFields().filter(({ kind }) => kind !== 'word')
  const faults = fields.flatMap((field) => {
    const wanted = judgeAnswer(field)
    if (wanted === undefined) return [`${field.dialect} ${field.path} is judged by nobody`]
    if (wanted.isRestored === isRestored(field)) return []
    return [`${field.dialect} ${field.path} is ${wanted.isRestored ? 'not ' : ''}put back`]
  })
  assert.deepEqual([...new Set(faults)], [])
  assert.ok(fields.length > 1000)
})
