import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import fc from '../../test/support/property.ts'
import { allowedSamples, AllowListError } from './custom/allow-list.ts'
import { CustomPatternError, type CustomPattern } from './custom/patterns.ts'
import type { Detector } from './detector.ts'
import { builtInDetectors } from './detectors/index.ts'
import type { Finding } from './findings.ts'
import { filler } from './sample-text.ts'
import { createScanner, samplesOf } from './scanner.ts'

const places = (findings: readonly Finding[]) => findings.map(({ kind, start, end }) => [kind, start, end])
const ticket: CustomPattern = {
  id: 'ticket',
  pattern: String.raw`\bTICK-[0-9]{4,6}\b`,
  group: 'secret',
  tier: 'medium',
  tests: { match: ['see TICK-1234'], noMatch: ['TICK-1', 'STICK-12345'] }
}
const build: CustomPattern = { id: 'build', pattern: '[A-Z]{2}[0-9]{4}x', group: 'pii', tier: 'medium' }

test('a list of detectors is accepted in place of options', () => {
  assert.equal(createScanner([]).scan('nothing to find').length, 0)
  assert.deepEqual([...createScanner({ detectors: [] }).kinds], [])
})

test('a custom pattern is found, with and without a literal in it, in plain and in hidden writing', () => {
  const scanner = createScanner({ custom: [ticket, build] })
  const text = 'TICK-1234 and TICK-99 and AB1234x and TI\u200bCK-77777.'
  assert.deepEqual(places(scanner.scan(text)), [
    ['ticket', 0, 9],
    ['build', 26, 33],
    ['ticket', 38, 49]
  ])
  assert.equal(scanner.kinds.get('ticket')?.label, 'TICKET')
  assert.deepEqual(places(createScanner().scan(text)), [])
})

test('folded, alternative and nested literals trigger a pattern', () => {
  const of = (pattern: string) => createScanner({ custom: [{ ...build, pattern }] })
  assert.deepEqual(places(of('(?i)acme-[0-9]+').scan('x ACME-12 y')), [['build', 2, 9]])
  assert.deepEqual(places(of('(acme|corp)-([0-9]+)').scan('x corp-12 y acme-1')), [
    ['build', 2, 9],
    ['build', 12, 18]
  ])
})

test('matches are found at every place of a long text, however it is divided', () => {
  const scanner = createScanner({ custom: [ticket, build] })
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 600, max: 9000 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 100, max: 20_000 }),
      (gaps, units) => {
        let text = ''
        const expected: unknown[] = []
        for (const gap of gaps) {
          text += 'lorem ipsum '.repeat(Math.ceil(gap / 12))
          expected.push(['ticket', text.length, text.length + 9], ['build', text.length + 10, text.length + 17])
          text += 'TICK-4321 XY9876x '
        }
        const run = scanner.begin(text)
        while (!run.step(units));
        assert.deepEqual(places(run.findings()), expected)
        assert.deepEqual(places(scanner.scan(text)), expected)
      }
    ),
    { numRuns: 30 }
  )
})

test('the error for a refused pattern names the pattern and the rule', () => {
  const refused = (custom: Partial<CustomPattern>, rule: RegExp) =>
    assert.throws(
      () => createScanner({ custom: [{ ...ticket, ...custom }] }),
      (error: CustomPatternError) => {
        assert.ok(error instanceof CustomPatternError)
        assert.match(error.message, rule)
        return error.patternId === (custom.id ?? 'ticket')
      }
    )
  refused({ pattern: '(?=a)b' }, /"ticket".*Perl syntax.*\(\?=/)
  refused({ pattern: String.raw`(a)\1` }, /escape sequence/)
  refused({ pattern: 'a{5000}' }, /repeat count/)
  refused({ pattern: '(' }, /missing closing/)
  refused({ pattern: '' }, /empty/)
  refused({ pattern: 'a*' }, /matches the empty text/)
  refused({ tests: { match: ['nothing'] } }, /tests\.match\[0\] does not match/)
  refused({ tests: { noMatch: ['ok', 'TICK-1234'] } }, /tests\.noMatch\[1\] matches/)
  refused({ id: 'Ticket' }, /its id/)
  refused({ label: 'x' }, /its label/)
  refused({ id: 'email_address' }, /exists already/)
})

test('denied words are found whole, in any case and any script', () => {
  const scanner = createScanner({ deny: ['Bluebird', 'Project Ürsa', 'Ромашка', '青い鳥', 'bluebird '] })
  const text =
    'BLUEBIRD bluebirds xbluebird blue_bird project ürsa PROJECT ÜRSA, РОМАШКА ромашками 青い鳥は blue\u200bbird'
  assert.deepEqual(
    scanner.scan(text).map(({ kind, tier, start, end }) => [kind, tier, text.slice(start, end)]),
    [
      ['deny_word', 'medium', 'BLUEBIRD'],
      ['deny_word', 'medium', 'project ürsa'],
      ['deny_word', 'medium', 'PROJECT ÜRSA'],
      ['deny_word', 'medium', 'РОМАШКА'],
      ['deny_word', 'medium', '青い鳥'],
      ['deny_word', 'medium', 'blue\u200bbird']
    ]
  )
  assert.throws(() => createScanner({ deny: ['x'] }), /deny\[0\]/)
})

test('a known value is found in every encoding', () => {
  const value = 'pa"ss/' + filler(18) + '+é='
  const scanner = createScanner({ known: [{ value }, { value: 'short' }] })
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
    encodeURIComponent(value),
    encodeURIComponent(value).replaceAll('%2F', '%2f').replaceAll('%2B', '%2b').replaceAll('%3D', '%3d'),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url')
  ]
  for (const form of forms) {
    const [finding] = scanner.scan(`see (${form}) short`)
    assert.deepEqual([finding?.kind, finding?.tier, finding?.confidence], ['known_credential', 'high', 'certain'], form)
    assert.ok((finding?.start as number) <= 6 && (finding?.end as number) >= form.length, form)
  }
  for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(before + value + ' and more').toString(encoding)
      const [finding] = scanner.scan(text)
      assert.equal(finding?.kind, 'known_credential')
      const masked = text.slice(0, finding?.start) + '_'.repeat(4) + text.slice(finding?.end)
      assert.deepEqual(scanner.scan(masked), [])
    }
  }
})

test('a known value may have a kind of its own', () => {
  const value = filler(20)
  const scanner = createScanner({ known: [{ kind: 'upstream_key', value }] })
  assert.deepEqual(places(scanner.scan(`key ${value}!`)), [['upstream_key', 4, 24]])
  assert.equal(scanner.kinds.get('upstream_key')?.label, 'UPSTREAM_KEY')
  assert.throws(() => createScanner({ known: [{ kind: 'No', value }] }), RangeError)
})

test('allowed values, hashes, e-mail domains and patterns are not masked', () => {
  const hash = (value: string) => createHmac('sha256', 'k').update(value).digest('hex')
  const text = 'ann@acme.dev bob@mail.acme.dev cat@notacme.dev dan@x.org eve@y.org fay+ci@z.org'
  const scanner = createScanner({
    allow: {
      values: ['dan@x.org'],
      hmacs: [hash('eve@y.org')],
      hash,
      emailDomains: ['ACME.dev'],
      patterns: [String.raw`[a-z]+\+ci@z\.org`]
    }
  })
  assert.deepEqual(
    scanner.scan(text).map(({ start, end }) => text.slice(start, end)),
    ['cat@notacme.dev']
  )
  assert.equal(createScanner().scan(text).length, 6)
})

test('an allow pattern that accepts a high-risk sample is refused, and a lint can show which one', () => {
  const refused = (patterns: string[], path: string) =>
    assert.throws(
      () => createScanner({ allow: { patterns } }),
      (error: AllowListError) => error instanceof AllowListError && error.path === path
    )
  refused(['[a-z]+', '.+'], '/patterns/1')
  refused(['('], '/patterns/0')
  refused(['AKIA[A-Z0-9]+'], '/patterns/0')
  assert.throws(() => createScanner({ allow: { hmacs: ['00'] } }), /\/hmacs/)
  assert.ok(allowedSamples('AKIA[A-Z0-9]+', samplesOf()).some(({ kind }) => kind === 'aws_access_key_id'))
  assert.deepEqual(allowedSamples('[a-z]{3}', samplesOf()), [])
})

test('a policy change does not recompile the built-in detectors', () => {
  let reads = 0
  const counted = builtInDetectors.map((detector) => ({
    ...detector,
    get anchors() {
      reads++
      return detector.anchors
    }
  }))
  createScanner({ detectors: counted })
  const first = reads
  createScanner({ detectors: counted, custom: [ticket], deny: ['bluebird'] })
  assert.ok(reads - first <= counted.length, 'only the shortest find is asked for')
})

test('a run of base64 letters triggers behind the characters that an anchor requires, and with a digit if it requires one', () => {
  const [base] = builtInDetectors as readonly [Detector]
  const detector: Detector = {
    ...base,
    id: 'run',
    anchors: [{ token: [24], before: '\0 "', digitWithin: 8 }],
    match: (_, at) => ({ start: at, end: at + 24, confidence: 'strong' })
  }
  const runs = createScanner([detector])
  const early = `kqzv7${'kqzvm'.repeat(4).slice(1)}`
  const late = `${'kqzvmwpt'.repeat(2)}7kqzvmwp`
  const found = [early, ` ${early}`, `"${early}"`, `é${early}`, `=${early}`, `.${early}`, late, ` ${late}`].map(
    (text) => runs.scan(text).length
  )
  assert.deepEqual(found, [1, 1, 1, 1, 0, 0, 0, 0])
})
