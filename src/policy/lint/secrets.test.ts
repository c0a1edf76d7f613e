import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lintPolicy } from './lint.ts'

const awsKey = ['AK', 'IA', 'QX5ZPL3M7RVT2KWD'].join('')
const exposed = 'everybody who can read the policy sees it'

/** Secrets that a lint reports, as `severity path`; a message that repeats one would be a leak of its own. */
function secretsIn(tools: object, profile: object = {}): string[] {
  const draft = { mcpToolPolicy: { version: 1, ...tools }, redactionProfile: { version: 1, ...profile } }
  const { findings } = lintPolicy(draft, { now: Date.UTC(2026, 10, 22) })
  assert.ok(!JSON.stringify(findings).includes(awsKey))
  const told = findings.filter(({ code }) => code === 'secret_in_document')
  for (const { message } of told) assert.ok(message.includes(exposed), message)
  return told.map(({ severity, path }) => `${severity} ${path.replace('/mcpToolPolicy', '')}`)
}

test('a server whose address or command line carries a credential is refused', () => {
  const github = 'npx -y @scope/server --token'.split(' ')
  const servers = [
    { id: 'search', url: `https://mcp.corp.example/mcp?key=${awsKey}` },
    { id: 'github', command: [...github, awsKey] },
    { id: 'joined', command: ['server', `--token=${awsKey}`] },
    { id: 'clean', url: 'https://mcp.corp.example/mcp' },
    { id: 'starred', command: [...github, '*'] }
  ]
  assert.deepEqual(secretsIn({ servers }), [
    'error /servers/0/url',
    'error /servers/1/command',
    'error /servers/2/command'
  ])
})

test('a secret in a rule, or in a text that agents read, is reported to the author', () => {
  const when = [
    { argument: '/key', equals: awsKey },
    { argument: '/key', in: ['a', awsKey, 7] },
    { any: [{ not: { argument: '/key', matches: `${awsKey}.*` } }, { argument: '/key', equals: 'a' }] }
  ]
  const rule = { effect: 'deny', tool: 'x' }
  const rules = [
    { ...rule, id: 'a', reason: `Nobody uses ${awsKey}.`, when },
    { ...rule, id: 'b', reason: 'Ask ana@corp.example.', when: [{ argument: '/n', equals: 7 }] }
  ]
  assert.deepEqual(secretsIn({ rules, refusal: { message: `Use ${awsKey}` } }), [
    'warning /refusal/message',
    'warning /rules/0/reason',
    'warning /rules/0/when/0/equals',
    'warning /rules/0/when/1/in/1',
    'warning /rules/0/when/2/any/0/not/matches'
  ])
})

test('a secret allowed by a pattern that matches nothing else is refused, and one in a custom kind is a warning', () => {
  const allow = { values: [awsKey], patterns: ['build-[0-9]+', awsKey, `(?:${awsKey})`] }
  assert.deepEqual(secretsIn({}, { allow }), [
    'error /redactionProfile/allow/values/0',
    'error /redactionProfile/allow/patterns/1',
    'error /redactionProfile/allow/patterns/2'
  ])
  const kind = { id: 'own_key', title: 'own key', pattern: 'key-[0-9]{3}', tests: { match: ['key-123'], noMatch: [] } }
  assert.deepEqual(secretsIn({}, { custom: [kind] }), [])
  const custom = [
    { ...kind, title: awsKey, pattern: `${awsKey}|key-[0-9]{3}`, tests: { match: [awsKey], noMatch: [] } }
  ]
  assert.deepEqual(secretsIn({}, { custom }), [
    'warning /redactionProfile/custom/0/title',
    'warning /redactionProfile/custom/0/pattern',
    'warning /redactionProfile/custom/0/tests/match/0'
  ])
})
