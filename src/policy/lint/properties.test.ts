import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { diffPolicies } from '../diff/diff.ts'
import { lintPolicy } from './lint.ts'
import { createProfileScanner } from '../redaction/profile-scanner.ts'
import { compileProfile } from '../redaction/decide.ts'
import { readRedactionProfile, readToolPolicy, standardPolicy, type PolicyDocuments } from '../revision.ts'
import { compileToolPolicy } from '../tools/decide.ts'

const now = Date.UTC(2026, 10, 22)
const pattern = fc.constantFrom(
  'TICK-[0-9]+',
  '[a-z]+',
  '(',
  'a*',
  '(?=x)',
  'x{1000}{1000}',
  'build-[0-9]{1,5}',
  '.+',
  ''
)
const condition = fc.oneof(
  fc.record({ argument: fc.constantFrom('', '/a', 'a', '/~2', '/a/0'), matches: pattern }),
  fc.record({ argument: fc.constant('/a'), equals: fc.jsonValue({ maxDepth: 1 }) }),
  fc.record({ argument: fc.constant('/a'), pathWithin: fc.string({ maxLength: 5 }) }),
  fc.record({ not: fc.record({ argument: fc.constant('/a'), urlHost: fc.string({ maxLength: 5 }) }) }),
  fc.record({ any: fc.array(fc.record({ argument: fc.constant('/b'), exists: fc.boolean() }), { maxLength: 2 }) })
)
const rule = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c d', 'd'),
    effect: fc.constantFrom('allow', 'ask', 'deny', 'deny', 'drop'),
    tool: fc.oneof(fc.string({ maxLength: 6 }), fc.array(fc.constantFrom('get_*', '*', 'x'), { maxLength: 2 })),
    when: fc.array(condition, { maxLength: 2 }),
    expiresAt: fc.constantFrom('2027-01-01T00:00:00Z', '2025-01-01T00:00:00Z', 'soon'),
    surprise: fc.constant(1)
  },
  { requiredKeys: ['id', 'effect'] }
)
const documents = fc.record({
  mcpToolPolicy: fc.oneof(
    { weight: 5, arbitrary: fc.record({ version: fc.constant(1), rules: fc.array(rule, { maxLength: 3 }) }) },
    fc.jsonValue()
  ),
  redactionProfile: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        version: fc.constant(1),
        custom: fc.array(
          fc.record({
            id: fc.constantFrom('a', 'b', 'jwt'),
            pattern,
            tests: fc.constant({ match: ['TICK-1 build-7'] })
          }),
          { maxLength: 2 }
        ),
        deny: fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
        allow: fc.record({
          patterns: fc.array(pattern, { maxLength: 1 }),
          values: fc.array(fc.string({ minLength: 1 }), { maxLength: 1 })
        })
      })
    },
    fc.jsonValue()
  )
})

test('any input can be linted, and a publishable policy can be compiled and compared', () => {
  let published = 0
  fc.assert(
    fc.property(documents, (draft) => {
      const report = lintPolicy(draft, { now })
      for (const { path, message } of report.findings) {
        assert.match(path, /^\/(?:mcpToolPolicy|redactionProfile)(?:\/|$)/)
        assert.match(message, /^[A-Z].*[.?]$/s)
      }
      assert.equal(
        report.isPublishable,
        report.findings.every(({ severity }) => severity !== 'error')
      )
      if (!report.isPublishable) return
      published++
      compileToolPolicy(readToolPolicy(draft.mcpToolPolicy)).decide({
        server: 'x',
        tool: 'get_a',
        arguments: { a: 'x' },
        now
      })
      const profile = readRedactionProfile(draft.redactionProfile)
      compileProfile(profile, { blockHighRisk: true })
      createProfileScanner(profile, { detectors: builtInDetectors }).scan('TICK-77 for ann@corp.dev')
      assert.deepEqual(diffPolicies(draft as PolicyDocuments, draft as PolicyDocuments), [])
      diffPolicies(standardPolicy, draft as PolicyDocuments)
    }),
    { numRuns: 1000 }
  )
  assert.ok(published > 20, `only ${published} could be published`)
})
