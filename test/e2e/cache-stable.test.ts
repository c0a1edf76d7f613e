/**
 * A release gate: the masked form of a conversation only grows. The masked form of a turn is, byte for byte, a prefix
 * of that of the next turn, so the vendor's prompt cache stays warm; and a response that was restored for the client
 * and comes back as history leaks nothing.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from '../support/property.ts'
import { builtInDetectors } from '../../src/detection/detectors/index.ts'
import { withoutLoneNumbers } from '../../src/detection/numbers/lone-numbers.ts'
import { createScanner } from '../../src/detection/scanner.ts'
import type { DialectName } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/index.ts'
import { redactBody } from '../../src/ingress/body/redact-body.ts'
import { createRedactor, type Redactor } from '../../src/ingress/body/redact-texts.ts'
import { compileRestore, createRestorePlan } from '../../src/ingress/restore/plan.ts'
import { restoredValue, wayOf } from '../../src/ingress/restore/text.ts'
import { UrlTrail } from '../../src/policy/restore/url-trail.ts'
import { createPlaceholders } from '../../src/policy/redaction/placeholder.ts'
import { compileProfile } from '../../src/policy/redaction/decide.ts'
import { redactionProfileSchema } from '../../src/policy/redaction/profile.ts'
import { placeholdersIn } from '../support/placeholder.ts'

const detectors = withoutLoneNumbers(builtInDetectors)
const scanner = createScanner({ detectors })
const digest = (value: string): Buffer => createHmac('sha256', 'test').update(value).digest()
const profiles = {
  standard: { version: 1, blockHighRisk: false },
  'coding-agents': { version: 1, preset: 'coding-agents', blockHighRisk: false }
} as const
type ProfileName = keyof typeof profiles

interface Masked {
  readonly text: string
  readonly redactor: Redactor
}

/** Masks a body as a call does, without anything cached from earlier calls. */
function mask(body: string, dialect: DialectName, profileName: ProfileName): Masked {
  const document = redactionProfileSchema.parse(profiles[profileName])
  const profile = compileProfile(document, { blockHighRisk: false })
  const redactor = createRedactor(scanner, profile, createPlaceholders('keyed', digest), {
    isRestored: profile.restore.enabled,
    keepsHigh: true
  })
  const work = redactBody(Buffer.from(body), dialects[dialect], redactor, { depthMax: 64, valuesMax: 100_000 })
  for (;;) {
    const step = work.next()
    if (step.done === true) return { text: Buffer.from(step.value.bytes).toString(), redactor }
  }
}

const restoreRules = compileRestore(
  compileProfile(redactionProfileSchema.parse(profiles['coding-agents']), { blockHighRisk: false }),
  scanner
)

interface Restored {
  readonly text: string
  /** Restored values. */
  readonly values: readonly string[]
}

/** What the client reads when the model wrote `answer`, as text or as the arguments of a tool. */
function restore(answer: string, { restorable }: Redactor, tool?: string): Restored {
  const plan = createRestorePlan(restoreRules, restorable)
  if (plan === undefined) return { text: answer, values: [] }
  let text = ''
  let from = 0
  const values: string[] = []
  const trail = new UrlTrail('plain')
  let followed = 0
  // In the text that an edit replaces, every value that may be restored anywhere is restored.
  const asEdit = tool === undefined ? {} : { tool, member: { name: 'old_string', object: 0 } }
  const way = wayOf({ node: 0, form: 'plain', ...asEdit }, plan)
  for (const match of way.table.matches(answer)) {
    trail.advance(answer, followed, match.start)
    followed = match.start
    const value = restoredValue(answer, match, trail, way, { restored: 0, left: 0 })
    if (value === undefined) continue
    text += answer.slice(from, match.start) + value
    from = match.end
    values.push(value)
  }
  return { text: text + answer.slice(from), values }
}

/** One value of each kind, and a text in which it is found. */
const samples = detectors.flatMap((detector) =>
  detector
    .hits()
    .slice(0, 2)
    .flatMap((sentence) => {
      const found = scanner.scan(sentence).find(({ kind }) => kind === detector.id)
      return found === undefined || sentence.length > 400
        ? []
        : [{ sentence, value: sentence.slice(found.start, found.end) }]
    })
)

/** Plain words, which are masked at one place only (decision 144) and pass everywhere else. */
const maskedOnce: ReadonlySet<string> = new Set(
  samples.flatMap(({ sentence, value }) => {
    const memory = scanner.createMemory()
    scanner.scan(sentence, memory)
    return scanner.scan(value, memory).length === 0 ? [value] : []
  })
)

/**
 * Content from people, files and tools: values with the context that identifies them, and the same values without it.
 */
const fragment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...samples).map(({ sentence }) => sentence) },
  { weight: 3, arbitrary: fc.constantFrom(...samples).map(({ value }) => value) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('password', 'her SSN is', 'call', 'id', 'é', '\u{1f511}', '"', '\\', '\n', '{')
  }
)
const glue = fc.constantFrom(' ', ' ', '\n', ', ', '', '"', ': ', '/', '_', '-', '.', 'x')
const prose = fc
  .array(fc.tuple(fragment, glue), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map((part) => part.join('')).join(''))

/** How the model words its response around the placeholders that it was sent. */
const answerForm = fc.record({
  picks: fc.array(fc.tuple(fc.nat(9), glue), { maxLength: 3 }),
  lead: fc.constantFrom('I wrote to ', 'x', '', '"', '`', '(', '= ', 'https://a.example/?q=', 'postgres://shop:', 'v1.')
})

interface Turn {
  readonly user: string
  readonly tool: string
  readonly answer: { readonly picks: readonly (readonly [number, string])[]; readonly lead: string }
}
const turns = fc.array(fc.record({ user: prose, tool: prose, answer: answerForm }), { minLength: 2, maxLength: 4 })

/** How a dialect writes a conversation: the beginning of the body, and the items of a turn. The items come last. */
interface Conversation {
  readonly head: (system: string) => string
  readonly asks: (text: string) => object[]
  readonly answered: (text: string, tool: string, args: string, result: string) => object[]
}

const openBody = (fields: object, list: string): string => `${JSON.stringify(fields).slice(0, -1)},"${list}":[`

const conversations: Record<'chat-completions' | 'messages' | 'responses', Conversation> = {
  'chat-completions': {
    head: (system) =>
      `${openBody({ model: 'm', stream: true }, 'messages')}${JSON.stringify({ role: 'system', content: system })},`,
    asks: (content) => [{ role: 'user', content }],
    answered: (content, name, args, result) => [
      {
        role: 'assistant',
        content,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: args } }]
      },
      { role: 'tool', tool_call_id: 'call_1', content: result }
    ]
  },
  messages: {
    head: (system) => openBody({ model: 'm', max_tokens: 9, system: [{ type: 'text', text: system }] }, 'messages'),
    asks: (text) => [{ role: 'user', content: [{ type: 'text', text }] }],
    answered: (text, name, args, content) => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text },
          { type: 'tool_use', id: 'toolu_1', name, input: JSON.parse(args) as object }
        ]
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] }
    ]
  },
  responses: {
    head: (system) => openBody({ model: 'm', instructions: system }, 'input'),
    asks: (text) => [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
    answered: (text, name, args, output) => [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] },
      { type: 'function_call', call_id: 'call_1', name, arguments: args },
      { type: 'function_call_output', call_id: 'call_1', output }
    ]
  }
}

const listed = (items: readonly object[]): string => items.map((item) => JSON.stringify(item)).join(',')

/** What the model writes: its own text around placeholders that it was sent. */
function answerOf({ picks, lead }: Turn['answer'], sent: string): string {
  const known = placeholdersIn(sent)
  return lead + picks.map(([pick, after]) => (known[pick % known.length] ?? 'nothing') + after).join('')
}

for (const [dialect, { head, asks, answered }] of Object.entries(conversations)) {
  for (const profile of Object.keys(profiles) as ProfileName[]) {
    test(`${dialect}, ${profile}: a masked conversation only grows, and what was restored is masked again`, () => {
      fc.assert(
        fc.property(prose, turns, (system, all) => {
          let history: object[] = []
          let before = ''
          for (const { user, tool, answer } of all) {
            history = [...history, ...asks(user)]
            const open = head(system) + listed(history)
            const sent = mask(`${open}]}`, dialect as DialectName, profile)
            assert.ok(sent.text.startsWith(before), 'an earlier turn is masked in another way')
            before = sent.text.slice(0, -2)

            const spoken = answerOf(answer, sent.text)
            const told = restore(spoken, sent.redactor)
            const filed = restore(spoken, sent.redactor, 'edit')
            const args = JSON.stringify({ path: 'a.txt', old_string: filed.text })
            history = [...history, ...answered(told.text, 'edit', args, tool)]
            const again = mask(`${head(system) + listed(history)}]}`, dialect as DialectName, profile).text
            assert.ok(again.startsWith(before), 'the answer changed what stands before it')
            const came = again.slice(before.length)
            const plainTool = JSON.stringify(tool)
            for (const value of [...told.values, ...filed.values]) {
              if (maskedOnce.has(value)) continue
              const written = JSON.stringify(value).slice(1, -1)
              if (!plainTool.includes(written)) assert.ok(!came.includes(written), 'a restored value went up')
            }
            before = again.slice(0, -2)
          }
        }),
        { numRuns: 150 }
      )
    })
  }
}

/** How a dialect writes a call that contains only the new turn. */
const threads: Record<'messages' | 'responses', (items: readonly object[]) => string> = {
  messages: (messages) => JSON.stringify({ model: 'm', thread: { previous_message_id: 'msg_1' }, messages }),
  responses: (input) => JSON.stringify({ model: 'm', previous_response_id: 'resp_1', input })
}

for (const [dialect, write] of Object.entries(threads) as ['messages' | 'responses', (typeof threads)['messages']][]) {
  test(`${dialect}: in a thread that sends only the new turn a value keeps its placeholder, and placeholders stay`, () => {
    const { asks } = conversations[dialect]
    fc.assert(
      fc.property(fc.constantFrom(...samples), prose, ({ sentence }, other) => {
        const first = mask(write(asks(sentence)), dialect, 'coding-agents').text
        const known = placeholdersIn(first).join(' ')
        // The model repeats what it was sent, and the client, which may not know the value, sends it again.
        const later = [...asks(sentence), ...asks(known), ...asks(other)]
        const second = mask(write(later), dialect, 'coding-agents').text
        const open = first.slice(0, first.lastIndexOf(']}'))
        assert.ok(second.startsWith(open), 'a later turn masks the same text in another way')
        const repeated = `,${listed(asks(known))},`
        assert.ok(second.slice(open.length).startsWith(repeated), 'a placeholder was masked again')
      }),
      { numRuns: 300 }
    )
  })
}
