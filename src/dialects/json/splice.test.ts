import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { decodeUtf8, finish, indexOf } from './indexing.fixture.ts'
import { nodeKind } from './json-index.ts'
import { jsonContent, spliceBody, type TextEdit } from './splice.ts'

function spliced(body: unknown, edits: readonly TextEdit[], bytesPerStep?: number): string {
  const bytes = finish(spliceBody(indexOf(body), edits, bytesPerStep)).value
  return decodeUtf8(bytes, 0, bytes.length)
}

/** JSON string content whose characters may be written raw or escaped. */
const content = fc
  .array(
    fc
      .tuple(
        fc.constantFrom(
          'a',
          'é',
          '漢',
          '😀',
          '\u{10ffff}',
          '\u{10000}',
          '\ud7ff',
          '\ue000',
          '"',
          '\\',
          '\n',
          '\ud83d',
          '\ude00',
          '/',
          'u'
        ),
        fc.boolean()
      )
      .map(([text, escape]) => {
        const lone = text.length === 1 && text >= '\ud800' && text <= '\udfff'
        if (!escape && !lone) return JSON.stringify(text).slice(1, -1)
        return [...Array(text.length).keys()]
          .map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`)
          .join('')
      }),
    { maxLength: 14 }
  )
  .map((parts) => parts.join(''))

/** Rising offsets, paired into ranges. */
function rangesIn(text: string, offsets: readonly number[]): [number, number][] {
  const sorted = offsets.map((offset) => offset % (text.length + 1)).sort((a, b) => a - b)
  const ranges: [number, number][] = []
  for (let i = 0; i + 1 < sorted.length; i += 2) ranges.push([sorted[i]!, sorted[i + 1]!])
  return ranges
}

function splitsPair(text: string, offset: number): boolean {
  return (
    offset > 0 && offset < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 1, offset + 1))
  )
}

/** What the edits mean for the decoded text: half of a surrogate pair takes the other half with it. */
function replacedIn(text: string, ranges: readonly [number, number][], replacement: string): string {
  let out = ''
  let from = 0
  for (const [start, end] of ranges) {
    const wideStart = Math.max(from, splitsPair(text, start) ? start - 1 : start)
    out += text.slice(from, wideStart) + replacement
    from = splitsPair(text, end) ? end + 1 : Math.max(end, wideStart)
  }
  return out + text.slice(from)
}

describe('spliceBody', () => {
  it('replaces ranges like in the decoded text, and nothing else', () => {
    const replacement = fc.constantFrom('EMAIL_7Q2MKX4TAB', '"\\', '', 'ü\ud800\n')
    const body = fc.tuple(
      content,
      content,
      fc.array(fc.nat(), { maxLength: 6 }),
      replacement,
      fc.integer({ min: 1, max: 9 })
    )
    fc.assert(
      fc.property(body, ([raw, other, offsets, put, bytesPerStep]) => {
        const before = `{ "n": 9223372036854775807 ,"k":"${other}", "t" : "`
        const after = `","a":[1.0,-0,1E2 ],"\\u0061":null}\n`
        const text = JSON.parse(`"${raw}"`) as string
        const index = indexOf(before + raw + after)
        const node = index.find(0, 't')
        const ranges = rangesIn(text, offsets)
        const edits = ranges.map(([start, end]) => ({ node, start, end, replacement: put })).reverse()
        const bytes = finish(spliceBody(index, edits, bytesPerStep)).value
        const result = decodeUtf8(bytes, 0, bytes.length)
        assert.ok(result.startsWith(before) && result.endsWith(after))
        const inner = JSON.parse(`"${result.slice(before.length, result.length - after.length)}"`) as string
        assert.equal(inner, replacedIn(text, ranges, put))
      }),
      { numRuns: 3000 }
    )
  })

  it('edits several strings and keys at once, in any order', () => {
    const body = '{"b":"one two","a":{"two":["two"]}}'
    const index = indexOf(body)
    const strings = Array.from({ length: index.count }, (_, node) => node).filter((node) =>
      [nodeKind.string, nodeKind.key].some((kind) => kind === index.kind(node))
    )
    const twos = strings.filter((node) => index.text(node).endsWith('two')).reverse()
    const edits = twos.map((node) => ({
      node,
      start: index.text(node).length - 3,
      end: index.text(node).length,
      replacement: 'X'
    }))
    assert.equal(spliced(body, edits), '{"b":"one X","a":{"X":["X"]}}')
  })

  it('replaces a whole text', () => {
    assert.equal(spliced('[ "a\\n" , 1e3 ]', [{ node: 1, whole: 'q"é' }]), '[ "q\\"\\u00e9" , 1e3 ]')
    assert.equal(spliced('[""]', [{ node: 1, whole: 'x' }]), '["x"]')
  })

  it('returns the original bytes if there is nothing to do', () => {
    const index = indexOf('{"a":1.0}')
    assert.equal(finish(spliceBody(index, [])).value, index.bytes)
  })

  it('yields in long texts', () => {
    const text = 'é'.repeat(50_000)
    const index = indexOf(JSON.stringify(text))
    const edit = { node: 0, start: 49_000, end: 49_001, replacement: 'x' }
    const { value, yields } = finish(spliceBody(index, [edit], 10_000))
    assert.ok(yields >= 9)
    assert.equal(JSON.parse(decodeUtf8(value, 0, value.length)), `${text.slice(0, 49_000)}x${text.slice(0, 999)}`)
  })

  it('yields among many edits close together', () => {
    const line = 'abcdefghi\n'
    const edits = Array.from({ length: 10_000 }, (_, i): TextEdit => ({
      node: 0,
      start: i * line.length,
      end: i * line.length + 1,
      replacement: 'x'
    }))
    const { value, yields } = finish(spliceBody(indexOf(JSON.stringify(line.repeat(10_000))), edits, 10_000))
    // Each edit counts, each byte up to it, and each byte copied.
    assert.ok(yields >= 250, `${yields} pauses`)
    assert.equal(JSON.parse(decodeUtf8(value, 0, value.length)), line.replace('a', 'x').repeat(10_000))
  })

  it('yields while it copies', () => {
    const index = indexOf(JSON.stringify(['y'.repeat(100_000), 'abc', 'y'.repeat(100_000)]))
    const { value, yields } = finish(spliceBody(index, [{ node: 2, start: 0, end: 3, replacement: 'x' }], 10_000))
    assert.ok(yields >= 4, `${yields} pauses`)
    assert.deepEqual(JSON.parse(decodeUtf8(value, 0, value.length)), ['y'.repeat(100_000), 'x', 'y'.repeat(100_000)])
  })

  it('rejects edits that overlap, exceed their text or refer to no string', () => {
    const put = (start: number, end: number): TextEdit => ({ node: 1, start, end, replacement: '' })
    assert.throws(() => spliced('["abcd"]', [put(0, 2), put(1, 3)]), RangeError)
    assert.throws(() => spliced('["abcd"]', [put(3, 2)]), RangeError)
    assert.throws(() => spliced('["abcd"]', [put(3, 5)]), RangeError)
    assert.throws(() => spliced('["abcé"]', [put(3, 5)]), RangeError)
    assert.throws(() => spliced('["abcd"]', [{ node: 1, whole: '' }, put(0, 1)]), RangeError)
    assert.throws(() => spliced('["abcd"]', [{ node: 0, whole: '' }]), TypeError)
  })
})

describe('jsonContent', () => {
  it('is ASCII that parses back to the text', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff)), (units) => {
        const text = String.fromCharCode(...units)
        assert.match(jsonContent(text), /^[\x20-\x7f]*$/)
        assert.equal(JSON.parse(`"${jsonContent(text)}"`), text)
      })
    )
  })
})

it('escapes a long text in steps, and divides no character in two', () => {
  for (const sign of ['é', '😀', '"', 'a', '\ud83d']) {
    for (const shift of ['', 'b']) {
      const whole = shift + sign.repeat(200_000 / sign.length)
      const { value, yields } = finish(spliceBody(indexOf('"x"'), [{ node: 0, whole }], 65_536))
      assert.ok(decodeUtf8(value, 0, value.length) === `"${jsonContent(whole)}"`)
      const units = sign < '\u0080' ? 1 : 16
      assert.ok(yields >= (units * whole.length) / 2 / 65_536, `${sign}: ${yields} pauses`)
    }
  }
})
