/** Not scanning what is bare changes no result, whatever a policy, a field or an earlier text makes of it. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { createScanner } from '../../detection/scanner.ts'
import type { ScanHint, Scanner, ScanMemory, ScanRun } from '../../detection/findings.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import { createPlaceholders } from '../../policy/redaction/placeholder.ts'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { redactionProfileSchema } from '../../policy/redaction/profile.ts'
import { redactBody } from './redact-body.ts'
import { createRedactor, type Redactor } from './redact-texts.ts'

const profile = compileProfile(redactionProfileSchema.parse({ version: 1 }), { blockHighRisk: true })
const placeholders = createPlaceholders('keyed', (value) => createHmac('sha256', 'test').update(value).digest())

function redact(body: object, redactor: Redactor, dialect: Dialect = dialects.messages) {
  const bytes = Buffer.from(JSON.stringify(body))
  const work = redactBody(bytes, dialect, redactor, { depthMax: 64, valuesMax: 10_000 })
  for (;;) {
    const step = work.next()
    if (step.done !== true) continue
    const { action, found, entityCounts, passedCounts, reasons } = redactor.tally
    const tally = { action, found, entityCounts, passedCounts, reasons }
    return { text: Buffer.from(step.value.bytes).toString(), tally, kept: redactor.memory.size }
  }
}

/** A scanner that notes what it scans. */
function listening(scanner: Scanner, texts: string[]): Scanner {
  const begin = (text: string, memory?: ScanMemory, hint?: ScanHint): ScanRun => {
    texts.push(text)
    return scanner.begin(text, memory, hint)
  }
  return { ...scanner, begin }
}

const plain = createScanner()
const scanners = [plain, createScanner({ deny: ['assistant', 'object'] })]
const word = fc.constantFrom('object', 'function', 'assistant', 'thinking', 'developer', 'message', 'text', 'tool_use')
const ssn = ['512', '44', '6723'].join('-')
const revealing = `her social security number is ${ssn}`
const stated = ['密码是', '7MWVBo', 'Who'].join('')
const text = fc.oneof({ weight: 2, arbitrary: word }, fc.constantFrom(revealing, ssn, stated))
const field = fc.constantFrom('type', 'text', 'password', 'kind', 'api_key', 'description')
const input = fc.array(fc.tuple(field, text), { maxLength: 4 }).map((members) => Object.fromEntries(members))
const message = fc.oneof(
  text.map((content) => ({ role: 'user', content })),
  input.map((made) => ({ role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: made }] }))
)

test('the result is that of scanning every text', () => {
  let found = 0
  let kept = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...scanners),
      fc.array(message, { minLength: 1, maxLength: 5 }),
      (scanner, messages) => {
        const body = { model: 'm', max_tokens: 10, messages }
        const redactor = createRedactor(scanner, profile, placeholders)
        const all = redact(body, createRedactor({ ...scanner, isBare: () => false }, profile, placeholders))
        assert.deepEqual(redact(body, redactor), all)
        if (all.tally.found > 0) found++
        if (all.kept > 0) kept++
      }
    ),
    { numRuns: 600 }
  )
  assert.ok(found > 100 && kept > 20, `${found} bodies with findings, ${kept} that revealed a value`)
})

/** The texts of a body that are scanned. */
function scannedIn(messages: readonly object[], tools: readonly object[] = []): string[] {
  const texts: string[] = []
  redact({ model: 'm', messages, tools }, createRedactor(listening(plain, texts), profile, placeholders))
  return texts
}

test('a text that is bare is not scanned', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' }, count: { type: 'integer' } } }
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'see src/core/order.ts' }] }]
  const scanned = scannedIn(messages, [{ name: 'read', input_schema: schema }])
  // Detectors to come may have an anchor in one of these, but hardly in most.
  const bare = ['read', 'object', 'string', 'count', 'integer'].filter((text) => !scanned.includes(text))
  assert.ok(bare.length > 2, `${bare.length} are not scanned`)
  assert.ok(scanned.includes('see src/core/order.ts'))
})

/** A call whose arguments are JSON in a string. */
const callOf = (input: object) => ({
  role: 'assistant',
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'run', arguments: JSON.stringify(input) } }]
})

test('a bare string within JSON in a string is not scanned', () => {
  const texts: string[] = []
  const body = { model: 'm', messages: [callOf({ quilt: 'velvet', text: revealing, plume: ['object', ssn] })] }
  const redactor = createRedactor(listening(plain, texts), profile, placeholders)
  const { tally } = redact(body, redactor, dialects['chat-completions'])
  assert.deepEqual(
    texts.filter((text) => ['quilt', 'text', 'plume', 'object'].includes(text)),
    // The value that was revealed may stand in what follows.
    ['plume', 'object']
  )
  assert.equal(tally.found, 2)
})

test('with JSON in strings the result is that of scanning every string', () => {
  let found = 0
  const inputs = fc.array(input, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...scanners), inputs, (scanner, made) => {
      const body = { model: 'm', messages: made.map(callOf) }
      const all = createRedactor({ ...scanner, isBare: () => false }, profile, placeholders)
      const result = redact(body, createRedactor(scanner, profile, placeholders), dialects['chat-completions'])
      assert.deepEqual(result, redact(body, all, dialects['chat-completions']))
      if (scanner === plain && result.tally.found > 0) found++
    }),
    { numRuns: 300 }
  )
  assert.ok(found > 40, `${found} bodies with findings`)
})

test('a bare text is scanned in a field whose name may say more', () => {
  const input = { password: 'object', text: 'object' }
  const scanned = scannedIn([{ role: 'assistant', content: [{ type: 'tool_use', id: 'i', name: 'run', input }] }])
  assert.deepEqual(
    scanned.filter((text) => text === 'object'),
    ['object']
  )
})

test('the ids of calls are bare whatever the name of their field', () => {
  const id = 'call_qz'
  const scanned = scannedIn([
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'run', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] }
  ])
  assert.deepEqual(scanned.includes(id), false)
})

test('a bare text is scanned once a text has revealed a value', () => {
  const scanned = scannedIn([
    { role: 'user', content: [{ type: 'text', text: revealing }] },
    { role: 'assistant', content: [{ type: 'text', text: 'no' }] }
  ])
  assert.deepEqual(scanned, [revealing, 'assistant', 'text'])
})
