/** What only looks like part of the protocol stays text: words in the place of an id are read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { chatCompletions } from '../chat-completions/chat-completions.ts'
import type { Dialect } from '../dialect.ts'
import { BodyError } from '../json/body-error.ts'
import { embeddings } from '../embeddings.ts'
import { messages } from '../messages/messages.ts'
import { responses } from '../responses/responses.ts'
import { planOf, seal } from './planning.fixture.ts'

const dialects: readonly Dialect[] = [chatCompletions, messages, responses, embeddings]

/** Fields whose values are words of the API or ids issued by a vendor, in some dialect. */
const words = ['type', 'role', 'status', 'detail', 'format', 'phase', 'verbosity', 'ttl', 'version']
const ids = [
  'id',
  'call_id',
  'tool_use_id',
  'tool_call_id',
  'file_id',
  'container_id',
  'caller_id',
  'skill_id',
  'tab_id'
]
/** Fields that may hold a version issued by a vendor, or an id in place of the object it refers to. */
const ofIds = ['version', 'container']
const seals = ['signature', 'encrypted_content', 'encrypted_stdout', 'encrypted_index', 'redacted', 'thinking', 'data']
const nested = [
  'content',
  'source',
  'input',
  'output',
  'caller',
  'container',
  'cache_control',
  'citations',
  'annotations'
]
const known = ['text', 'tool_use', 'tool_result', 'image', 'document', 'thinking', 'redacted_thinking', 'base64', 'url']
const types = [...known, 'function', 'message', 'reasoning', 'function_call', 'function_call_output', 'input_image']
const top = ['system', 'tools', 'tool_choice', 'thinking', 'text', 'reasoning', 'prompt', 'response_format', 'later']

/** Objects with such fields. Every string in them is `value`, except for the types that the walk needs. */
const fieldsOf = (value: string) =>
  fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constant(value),
      fc.array(tie('node'), { minLength: 1, maxLength: 2 }),
      tie('object')
    ),
    object: fc
      .tuple(
        fc.option(fc.constantFrom(...types), { nil: value }),
        fc.dictionary(fc.constantFrom(...words, ...ids, ...seals, ...nested), tie('node'), { minKeys: 1, maxKeys: 4 })
      )
      .map(([type, fields]) => ({ ...fields, type }))
  })).object

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function']

/**
 * The labels of all strings equal to `value`, in a body that holds them in a message, in an item and at the top level.
 */
function labelsOf(dialect: Dialect, value: string, role: string, name: string, part: object): Record<string, string> {
  const message = { role, content: [part] }
  const body = { [name]: part, ...part, messages: [message], input: [message, part] }
  let planned
  try {
    planned = planOf(dialect, body)
  } catch (error) {
    // Refused: nothing of it leaves.
    if (error instanceof BodyError) return {}
    throw error
  }
  const { index, plan, labels } = planned
  const nodes = [...plan.texts].filter(({ node }) => index.text(node) === value).map(({ node }) => node)
  const pointers = new Set(nodes.map((node) => index.pointer(node, () => true)))
  return Object.fromEntries(Object.entries(labels).filter(([pointer]) => pointers.has(pointer)))
}

const fieldOf = (pointer: string): string => pointer.split('/').findLast((step) => !/^\d+$/.test(step)) ?? ''

const cases: readonly (readonly [what: string, value: string, sealing: readonly string[]])[] = [
  ['two words', 'two words', []],
  ['an id', 'Word_1', [...ids, ...ofIds]],
  ['a signature', seal, seals]
]

for (const dialect of dialects) {
  for (const [what, value, sealing] of cases) {
    test(`${dialect.name}: ${what} is text${sealing.length === 0 ? '' : ' where none belongs'}`, () => {
      let seen = 0
      const property = fc.property(
        fc.constantFrom(...roles),
        fc.constantFrom(...top),
        fieldsOf(value),
        (role, name, part) => {
          for (const [pointer, label] of Object.entries(labelsOf(dialect, value, role, name, part as object))) {
            seen++
            if (!sealing.includes(fieldOf(pointer))) assert.doesNotMatch(label, /^sealed/, pointer)
          }
        }
      )
      fc.assert(property, { numRuns: 400 })
      assert.ok(seen > 400, `${seen} strings were looked at`)
    })
  }
}
