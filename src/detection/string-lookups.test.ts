import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hexLetters } from './sample-text.ts'
import { createScanner } from './scanner.ts'
import { createRandom } from '../../test/support/random.ts'

it('does not look the words of a log up in sets, which would keep them in memory', (t) => {
  const random = createRandom(5)
  const lines = Array.from({ length: 500 }, () => {
    const digits = random.text('0123456789', 5)
    const id = random.text(hexLetters, 32)
    return `DEBUG cache hit key=session:${id} size=${digits}\n{"time":17636544${digits},"took_ms":17636545${digits}}`
  })
  const scanner = createScanner()
  const spies = [t.mock.method(Set.prototype, 'has'), t.mock.method(Map.prototype, 'get')]
  scanner.scan(lines.join('\n'))
  const asked = spies.flatMap(({ mock }) => mock.calls.map((call) => call.arguments[0] as unknown))
  t.mock.restoreAll()
  const lookups = asked.filter((key) => typeof key === 'string').length
  assert.ok(lookups < lines.length / 4, `${lookups} in ${lines.length} lines`)
})

it('looks no word up before a number that has the form of an identity number', (t) => {
  const random = createRandom(11)
  const words = Array.from({ length: 40 }, () => `qx${random.text('bcdfgh', 6)}`)
  const scanner = createScanner()
  const text = words.map((word) => `${word} 750-67~-8428\n${word} no. 750-67~-8428\n`.replaceAll('~', '')).join('')
  const spies = [t.mock.method(Set.prototype, 'has'), t.mock.method(Map.prototype, 'get')]
  scanner.scan(text)
  const asked = spies.flatMap(({ mock }) => mock.calls.map((call) => call.arguments[0] as unknown))
  t.mock.restoreAll()
  assert.deepEqual(
    words.filter((word) => asked.includes(word)),
    []
  )
})

it('looks no user up who stands beside a password, whether it is one or not', (t) => {
  const random = createRandom(7)
  const users = Array.from({ length: 40 }, () => `qx${random.text('bcdfgh', 6)}`)
  const text = users.map((user) => `Sign in as ${user}, or use the login ${user} / ${user.slice(2)}.\n`).join('')
  const scanner = createScanner()
  const spies = [t.mock.method(Set.prototype, 'has'), t.mock.method(Map.prototype, 'get')]
  scanner.scan(text)
  const asked = spies.flatMap(({ mock }) => mock.calls.map((call) => call.arguments[0] as unknown))
  t.mock.restoreAll()
  assert.deepEqual(
    users.filter((user) => asked.includes(user)),
    []
  )
})

it('looks no address of a person up', (t) => {
  const random = createRandom(13)
  const people = Array.from({ length: 40 }, () => `qx${random.text('bcdfgh', 6)}`)
  const text = people.map((one) => `From: ${one}@${one.slice(2)}.dev\n`).join('')
  const scanner = createScanner()
  const spies = [t.mock.method(Set.prototype, 'has'), t.mock.method(Map.prototype, 'get')]
  assert.equal(scanner.scan(text).length, people.length)
  const asked = spies.flatMap(({ mock }) => mock.calls.map((call) => String(call.arguments[0])))
  t.mock.restoreAll()
  assert.deepEqual(
    people.filter((one) => asked.some((key) => key.includes(one.slice(2)))),
    []
  )
})
