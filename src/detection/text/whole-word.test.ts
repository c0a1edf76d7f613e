import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isWholeWord } from './whole-word.ts'

/** Whether the first `nid` of a text, in any case, is a whole word. */
const isWhole = (text: string): boolean => {
  const at = text.toLowerCase().indexOf('nid')
  return isWholeWord(text, at, at + 3)
}

it('digits, joints and a change of case bound a word', () => {
  for (const text of ['nid', 'my_nid', 'userNID', 'nidNumber', 'nids', '(nid)']) assert.ok(isWhole(text), text)
  for (const text of ['unidad', 'nidus', 'Výnid', 'nid012']) assert.equal(isWhole(text), false, text)
})

it('the escape of a line break begins no word', () => {
  for (const text of ['sent\\nID: 5', 'sent\\\\nid: 5']) assert.equal(isWhole(text), false, text)
  assert.ok(isWhole('sent\\nNID: 5'.replace('\\n', '\n')))
  assert.ok(isWhole('sent\\NID: 5'))
})
