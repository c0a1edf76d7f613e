import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompletionContext } from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { EditorState } from '@codemirror/state'
import { standardPolicy } from '../../../../../src/policy/revision.ts'
import { textOf } from '../documents.ts'
import { completePolicy } from './complete.ts'
import { placeOf } from './json-path.ts'
import { meaningAt } from './schema-at.ts'

const stateOf = (text: string): EditorState => EditorState.create({ doc: text, extensions: [json()] })

/**
 * What is suggested at the `
 * ` in a text, and the text after accepting the first suggestion.
 */
function offeredAt(marked: string, isAsked = false): { labels: string[]; first: string } {
  const pos = marked.indexOf('|')
  const text = marked.replace('|', '')
  const result = completePolicy(new CompletionContext(stateOf(text), pos, isAsked))
  if (result === null) return { labels: [], first: '' }
  const [option] = result.options
  const insert = typeof option?.apply === 'string' ? option.apply : (option?.label ?? '')
  const labels = result.options.map(({ label }) => label)
  return { labels, first: text.slice(0, result.from) + insert + text.slice(result.to ?? pos) }
}

test('names known to the schema are suggested, except those already present', () => {
  const { labels, first } = offeredAt('{"redactionProfile": {"version": 1, "pre|", "mode": "observe"}}')
  assert.ok(labels.includes('"preset"') && labels.includes('"blockHighRisk"'))
  assert.ok(!labels.includes('"mode"') && !labels.includes('"version"'))
  assert.match(first, /"version": 1, "\w+": .+, "mode"/)
  assert.deepEqual(offeredAt('{"mcpToolPolicy": {"rules": [{"id": "a", "eff|"}]}}').labels.slice(0, 1), ['"effect"'])
  assert.ok(
    offeredAt('{"mcpToolPolicy": {"rules": [{"when": [{"any": [{|}]}]}]}}', true).labels.includes('"pathWithin"')
  )
})

test('only the name before its colon is replaced', () => {
  const { first } = offeredAt('{"redactionProfile": {"actions": {"groups": {"co|": "mask"}}}}')
  assert.equal(first, '{"redactionProfile": {"actions": {"groups": {"secret": "mask"}}}}')
})

test('suggested values are those that a setting accepts, and suggested kinds are the built-in ones', () => {
  assert.deepEqual(offeredAt('{"redactionProfile": {"mode": "o|"}}').labels, ['"enforce"', '"observe"'])
  assert.deepEqual(offeredAt('{"redactionProfile": {"blockHighRisk": |}}', true).labels, ['true', 'false'])
  assert.ok(offeredAt('{"redactionProfile": {"actions": {"kinds": {"|"}}}}').labels.includes('"email_address"'))
  assert.deepEqual(offeredAt('{"redactionProfile": {"deny": ["|"]}}').labels, [])
})

test('a pointer leads to its setting, or to the innermost existing value around it', () => {
  const text = textOf({ ...standardPolicy, mcpToolPolicy: { version: 1, 'a/b': [{ id: 'one' }, { id: 'two' }] } })
  const state = stateOf(text)
  const at = (pointer: string): string => {
    const { from, to } = placeOf(state, pointer)
    return text.slice(from, to)
  }
  assert.equal(at('/redactionProfile/preset'), '"preset"')
  assert.equal(at('/mcpToolPolicy/a~1b/1/id'), '"id"')
  assert.ok(placeOf(state, '/mcpToolPolicy/a~1b/1/id').from > text.indexOf('"two"') - 10)
  assert.equal(at('/mcpToolPolicy/a~1b/1/missing'), '{')
  assert.equal(at('/mcpToolPolicy/rules/7'), '"mcpToolPolicy"')
  assert.equal(at(''), '{')
})

test('settings show their descriptions', () => {
  assert.match(meaningAt(['mcpToolPolicy', 'rules', 2, 'effect']) ?? '', /deny.* overrides/)
  assert.equal(meaningAt(['mcpToolPolicy', 'nothing']), undefined)
})
