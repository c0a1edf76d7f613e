import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKindOf, eventWord } from './event-words.ts'

test('a kind is found by its words and by its code word, and one that is not known stays what was typed', () => {
  const kinds = ['ingress_proxy', 'policy_published']
  for (const kind of kinds) assert.equal(eventKindOf(eventWord(kind), kinds), kind)
  assert.equal(eventKindOf(' model CALL ', kinds), 'ingress_proxy')
  assert.equal(eventKindOf('policy_published', kinds), 'policy_published')
  assert.equal(eventKindOf('tool_drift', kinds), 'tool_drift')
})
