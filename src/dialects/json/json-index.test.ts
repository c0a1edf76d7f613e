import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { BodyError } from './body-error.ts'
import { decodeUtf8, finish, indexOf } from './indexing.fixture.ts'
import { escapedFlag, indexJson, nodeKind, nonAsciiFlag, type JsonIndex } from './json-index.ts'

/** Builds the value that an index describes, to compare it with `JSON.parse`. */
function valueAt(index: JsonIndex, node: number): unknown {
  switch (index.kind(node)) {
    case nodeKind.object: {
      const value: Record<string, unknown> = {}
      for (let key = node + 1; key < index.nexts[node]!; key = index.nexts[key + 1]!) {
        const enumerable = { enumerable: true, configurable: true, writable: true }
        Object.defineProperty(value, index.text(key), { value: valueAt(index, key + 1), ...enumerable })
      }
      return value
    }
    case nodeKind.array: {
      const value: unknown[] = []
      for (let item = node + 1; item < index.nexts[node]!; item = index.nexts[item]!) value.push(valueAt(index, item))
      return value
    }
    case nodeKind.string:
      return index.text(node)
    default:
      return JSON.parse(index.raw(node))
  }
}

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/)
const character = fc.oneof(
  fc.constantFrom(
    '\\n',
    '\\"',
    '\\\\',
    '\\/',
    '\\u0041',
    '\\ud83d',
    '\\ude00',
    '\\uD83D\\uDE00',
    '\\u0000',
    '\\b',
    '\\f',
    '\\t',
    '\\r'
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }).map((text) => JSON.stringify(text).slice(1, -1))
)
const token = fc.array(character, { maxLength: 12 }).map((parts) => `"${parts.join('')}"`)
/**
 * V8 confuses object keys that begin alike once it has seen one with a backslash (nodejs/node#63785), so such keys
 * cannot be compared: `JSON.parse` itself reads them wrongly.
 */
const keyToken = token.filter((text) => !(JSON.parse(text) as string).includes('\\'))
const number = fc.constantFrom('0', '-0', '12', '-3.5', '1e9', '2E-7', '9223372036854775807', '0.1e+2', '1.0')

/** JSON text with unusual white space, escapes and repeated keys. */
const { json } = fc.letrec<{ json: string; value: string }>((tie) => ({
  json: fc.tuple(space, tie('value'), space).map((parts) => parts.join('')),
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(token, number, fc.constantFrom('true', 'false', 'null')),
    fc.array(tie('json'), { maxLength: 5 }).map((items) => (items.length === 0 ? '[ ]' : `[${items.join(',')}]`)),
    fc
      .array(fc.tuple(space, keyToken, space, tie('json')), { maxLength: 5 })
      .map((members) => `{${members.map(([a, key, b, value]) => `${a}${key}${b}:${value}`).join(',')}}`)
  )
}))

function verdict(run: () => unknown): unknown {
  try {
    return { value: run() }
  } catch (error) {
    return error instanceof BodyError ? error.code : 'invalid_json'
  }
}

describe('indexJson', () => {
  it('describes the value that JSON.parse returns', () => {
    fc.assert(
      fc.property(json, (text) => {
        const index = indexOf(text)
        assert.deepEqual(valueAt(index, index.root), JSON.parse(text))
      }),
      { numRuns: 500 }
    )
  })

  it('accepts and rejects the same mutated bytes as JSON.parse', () => {
    const mutation = fc.tuple(fc.nat(), fc.constantFrom(...Buffer.from('"\\{}[],:0-.eE+tnu d\n\u0001é')), fc.nat(2))
    let taken = 0
    let refused = 0
    fc.assert(
      fc.property(json, fc.array(mutation, { minLength: 1, maxLength: 3 }), (text, mutations) => {
        const bytes = [...Buffer.from(text)]
        for (const [at, byte, removed] of mutations) bytes.splice(at % (bytes.length + 1), removed, byte)
        const mutated = Buffer.from(bytes)
        if (!isUtf8(mutated) || /\\\\|\\u005c/i.test(mutated.toString())) return
        const expected = verdict(() => JSON.parse(mutated.toString()) as unknown)
        assert.deepEqual(
          verdict(() => valueAt(indexOf(mutated), 0)),
          expected
        )
        if (expected === 'invalid_json') refused++
        else taken++
      }),
      { numRuns: 3000 }
    )
    assert.ok(taken > 50 && refused > 50, `${taken} taken, ${refused} refused`)
  })

  it('agrees with JSON.parse on edge cases', () => {
    const cases = [
      '',
      ' ',
      '\ufeff{}',
      '{}{}',
      '[1,]',
      '{"a":1,}',
      '[01]',
      '[-]',
      '[1.]',
      '[.5]',
      '[1e]',
      '[+1]',
      '"\t"',
      '"\u007f"',
      '"\\x"',
      '"\\u12g4"',
      '"\\u12"',
      '"abc',
      '"\\',
      '[',
      '{"a"',
      '{"a":',
      '{a:1}',
      'tru',
      'nul',
      'truex',
      'NaN',
      "'a'",
      '[1 2]',
      ']',
      '\u00a01',
      '\f1',
      '-0',
      '1e400',
      '"\u2028"',
      '[[]]',
      '{"":{}}',
      '[,1]',
      '{,}',
      '[1}',
      '{"a":1]',
      '/**/1',
      '"\\ud800"',
      '0',
      ' 1 '
    ]
    for (const text of cases) {
      assert.deepEqual(
        verdict(() => valueAt(indexOf(text), 0)),
        verdict(() => JSON.parse(text) as unknown),
        JSON.stringify(text)
      )
    }
  })

  it('finds the first and the last key of a name, whatever the size of the object and however they are written', () => {
    for (const others of [0, 3, 200]) {
      const between = Array.from({ length: others }, (_, i) => `,"k${i}":{"a":0}`).join('')
      const index = indexOf(`{"a":1${between},"\\u0061":2,"a":3${between},"b":4}`)
      for (let times = 0; times < 2; times++) {
        assert.equal(index.raw(index.find(0, 'a')), '1')
        assert.equal(index.raw(index.findLast(0, 'a')), '3')
        assert.equal(index.find(0, 'c'), -1)
        assert.equal(index.findLast(0, 'c'), -1)
      }
    }
  })

  it('rejects every control character inside a string, and no other character', () => {
    for (let code = 0; code < 0x300; code++) {
      const text = JSON.stringify(String.fromCharCode(code))
      const raw = `"${String.fromCharCode(code)}"`
      assert.equal(indexOf(text).text(0), String.fromCharCode(code))
      if (code < 0x20) assert.throws(() => indexOf(raw), { code: 'invalid_json' })
      else if (code !== 0x22 && code !== 0x5c) assert.equal(indexOf(raw).text(0), String.fromCharCode(code))
    }
  })

  it('reads a character the same way whatever its alignment in memory', () => {
    const shown = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter(
      (c) => c !== '"' && c !== '\\'
    )
    for (const character of [...shown, '\x7f', '\u0080', 'é', '漢', '😀', '\\n', '\\"', '\\\\', '\\u00e9']) {
      for (let place = 0; place < 72; place++) {
        const [offset, before, behind] = [place % 4, place % 9, place >> 3]
        const text = `"${'a'.repeat(before)}${character}${'b'.repeat(behind)}"`
        const bytes = Buffer.from('!'.repeat(offset) + text).subarray(offset)
        const index = indexOf(bytes)
        assert.equal(index.text(0), JSON.parse(text))
        assert.equal(index.kinds[0]! & escapedFlag, character.startsWith('\\') ? escapedFlag : 0)
        assert.equal(index.kinds[0]! & nonAsciiFlag, character > '\x7f' ? nonAsciiFlag : 0, `${character} at ${place}`)
      }
    }
    for (let code = 0; code < 32; code++)
      for (let place = 0; place < 9; place++) {
        const text = `"${'a'.repeat(place)}${String.fromCharCode(code)}${'b'.repeat(8)}"`
        assert.throws(() => indexOf(text), new RegExp(`control character .* at byte ${place + 1}\\.`))
      }
  })

  it('gives the same tape wherever the steps are cut', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 7 }), (text, bytesPerStep) => {
        const whole = indexOf(text)
        const cut = indexOf(text, { bytesPerStep })
        assert.equal(cut.count, whole.count)
        for (const tape of ['kinds', 'starts', 'ends', 'parents', 'nexts'] as const) {
          assert.deepEqual(cut[tape].slice(0, cut.count), whole[tape].slice(0, whole.count))
        }
      })
    )
  })

  it('yields inside one long string, number or run of white space, and never in a small body', () => {
    const options = { depthMax: 9, valuesMax: 9, decodeUtf8, bytesPerStep: 1000 }
    for (const text of [
      `"${'a'.repeat(10_000)}"`,
      `"${'\\n'.repeat(5000)}"`,
      '1'.repeat(10_000),
      `${' '.repeat(10_000)}1`
    ]) {
      const { yields } = finish(indexJson(Buffer.from(text), options))
      assert.ok(yields >= 9 && yields <= 11, String(yields))
    }
    assert.equal(finish(indexJson(Buffer.from('{"a":[1,2]}'), options)).yields, 0)
  })

  it('rejects depth and number of values beyond the limits, without overflow', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    assert.throws(() => indexOf(deep), { name: 'BodyError', code: 'too_deep', pointer: '' })
    assert.equal(indexOf(deep, { depthMax: 200_000, valuesMax: 200_000 }).count, 200_000)
    const wide = `[${'1,'.repeat(99)}1]`
    assert.equal(indexOf(wide, { valuesMax: 101 }).count, 101)
    assert.throws(() => indexOf(wide, { valuesMax: 100 }), { code: 'too_many_values' })
  })

  it('names the byte and the expectation at fault, and nothing of the text', () => {
    const body = `{"${['hid', 'den'].join('')}": "é", oops}`
    assert.throws(
      () => indexOf(body),
      (error: BodyError) => {
        assert.equal(error.message, 'The body is not valid JSON: expected a key in double quotes at byte 17.')
        return true
      }
    )
    assert.throws(() => indexOf('[1'), /expected a comma or a closing bracket where the body ends/)
  })
})

describe('JsonIndex', () => {
  it('compares decoded keys', () => {
    const index = indexOf(String.raw`{"contents":1,"\u0063ontent":2,"caf\u00e9":3,"über":4,"":5}`)
    const found = (name: string): string => (index.find(0, name) < 0 ? 'none' : index.raw(index.find(0, name)))
    assert.deepEqual(['content', 'café', 'über', '', 'conten', 'contents'].map(found), [
      '2',
      '3',
      '4',
      '5',
      'none',
      '1'
    ])
    assert.equal(index.find(index.find(0, 'content'), 'x'), -1)
  })

  it('looks a name up in a large object once, however many of its members ask for it', (t) => {
    const member = (_: unknown, i: number): string => `"data":"${i}"`
    const index = indexOf(`{${Array.from({ length: 1000 }, member).join(',')},"type":"text","inner":{"type":1}}`)
    const compared = t.mock.method(index, 'is')
    for (let i = 0; i < 500; i++) {
      assert.equal(index.text(index.find(0, 'type')), 'text')
      assert.equal(index.raw(index.find(index.find(0, 'inner'), 'type')), '1')
      assert.equal(index.find(0, 'mimeType'), -1)
    }
    assert.ok(compared.mock.callCount() < 5 * 1000, `${compared.mock.callCount()} keys compared`)
  })

  it('hides unknown keys in pointers', () => {
    const index = indexOf({ messages: [1, { mine: [true, { role: 0 }] }] })
    const role = index.count - 1
    assert.equal(
      index.pointer(role, (key) => index.is(key, 'messages') || index.is(key, 'role')),
      '/messages/1/*/1/role'
    )
    assert.equal(
      index.pointer(0, () => true),
      ''
    )
  })

  it('decodes long strings in pieces, cut at any byte', () => {
    fc.assert(
      fc.property(token, fc.integer({ min: 1, max: 9 }), (text, bytesPerStep) => {
        const index = indexOf(text)
        const { value, yields } = finish(index.textInSteps(0, bytesPerStep))
        assert.equal(value, JSON.parse(text))
        assert.ok(yields <= text.length * 4)
      }),
      { numRuns: 500 }
    )
    const index = indexOf(JSON.stringify('\\é"'.repeat(1000)))
    assert.ok(finish(index.textInSteps(0, 100)).yields > 20)
  })
})
