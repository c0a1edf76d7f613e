import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import fc from '../../test/support/property.ts'
import { builtInDetectors } from './detectors/index.ts'
import type { Detector } from './detector.ts'
import { filler } from './sample-text.ts'
import { createScanner } from './scanner.ts'

const scanner = createScanner()
const samples = builtInDetectors.flatMap((detector) => [...detector.hits(), ...detector.misses()])
const separator = '\n' + '~ '.repeat(200) + '\n'
const piece = fc.oneof(
  fc.constantFrom(...samples),
  fc.string({ unit: fc.constantFrom(...'a1 @.:/-_=+eyJ\n"5'), maxLength: 30 })
)
const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(' '))

test('findings are sorted, in range, of known kinds, and never overlap', () => {
  fc.assert(
    fc.property(texts, (text) => {
      let end = 0
      for (const finding of scanner.scan(text)) {
        assert.ok(finding.start >= end && finding.end > finding.start && finding.end <= text.length)
        assert.ok(scanner.kinds.has(finding.kind))
        end = finding.end
      }
    })
  )
})

test('findings do not depend on the steps of a scan, with and without a memory', () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      (text, cuts, remembers) => {
        const whole = scanner.scan(text, remembers ? scanner.createMemory() : undefined)
        const run = scanner.begin(text, remembers ? scanner.createMemory() : undefined)
        for (let i = 0; !run.step(cuts[i % cuts.length] as number); i++);
        assert.deepEqual(run.findings(), whole)
      }
    )
  )
})

test('two runs whose steps alternate do not affect each other', () => {
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: 1, max: 9 }), (one, other, units) => {
      const runs = [scanner.begin(one), scanner.begin(other)] as const
      let done = false
      while (!done) done = runs.map((run) => run.step(units)).every(Boolean)
      assert.deepEqual(
        runs.map((run) => run.findings()),
        [scanner.scan(one), scanner.scan(other)]
      )
    })
  )
})

test('a text behind another one is scanned as if it were alone', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const shift = one.length + separator.length
      const expected = [
        ...scanner.scan(one),
        ...scanner
          .scan(other)
          .map((finding) => ({ ...finding, start: finding.start + shift, end: finding.end + shift }))
      ]
      assert.deepEqual(scanner.scan(one + separator + other), expected)
    })
  )
})

test('our own placeholders are never found, wherever they are', () => {
  const keys = ['7Q2MKX4TAB', 'AKIAAKIAAK', 'ABCDEFGHIJ', '2345672345', 'QQQQQQQQQQ']
  for (const { label } of builtInDetectors) {
    for (const key of keys) {
      const placeholder = `${label}_${key}`
      const places = [
        placeholder,
        `aws_secret_access_key = "${placeholder}"`,
        `ssn: ${placeholder}`,
        `<${placeholder}>`,
        `postgres://app:${placeholder}@db.acme.dev/x`,
        `mail ${placeholder}@acme.dev`,
        `Bearer ${placeholder}`,
        `card ${placeholder} iban ${placeholder}`,
        `phone ${placeholder}`,
        `${placeholder}://x`,
        `LAUNCHDARKLY_ACCESS_TOKEN=${placeholder}`,
        `Authorization: Bearer ${placeholder}=`
      ]
      for (const text of places) assert.deepEqual(scanner.scan(text), [], text)
    }
  }
})

test('nothing is found behind a placeholder that was not found behind the value', () => {
  const placeholder = ['SERVICE_KEY', 'YFSHEZ4G6H'].join('_')
  const texts = [
    `token                ${placeholder}\ntoken_accessor       ${filler(22)}42\ntoken_duration       768h`,
    `WAKATIME_API_KEY=waka_${placeholder}`
  ]
  for (const text of texts) assert.deepEqual(scanner.scan(text), [], text)
})

test('the key of a vendor ends where its alphabet does, or it is not one', () => {
  const letters = 'abcdefghjkmnpqrstuvwxyz0123456789'
  const value = `${filler(44, letters)}=${filler(20, letters)}=${filler(14, letters)}`
  const text = `krakenToken="${value}"`
  const found = scanner.scan(text).map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(found, [value])
})

test('text that only resembles a key is not found', () => {
  const digest = filler(86, 'ABCDEFabcdef0123456789+/') + '=='
  const innocent = [
    'sk_bulk_insert(rows)',
    'hf_hub_download("x")',
    '.sk-loading-spinner',
    '3f2b8c1e-9d4a-4b6f-8e2d-1a5c7f9b0d3e',
    filler(40, '0123456789abcdef'),
    'sha512-' + digest,
    'github.com/a/b v1.2.3 h1:' + filler(43) + '=',
    'data:image/png;base64,iVBORw0KGgo' + filler(400),
    '"ts": 1763654400000',
    '"id": "1187654321098765432"',
    'std::map<int, std::vector<int>>',
    'npm install lodash@4.17.21',
    'git clone git@github.com:acme/x.git',
    'index 3f2b8c1..9d4a4b6 100644'
  ]
  for (const text of innocent)
    assert.deepEqual(
      scanner.scan(text).filter((finding) => finding.confidence !== 'weak'),
      [],
      text
    )
})

test('a made-up value is masked and does not block; a correct checksum makes it certain', () => {
  const [made] = scanner.scan('gsk_' + 'EXAMPLE' + filler(45))
  assert.deepEqual([made?.kind, made?.tier, made?.confidence], ['groq_key', 'high', 'medium'])
  const [real] = scanner.scan(builtInDetectors.find((one) => one.id === 'workspace_token_svw')?.hits()[0] as string)
  assert.equal(real?.confidence, 'certain')
})

test('the longest finding wins, weak ones yield', () => {
  const stub = (id: string, literal: string, confidence: 'weak' | 'strong', tier: 'low' | 'high'): Detector => ({
    id,
    label: id.toUpperCase(),
    title: id,
    group: 'secret',
    tier,
    anchors: [{ literal }],
    source: 'made up here',
    match: (_text, at) => ({ start: at, end: at + literal.length, confidence }),
    hits: () => [],
    misses: () => []
  })
  const found = (...detectors: Detector[]) =>
    createScanner(detectors)
      .scan('abcdefgh')
      .map((finding) => finding.kind)
  assert.deepEqual(found(stub('short', 'abc', 'strong', 'high'), stub('long', 'bcdef', 'strong', 'low')), ['long'])
  assert.deepEqual(found(stub('risky', 'abc', 'strong', 'high'), stub('mild', 'bcd', 'strong', 'low')), ['risky'])
  assert.deepEqual(found(stub('sure', 'abc', 'strong', 'low'), stub('weak', 'abcdefg', 'weak', 'high')), ['sure'])
  assert.deepEqual(
    found(stub('a', 'ab', 'strong', 'low'), stub('b', 'bcd', 'strong', 'low'), stub('c', 'def', 'strong', 'low')),
    ['b']
  )
})

test('nothing is found in a text shorter than lengthMin', () => {
  for (const sample of samples)
    for (let at = 0; at < sample.length; at++)
      assert.deepEqual(scanner.scan(sample.slice(at, at + scanner.lengthMin - 1)), [])
})

test('two detectors with one id, and an anchor that cannot be searched for, are refused', () => {
  const [detector] = builtInDetectors as [Detector]
  assert.throws(() => createScanner([detector, detector]), RangeError)
  assert.throws(() => createScanner([{ ...detector, anchors: [{ number: [40] }] }]), RangeError)
})

test('no regular expression is on the match path', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name)
  )
  assert.ok(files.length > 20)
  for (const name of files) {
    const code = withoutCommentsAndStrings(readFileSync(join(import.meta.dirname, name), 'utf8'))
    assert.doesNotMatch(code, /RegExp|matchAll|\.search\(/, name)
    assert.doesNotMatch(code, /(^|[=(,:[!&|?{};]|return|=>)\s*\/[^/*]/m, name)
  }
})

function withoutCommentsAndStrings(source: string): string {
  return source.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    (part) => (part.startsWith('/') ? '' : "''")
  )
}

test("part of a UUID is not personal data, and two letters within a hash are not a vendor's prefix", () => {
  const uuid = ['e7b93793', '6e9e', '3cc1', '98b2', '987157420cc2'].join('-')
  const hash = 'c006f' + 'b9c281efde1640fa4e91173a84ff35060'
  for (const text of [
    `cc requestId=${uuid} peer=10.7.212.7`,
    `ssn ${uuid}`,
    `the token of the key (#2206)\n${hash} 2026`
  ]) {
    const found = createScanner()
      .scan(text)
      .filter(({ confidence, tier }) => confidence !== 'weak' && tier !== 'low')
    assert.deepEqual(found, [], text)
  }
})

test('a name beyond ASCII is found in steps that are shorter than it', () => {
  const text = 'mon numéro est le 06 12 34 56 78'
  const whole = createScanner().scan(text)
  assert.equal(whole.length, 1)
  for (const units of [1, 2, 3, 5, 8]) {
    const run = createScanner().begin(text)
    while (!run.step(units));
    assert.deepEqual(run.findings(), whole, `${units} units`)
  }
})
