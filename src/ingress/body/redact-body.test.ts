import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { leftByMinorCollections } from '../../../test/support/collections.ts'
import fc from '../../../test/support/property.ts'
import { countReads } from '../../detection/count-reads.fixture.ts'
import { createScanner } from '../../detection/scanner.ts'
import { dialects } from '../../dialects/index.ts'
import type { DialectName } from '../../dialects/dialect.ts'
import { createPlaceholders } from '../../policy/redaction/placeholder.ts'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { redactionProfileSchema, standardProfile } from '../../policy/redaction/profile.ts'
import { redactBody } from './redact-body.ts'
import { createRedactor } from './redact-texts.ts'

const scanner = createScanner()
const digest = (value: string): Buffer => createHmac('sha256', 'test').update(value).digest()

function redact(
  body: unknown,
  dialect: DialectName = 'chat-completions',
  blockHighRisk = false,
  document = standardProfile
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const profile = compileProfile(document, { blockHighRisk })
  const redactor = createRedactor(scanner, profile, createPlaceholders('keyed', digest))
  const work = redactBody(Buffer.from(text), dialects[dialect], redactor, { depthMax: 256, valuesMax: 2_000_000 })
  let pauses = 0
  for (;;) {
    const step = work.next()
    if (step.done)
      return { text: Buffer.from(step.value.bytes).toString(), tally: redactor.tally, pauses, ...step.value }
    pauses++
  }
}

const email = (name: string): string => `${name}@acme-${'corp'}.dev`
const ssn = ['512', '44', '6723'].join('-')

test('masks user text and leaves every other byte unchanged', () => {
  const before = `{ "model":"m",  "messages" : [{"content":"mail ${email('ana')}, \\u00e9","role":"user"}], "n":9223372036854775807}`
  const { text, tally } = redact(before)
  const placeholder = /EMAIL_[A-Z2-7]{10}/.exec(text)?.[0] ?? ''
  assert.equal(text.replace(placeholder, email('ana')), before)
  assert.equal(tally.action, 'mask')
  assert.deepEqual(tally.entityCounts, { email_address: 1 })
})

test('the same value gets the same placeholder everywhere', () => {
  const { text } = redact({
    messages: ['system', 'user', 'tool'].map((role) => ({ role, content: `x ${email('bo')}` }))
  })
  assert.equal(new Set(text.match(/EMAIL_[A-Z2-7]{10}/g)).size, 1)
  assert.equal(text.includes(email('bo')), false)
})

test('a value found by its context is masked in every later place, and in no earlier one', () => {
  const { text } = redact({
    messages: [
      { role: 'user', content: `ticket ${ssn} is open` },
      { role: 'user', content: `her social security number is ${ssn}` },
      { role: 'user', content: `again: ${ssn}` }
    ]
  })
  const contents = (JSON.parse(text) as { messages: { content: string }[] }).messages.map(({ content }) => content)
  assert.match(contents[1] ?? '', /US_SSN_[A-Z2-7]{10}$/)
  assert.match(contents[2] ?? '', /^again: US_SSN_[A-Z2-7]{10}$/)
})

test('a field name reveals a password, which is then masked in every later place', () => {
  const password = ['kqzvw', '81xq'].join('-')
  const { text } = redact(
    {
      model: 'm',
      max_tokens: 16,
      messages: [
        { role: 'user', content: `open ${password}` },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'login', input: { password } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: `logged in by ${password}` }] }
      ]
    },
    'messages'
  )
  assert.match(text, new RegExp(`open ${password}`))
  assert.match(text, /logged in by SECRET_[A-Z2-7]{10}"/)
})

test('a high-risk value blocks, named by kind and place, and nothing is spliced', () => {
  const key = ['AK', 'IA', 'QX5ZPL3M7RVT2KWD'].join('')
  const body = {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'tool', tool_call_id: 'c1', content: `key ${key}` }
    ]
  }
  const { tally, text } = redact(body, 'chat-completions', true)
  assert.equal(tally.action, 'block')
  assert.deepEqual(tally.reasons, [{ kind: 'aws_access_key_id', place: 'messages[1] tool result' }])
  assert.equal(text, JSON.stringify(body))
  assert.equal(JSON.stringify(tally.reasons).includes(key), false)
})

test('a base64 document is masked inside its encoding', () => {
  const data = Buffer.from(`contact ${email('eve')}\n`).toString('base64')
  const source = { type: 'base64', media_type: 'text/plain', data }
  const { text } = redact({ messages: [{ role: 'user', content: [{ type: 'document', source }] }] }, 'messages')
  const masked = (JSON.parse(text) as { messages: { content: { source: { data: string } }[] }[] }).messages[0]
    ?.content[0]?.source.data
  assert.match(Buffer.from(masked ?? '', 'base64').toString(), /^contact EMAIL_[A-Z2-7]{10}\n$/)
})

test('masking already masked text changes nothing', () => {
  const once = redact(
    { system: email('sys'), messages: [{ role: 'user', content: `${email('ana')} ${ssn} ssn ${ssn}` }] },
    'messages'
  ).text
  assert.equal(redact(once, 'messages').text, once)
})

test('a later message never changes the bytes of an earlier one', () => {
  const piece = fc.constantFrom(
    email('a'),
    email('b'),
    ssn,
    `ssn: ${ssn}`,
    'words',
    '\u00e9\ud83d\ude00',
    '"q"\\',
    '+14155550132',
    'call 415-555-0132'
  )
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
    content: fc.array(piece, { maxLength: 4 }).map((p) => p.join(' '))
  })
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), message, piece, (history, added, system) => {
      const body = (messages: unknown[]) => ({
        system,
        tools: [{ name: 't', description: system }],
        messages,
        metadata: { note: system }
      })
      const prefix = (messages: unknown[]): string => {
        const { text } = redact(body(messages), 'messages')
        const parsed = JSON.parse(text) as { messages: unknown[]; system: unknown; tools: unknown }
        return JSON.stringify([parsed.system, parsed.tools, parsed.messages.slice(0, history.length)])
      }
      assert.equal(prefix([...history, added]), prefix(history))
    }),
    { numRuns: 200 }
  )
})

test('a large body yields to the event loop, a small one does not need to', () => {
  const words = 'the quick brown fox jumps over the lazy dog '.repeat(40_000)
  const { pauses, text } = redact({ messages: [{ role: 'user', content: `${words}${email('z')}` }] })
  assert.ok(pauses >= 10, `${pauses} pauses for ${words.length} characters`)
  assert.match(text, /EMAIL_[A-Z2-7]{10}"/)
  assert.equal(redact({ messages: [{ role: 'user', content: `hello ${email('z')}` }] }).pauses, 0)
})

test('a step masks a bounded number of values, and scans a bounded amount of text in which much is found', () => {
  let digests = 0
  const counted = createPlaceholders('keyed', (value) => (digests++, digest(value)))
  const mails = (count: number): string => Array.from({ length: count }, (_, i) => email(`u${i}`)).join(' ')
  for (const texts of [Array.from({ length: 400 }, () => mails(20)), [mails(3000), mails(3000)]]) {
    const redactor = createRedactor(scanner, compileProfile(standardProfile, { blockHighRisk: false }), counted)
    const body = Buffer.from(JSON.stringify({ messages: texts.map((content) => ({ role: 'user', content })) }))
    const work = redactBody(body, dialects['chat-completions'], redactor, { depthMax: 256, valuesMax: 2_000_000 })
    const reads: number[] = []
    const masked: number[] = []
    for (const ended: boolean[] = []; ended.at(-1) !== true; masked.push(digests)) {
      digests = 0
      reads.push(countReads(() => ended.push(work.next().done === true)))
    }
    assert.ok(Math.max(...masked) <= 300, `${Math.max(...masked)} values masked in one step`)
    assert.ok(Math.max(...reads) <= 500_000, `${Math.max(...reads)} reads in one step`)
    assert.ok(redactor.tally.masked >= 6000)
  }
})

test('encoded texts share pauses if they are short, and get their own if they are many or long', () => {
  const calls = (count: number, words: string) => ({
    messages: Array.from({ length: count }, (_, n) => ({
      role: 'assistant',
      tool_calls: [
        {
          id: `call_${n}`,
          type: 'function',
          function: { name: 'write', arguments: JSON.stringify({ to: email('z'), words }) }
        }
      ]
    }))
  })
  const few = redact(calls(10, 'hello'))
  assert.equal(few.pauses, 0)
  const { entityCounts, passedCounts } = few.tally
  assert.deepEqual(Object.values({ ...entityCounts, ...passedCounts }), [10])
  assert.ok(redact(calls(4000, 'hello')).pauses >= 10)
  assert.ok(redact(calls(1, 'hello '.repeat(2000))).pauses >= 1)
})

test('with the preset for coding agents, a high-risk value blocks where a person just wrote it and is masked elsewhere', () => {
  const key = ['AK', 'IA', 'QX5ZPL3M7RVT2KWD'].join('')
  const agents = redactionProfileSchema.parse({ version: 1, preset: 'coding-agents' })
  const said = (role: string, content: unknown = `key ${key}`) => ({ role, content })
  const result = said('user', [{ type: 'tool_result', tool_use_id: 't1', content: `key ${key}` }])
  const call = said('assistant', [{ type: 'tool_use', id: 't1', name: 'read', input: {} }])
  const table: [messages: unknown[], action: string][] = [
    [[said('user')], 'block'],
    [[said('user'), said('assistant', 'no'), said('user', 'hi')], 'mask'],
    [[said('user'), said('user', 'hi')], 'mask'],
    [[said('user', 'hi'), call, result], 'mask'],
    [[said('user'), call, result], 'mask'],
    [
      [said('user', 'hi'), call, said('user', [...(result.content as unknown[]), { type: 'text', text: key }])],
      'block'
    ],
    [[said('system'), said('user', 'hi')], 'mask'],
    [[said('assistant'), said('user', 'hi')], 'mask']
  ]
  for (const [messages, action] of table) {
    const { tally, text } = redact({ model: 'm', messages }, 'messages', true, agents)
    assert.equal(tally.action, action, JSON.stringify(messages))
    if (action === 'mask') assert.ok(!text.includes(key))
  }
})

test('no part of a body stays in memory until a full garbage collection', async () => {
  const encoded = Buffer.from(`mail ${email('li')}`).toString('base64')
  const source = { type: 'base64', media_type: 'text/plain', data: encoded }
  const content = [
    { type: 'text', text: `mail ${email('al')}` },
    { type: 'document', source },
    { type: 'tool_use', id: 't1', name: 'send', input: { to: email('bo') } }
  ]
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
  const profile = compileProfile(standardProfile, { blockHighRisk: false })
  const left = await leftByMinorCollections(() => {
    const bytes = Buffer.from(body)
    const redactor = createRedactor(scanner, profile, createPlaceholders('keyed', digest), { isRestored: true })
    const work = redactBody(bytes, dialects.messages, redactor, { depthMax: 256, valuesMax: 1000 })
    let step = work.next()
    while (!step.done) step = work.next()
    assert.equal(redactor.tally.masked, 3)
    return [bytes, redactor, step.value, step.value.bytes]
  })
  assert.equal(left, 0)
})
