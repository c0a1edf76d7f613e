import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { createProfileScanner } from './profile-scanner.ts'
import { redactionProfileSchema } from './profile.ts'

const hash = (value: string): string => createHmac('sha256', 'k').update(value).digest('hex')
const scannerOf = (profile: object, detectors = builtInDetectors) =>
  createProfileScanner(redactionProfileSchema.parse({ version: 1, ...profile }), { detectors, hash })
const found = (profile: object, text: string): string[] =>
  scannerOf(profile)
    .scan(text)
    .map(({ kind }) => kind)

const text = 'ann@corp.dev asked bob@mail.corp.dev about TICK-1234 and Bluebird.'

test('profiles that add nothing share one scanner', () => {
  assert.equal(
    scannerOf({}),
    scannerOf({ preset: 'coding-agents', mode: 'observe', actions: { kinds: { jwt: 'mask' } } })
  )
  assert.notEqual(scannerOf({ deny: ['bluebird'] }), scannerOf({}))
})

test("a profile's own patterns are found, and its allowed values are not", () => {
  const custom = [{ id: 'ticket', title: 'ticket number', pattern: 'TICK-[0-9]+', tests: { match: ['TICK-1'] } }]
  assert.deepEqual(found({}, text), ['email_address', 'email_address'])
  assert.deepEqual(found({ custom, deny: ['bluebird'] }, text), [
    'email_address',
    'email_address',
    'ticket',
    'deny_word'
  ])
  assert.equal(scannerOf({ custom }).kinds.get('ticket')?.title, 'ticket number')
  assert.deepEqual(found({ allow: { emailDomains: ['corp.dev'] } }, text), [])
  assert.deepEqual(found({ allow: { values: ['ann@corp.dev'], hmacs: [hash('bob@mail.corp.dev')] } }, text), [])
  assert.deepEqual(found({ allow: { patterns: ['[a-z]+@corp.dev'] } }, text), ['email_address'])
})

test("without the workspace's key, no hash lets anything pass", () => {
  const profile = redactionProfileSchema.parse({ version: 1, allow: { hmacs: [hash('ann@corp.dev')] } })
  const scanner = createProfileScanner(profile, { detectors: builtInDetectors })
  assert.equal(scanner.scan(text).length, 2)
})

test('a published profile keeps working with newer built-in kinds, which take precedence over its patterns', () => {
  const custom = [{ id: 'email_address', pattern: 'never-[0-9]+', tests: { match: ['never-1'] } }]
  assert.deepEqual(found({ custom, allow: { patterns: ['.+'] } }, text), ['email_address', 'email_address'])
})
