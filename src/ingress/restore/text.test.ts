import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { finish } from '../../dialects/json/indexing.fixture.ts'
import { RestorableValues, RestoreTable } from '../../policy/restore/restore.ts'
import { UrlTrail } from '../../policy/restore/url-trail.ts'
import { editsInSteps, restoredValue, type RestoreWay } from './text.ts'

const known = ['EMAIL_ABCDEFGHIJ', 'NAME_OF_PERSON_QRSTUVWXYZ', 'NAME_ABCDEFGHIJ'] as const
const unknown = 'EMAIL_ZZZZZZZZZZ'
const values = new RestorableValues()
for (const placeholder of known) values.add(placeholder.slice(0, -11), placeholder, `<${placeholder.toLowerCase()}>`)
const way: RestoreWay = { table: new RestoreTable(values, (label) => label === 'EMAIL'), form: 'plain' }

/** What is restored in a text that is searched and followed in one go. */
function inOneGo(text: string) {
  const counts = { restored: 0, left: 0 }
  const trail = new UrlTrail('plain')
  let followed = 0
  const edits = way.table.matches(text).flatMap((match) => {
    trail.advance(text, followed, match.start)
    followed = match.start
    const replacement = restoredValue(text, match, trail, way, counts)
    return replacement === undefined ? [] : [{ node: 1, start: match.start, end: match.end, replacement }]
  })
  return { edits, counts }
}

test('a long text is restored in steps like in one go, wherever a step ends', () => {
  const pieces = [...known, unknown, ' ', '_', '_ABCDEFGHIJ', 'EMAIL_', 'http://a.example/', ', ', '&#', '\\', 'x']
  const part = fc.tuple(fc.nat(60), fc.array(fc.constantFrom(...pieces), { maxLength: 30 }))
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(' ', 'a', '_', '&'),
      (parts, filler) => {
        const text = parts.map(([less, some]) => filler.repeat(16_384 - less) + some.join('')).join('')
        const counts = { restored: 0, left: 0 }
        assert.deepEqual({ edits: finish(editsInSteps(1, text, way, counts)).value, counts }, inOneGo(text))
      }
    )
  )
})

test('a value of any tier returns into a connection string only where an edit had it', () => {
  const text = `DATABASE_URL=postgres://shop:${known[0]}@db.corp.dev/shop`
  const editing = (isAllowed: boolean) => ({ advance: () => {}, allows: () => isAllowed, isWatching: false })
  for (const [edit, restored] of [
    [undefined, 0],
    [editing(false), 0],
    [editing(true), 1]
  ] as const) {
    const counts = { restored: 0, left: 0 }
    assert.equal(finish(editsInSteps(1, text, { ...way, edit }, counts)).value.length, restored)
    assert.deepEqual(counts, { restored, left: 1 - restored })
  }
})

test('a long text pauses, whether it holds many placeholders or one behind much else', () => {
  const counts = { restored: 0, left: 0 }
  for (const text of [`${known[0]} `.repeat(20_000), `${'&#'.repeat(150_000)} ${known[0]}`]) {
    const { value, yields } = finish(editsInSteps(1, text, way, counts))
    assert.ok(value.length > 0)
    assert.ok(yields >= text.length / 16_384 - 1, String(yields))
  }
  assert.equal(finish(editsInSteps(1, known[0], way, counts)).yields, 0)
})
