import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import test from 'node:test'
import fc from '../../test/support/property.ts'
import { builtInDetectors } from './detectors/index.ts'
import type { Finding } from './findings.ts'
import { createScanner } from './scanner.ts'

const scanner = createScanner()
const hits = builtInDetectors.flatMap((detector) => [...detector.hits()])
const keyLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Ways of writing a value so that it does not look like itself. */
const disguises: ((text: string) => string)[] = [
  (text) => text,
  (text) => [...text].join('\u200b'),
  (text) => encodeURIComponent(text),
  (text) => Buffer.from(text).toString('base64'),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => text.slice(0, 12) + '" + "' + text.slice(12),
  (text) => text.slice(0, 30) + '\n' + text.slice(30)
]
const piece = fc.oneof(
  fc.tuple(fc.constantFrom(...hits), fc.constantFrom(...disguises)).map(([hit, disguise]) => disguise(hit)),
  fc.string({ unit: fc.constantFrom(...'a1 @.:/-_=+eyJ\n"5%\\&'), maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 20 })
)
const texts = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(' '))

const acted = (findings: readonly Finding[]) =>
  findings.filter((finding) => finding.confidence !== 'weak' && finding.tier !== 'low' && finding.tier !== 'none')

/** The text as the policy masks it: a placeholder in place of each finding. */
function mask(text: string): string {
  let out = ''
  let at = 0
  acted(scanner.scan(text)).forEach((finding, index) => {
    const key = Array.from({ length: 10 }, (_, i) => keyLetters[(finding.start * 7 + index * 5 + i * 11) % 32]).join('')
    out += text.slice(at, finding.start) + scanner.kinds.get(finding.kind)?.label + '_' + key
    at = finding.end
  })
  return out + text.slice(at)
}

test('findings are in range, sorted, disjoint, of known kinds, and contain no part of the text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      let end = 0
      for (const finding of scanner.scan(text, scanner.createMemory())) {
        assert.ok(finding.start >= end && finding.end > finding.start && finding.end <= text.length)
        end = finding.end
        const kind = scanner.kinds.get(finding.kind)
        assert.equal(finding.group, kind?.group)
        assert.deepEqual(Object.keys(finding).toSorted(), ['confidence', 'end', 'group', 'kind', 'start', 'tier'])
        for (const value of Object.values(finding))
          if (typeof value === 'string') assert.ok(value === finding.kind || !hits.includes(value))
      }
    })
  )
})

test('what is masked is not found again, and masking again changes nothing', () => {
  fc.assert(
    fc.property(texts, (text) => {
      let masked = mask(text)
      // A finding may have hidden a smaller one beside it; each turn finds less.
      for (let turn = 0; turn < 3 && mask(masked) !== masked; turn++) masked = mask(masked)
      assert.equal(mask(masked), masked)
      for (const finding of acted(scanner.scan(text))) {
        const value = text.slice(finding.start, finding.end)
        if (value.length > 24 && text.indexOf(value) === text.lastIndexOf(value)) assert.ok(!masked.includes(value))
      }
    })
  )
})

test('findings do not depend on the steps of a scan, in hidden text and with a policy', () => {
  const policed = createScanner({
    custom: [{ id: 'ticket', pattern: 'a1[0-9]*', group: 'pii', tier: 'medium' }],
    deny: ['eyj'],
    known: [{ value: hits[0] as string }]
  })
  fc.assert(
    fc.property(
      fc.array(texts, { maxLength: 30 }).map((parts) => parts.join('\n'.repeat(300))),
      fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 8 }),
      (text, cuts) => {
        const whole = policed.scan(text, policed.createMemory())
        const run = policed.begin(text, policed.createMemory())
        for (let i = 0; !run.step(cuts[i % cuts.length] as number); i++);
        assert.deepEqual(run.findings(), whole)
      }
    ),
    { numRuns: 50 }
  )
})

test('texts far enough apart do not affect each other, in hidden text either', () => {
  const gap = '\n' + '~ '.repeat(3000) + '\n'
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const shift = one.length + gap.length
      assert.deepEqual(scanner.scan(one + gap + other), [
        ...scanner.scan(one),
        ...scanner.scan(other).map((found) => ({ ...found, start: found.start + shift, end: found.end + shift }))
      ])
    })
  )
})
