/** A body with known parts is redacted exactly like one of which nothing is known. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import type { ScanHint, ScanMemory, Scanner } from '../../detection/findings.ts'
import { createScanner } from '../../detection/scanner.ts'
import type { DialectName } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import { createPlaceholders } from '../../policy/redaction/placeholder.ts'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { redactionProfileSchema } from '../../policy/redaction/profile.ts'
import { CleanSections, sortsMax, type CallersSections } from './clean-sections.ts'
import { redactBody } from './redact-body.ts'
import { createRedactor } from './redact-texts.ts'
import { findsMax } from './sealed-finds.ts'

const digest = (value: string): Buffer => createHmac('sha256', 'test').update(value).digest()
const plain = createScanner()
/** The texts that were searched, and not only for what earlier texts revealed. */
const searched: string[] = []
const scanners = {
  plain,
  noting: {
    ...plain,
    begin(content: string, ...rest: [ScanMemory?, ScanHint?]) {
      searched.push(content)
      return plain.begin(content, ...rest)
    }
  },
  ofPolicy: createScanner({
    custom: [
      { id: 'ticket', pattern: 'TCK-[0-9]{4}', group: 'pii', tier: 'medium', label: 'TICKET', title: 'a ticket' }
    ],
    deny: ['halibut'],
    allow: { values: ['ana@acme-corp.dev'] }
  })
}
const profiles = [
  {},
  { preset: 'coding-agents' },
  { mode: 'observe' },
  { actions: { kinds: { username_in_path: 'mask', email_address: 'allow' } } },
  { restore: { enabled: true }, blockHighRisk: false },
  { actions: { kinds: { password_in_prose: 'allow' } }, blockHighRisk: false }
].map((document) => compileProfile(redactionProfileSchema.parse({ version: 1, ...document }), { blockHighRisk: true }))

interface Setting {
  readonly scanner: keyof typeof scanners
  readonly profile: number
  readonly dialect: DialectName
}

function workOf(body: object, { scanner, profile, dialect }: Setting, clean?: CallersSections) {
  const compiled = profiles[profile]!
  const placeholders = createPlaceholders('keyed', digest)
  const redactor = createRedactor(scanners[scanner], compiled, placeholders, { isRestored: compiled.restore.enabled })
  const bounds = { depthMax: 64, valuesMax: 100_000 }
  const bytes = Buffer.from(JSON.stringify(body))
  return { redactor, work: redactBody(bytes, dialects[dialect], redactor, bounds, clean) }
}

/** Every result of redacting a body. */
function redact(body: object, setting: Setting, clean?: CallersSections) {
  const { redactor, work } = workOf(body, setting, clean)
  for (;;) {
    const step = work.next()
    if (step.done !== true) continue
    const { action, riskTier, masked, found, entityCounts, passedCounts, reasons, reasonsLeftOut } = redactor.tally
    const tally = { action, riskTier, masked, found, entityCounts, passedCounts, reasons, reasonsLeftOut }
    return { text: Buffer.from(step.value.bytes).toString(), tally, restorable: redactor.restorable }
  }
}

const knownTo = (all: CleanSections, scanner: Scanner, dialect: DialectName): CallersSections => {
  const clean = all.of(scanner, 'ana', dialect, 10_000)
  assert.ok(clean)
  return clean
}

const email = (name: string): string => `${name}@acme-${'corp'}.dev`
const ssn = ['512', '44', '6723'].join('-')
const password = ['kqzvw', '81xq'].join('-')
const pieces = [
  'the build failed again',
  'cwd is /home/jane/app and /home/jane/other',
  'see src/core/order.ts',
  email('ana'),
  email('bo'),
  `ticket ${ssn} is open`,
  `her social security number is ${ssn}`,
  `the password is ${password}`,
  `logged in by ${password}`,
  `host 10.0.0.${7} and 8.8.4.4`,
  'jane told it',
  ['AK', 'IA', 'QX5ZPL3M7RVT2KWD'].join(''),
  'TCK-1234',
  'a halibut',
  password,
  Buffer.from(`contact ${email('eve')} or ${password} today`).toString('base64'),
  'lines of a tool '.repeat(20),
  JSON.stringify({ output: `line one\nthe password is ${password}\n` }),
  Buffer.from(`the password is ${password}`).toString('base64'),
  `\n     1\t[passwords]\n     2\tops = ${['Qx7', 'mZ2pLw9'].join('#')}\n     3\t${email('cy')}\n`
]
/** Makes a part long enough for its finds to be kept. */
const long = 'That is all there is to know about it. '.repeat(14)
const text = fc
  .tuple(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }), fc.constantFrom('', long))
  .map(([some, end]) => some.join(' and ') + end)
const argument = fc.tuple(fc.constantFrom('path', 'password', 'note'), text).map(([key, value]) => ({ [key]: value }))

const blocks = fc.array(
  fc.oneof(
    text.map((content) => ({ type: 'text', text: content })),
    argument.map((input) => ({ type: 'tool_use', id: 'toolu_1', name: 'run', input })),
    text.map((content) => ({ type: 'tool_result', tool_use_id: 'toolu_1', content })),
    text.map((data) => ({
      type: 'document',
      source: { type: 'base64', media_type: 'text/plain', data: Buffer.from(data).toString('base64') }
    }))
  ),
  { minLength: 1, maxLength: 3 }
)
const role = fc.constantFrom('user', 'assistant', 'system')
const conversational = ['messages', 'chat-completions', 'responses'] as const
const messageOf: Record<(typeof conversational)[number], fc.Arbitrary<object>> = {
  messages: fc.record({ role, content: fc.oneof(text, blocks) }),
  'chat-completions': fc.oneof(
    fc.record({ role, content: text }),
    argument.map((value) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'run', arguments: JSON.stringify(value) } }]
    })),
    text.map((content) => ({ role: 'tool', tool_call_id: 'call_1', content }))
  ),
  responses: fc.oneof(
    fc.record({ type: fc.constant('message'), role, content: text }),
    argument.map((value) => ({ type: 'function_call', call_id: 'c', name: 'run', arguments: JSON.stringify(value) })),
    text.map((output) => ({ type: 'function_call_output', call_id: 'c', output }))
  )
}
/** Enough text for a body to count as a conversation. */
const filler = 'Nothing of anybody stands in these lines, which are many. '.repeat(150)

/** Bodies of one conversation: any of its messages in any order, as clients that edit and branch send them. */
const conversations = fc.constantFrom(...conversational).chain((dialect) =>
  fc
    .tuple(
      fc.array(messageOf[dialect], { minLength: 2, maxLength: 8 }),
      fc.array(fc.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 10 }), text), { minLength: 2, maxLength: 6 })
    )
    .map(([messages, turns]) => ({
      dialect,
      bodies: turns.map(([picks, leading]) => ({
        model: 'm',
        metadata: { user_id: leading },
        ...(dialect === 'responses' ? { instructions: leading } : { system: leading }),
        tools: [{ name: 'run', description: filler, input_schema: { type: 'object' } }],
        [dialect === 'responses' ? 'input' : 'messages']: picks.map((i) => messages[i % messages.length])
      }))
    }))
)
const settings = fc.record({
  scanner: fc.constantFrom('plain' as const, 'ofPolicy' as const),
  profile: fc.nat({ max: profiles.length - 1 })
})

test('whatever is known, bytes, counts, reasons and restorable values are the same', () => {
  let known = 0
  let withFinds = 0
  fc.assert(
    fc.property(conversations, fc.array(settings, { minLength: 6, maxLength: 6 }), ({ dialect, bodies }, turns) => {
      const all = new CleanSections(4096)
      bodies.forEach((body, i) => {
        const setting = { ...turns[i]!, dialect }
        const clean = knownTo(all, scanners[setting.scanner], dialect)
        const actual = redact(body, setting, clean)
        assert.deepEqual(actual, redact(body, setting))
        known += clean.knownBytes
        if (clean.knownBytes > 0 && actual.tally.found > 0) withFinds++
      })
    }),
    { numRuns: 200 }
  )
  assert.ok(known > 1_000_000 && withFinds > 100, `${known} bytes known, ${withFinds} bodies with finds among them`)
})

const chat = { scanner: 'plain', profile: 0, dialect: 'chat-completions' } as const
const user = (content: string) => ({ role: 'user', content })

test('a value that an earlier text of the call reveals is masked in a part that was known to hold nothing', () => {
  const all = new CleanSections(64)
  const plain = user(`logged in by ${password}, and all is well so far; what comes next?`)
  const before = redact({ messages: [user(filler), plain] }, chat, knownTo(all, scanners.plain, chat.dialect))
  assert.ok(before.text.includes(password))
  const clean = knownTo(all, scanners.plain, chat.dialect)
  const told = user(`the password is ${password}`)
  const { text } = redact({ messages: [user(filler), told, plain] }, chat, clean)
  assert.ok(clean.knownBytes > filler.length, 'what does not hold it is known')
  assert.equal(text.includes(password), false)
})

test('a step looks up no more short parts than their digests take time', () => {
  const all = new CleanSections(65_536)
  const messages = Array.from({ length: 10_000 }, (_, i) => user(`Message ${10_000 + i} of a conversation of nothing.`))
  redact({ messages }, chat, knownTo(all, scanners.plain, chat.dialect))
  const clean = knownTo(all, scanners.plain, chat.dialect)
  const work = workOf({ messages }, chat, clean).work
  const bytesEach = JSON.stringify(messages[0]).length
  let before = 0
  for (let step = work.next(); ; step = work.next()) {
    assert.ok(clean.knownBytes - before <= 1024 * bytesEach, `${clean.knownBytes - before} bytes in a step`)
    before = clean.knownBytes
    if (step.done === true) break
  }
  assert.ok(before > 9000 * bytesEach)
})

test('a known part is not searched again, whether something in it is masked or not', () => {
  const all = new CleanSections(64)
  const body = { messages: [user(filler), user(`mail ${email('bo')} about all that is said above. ${long}`)] }
  for (const expected of [2, 0, 0]) {
    const clean = knownTo(all, scanners.noting, chat.dialect)
    const { text, tally } = redact(body, { ...chat, scanner: 'noting' }, clean)
    assert.deepEqual(tally.entityCounts, { email_address: 1 })
    assert.equal(text.includes(email('bo')), false)
    assert.equal(searched.splice(0).length, expected)
  }
})

const paths = [user(filler), user('Please look into /home/jane/app/src and then into /home/jane/lib, it is urgent.')]
const bytesOf = (messages: readonly object[]): number =>
  messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0)

test('findings that the policy lets pass are counted in a known part, until a policy masks them', () => {
  const all = new CleanSections(64)
  for (const expected of [0, 1]) {
    const clean = knownTo(all, scanners.plain, chat.dialect)
    const { tally } = redact({ messages: paths }, chat, clean)
    assert.deepEqual([tally.passedCounts, tally.riskTier], [{ username_in_path: 2 }, 'low'])
    assert.equal(clean.knownBytes, expected * bytesOf(paths))
  }
  const { text, tally } = redact(
    { messages: paths },
    { ...chat, profile: 3 },
    knownTo(all, scanners.plain, chat.dialect)
  )
  assert.deepEqual(tally.entityCounts, { username_in_path: 2 })
  assert.equal(text.includes('jane'), false)
})

test('what one policy acts on is known to another, which lets it pass', () => {
  const all = new CleanSections(64)
  const messages = [user(filler), user(`Please write to ${email('bo')} about all that is said above. ${long}`)]
  redact({ messages }, chat, knownTo(all, scanners.plain, chat.dialect))
  const clean = knownTo(all, scanners.plain, chat.dialect)
  assert.deepEqual(redact({ messages }, { ...chat, profile: 3 }, clean).tally.passedCounts, { email_address: 1 })
  assert.equal(clean.knownBytes, bytesOf(messages))
})

test('a part with more sorts of findings than are counted is known by these', () => {
  const all = new CleanSections(64)
  const kinds = [
    'I am in /home/jane/app',
    'on 8.8.4.4',
    `mail ${email('bo')}`,
    'about TCK-1234',
    `the phone is +49 30 ${['901', '820'].join('')}`
  ]
  const messages = [user(filler), user([...kinds, long].join('\n'))]
  const setting = { scanner: 'ofPolicy', profile: 2, dialect: chat.dialect } as const
  for (const expected of [0, 1]) {
    const clean = knownTo(all, scanners.ofPolicy, chat.dialect)
    const actual = redact({ messages }, setting, clean)
    assert.equal(Object.keys(actual.tally.passedCounts).length, sortsMax + 1)
    assert.deepEqual(actual, redact({ messages }, setting))
    assert.equal(clean.knownBytes, expected * bytesOf(messages))
  }
})

test('a part with more findings than are kept is scanned each time', () => {
  const all = new CleanSections(64)
  const mails = Array.from({ length: findsMax + 1 }, (_, i) => email(`ana${i}`))
  for (const [count, known] of [
    [findsMax, 2],
    [findsMax + 1, 1]
  ] as const) {
    const messages = [user(filler), user(mails.slice(0, count).join('\n'))]
    redact({ messages }, chat, knownTo(all, scanners.plain, chat.dialect))
    const clean = knownTo(all, scanners.plain, chat.dialect)
    assert.deepEqual(redact({ messages }, chat, clean).tally.entityCounts, { email_address: count })
    assert.equal(clean.knownBytes, bytesOf(messages.slice(0, known)))
  }
})

/** A policy that lets passwords of this kind pass. They are recognised again where another text revealed them. */
const observing = { ...chat, profile: 2 }
const told = user(`the password is ${password}\n${'That is all there is to know about it. '.repeat(3)}`)
const holds = user(`I ran it in /home/jane/app as ${password}, and nothing came of it. What is there to do now?`)

test('a part that reveals a value reveals it in each call, even a value that is not found again as written', () => {
  const scattered = ['k1-q2-z3-v4-w5', 'x6-y7-m8-n9-p0', 'r1-s2-t3-u4'].join('-')
  const tells = user(told.content.replace(password, scattered))
  const joined = user(holds.content.replace(password, scattered.replaceAll('-', '')))
  for (const messages of [
    [user(filler), told, holds],
    [user(filler), tells, joined]
  ]) {
    const all = new CleanSections(64)
    for (let turn = 0; turn < 2; turn++) {
      const clean = knownTo(all, scanners.plain, chat.dialect)
      const { tally } = redact({ messages }, observing, clean)
      assert.deepEqual(tally.passedCounts, { password_in_prose: 2, username_in_path: 1 })
    }
  }
})

test('what was found only because an earlier text revealed it is not kept as a finding of the part', () => {
  const all = new CleanSections(64)
  redact({ messages: [user(filler), told, holds] }, observing, knownTo(all, scanners.plain, chat.dialect))
  const clean = knownTo(all, scanners.plain, chat.dialect)
  assert.deepEqual(redact({ messages: [user(filler), holds] }, observing, clean).tally.passedCounts, {
    username_in_path: 1
  })
})
