import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { base64Head, readBase64, type Base64Reading, type Base64Spelling } from './base64.ts'
import { finish, indexOf } from '../json/indexing.fixture.ts'

/** @param content what is between the quotes */
function reading(content: string, isUri = false): Base64Reading & { readonly head: string; readonly yields: number } {
  const index = indexOf(`"${content}"`)
  const { value, yields } = finish(readBase64(index, 0, { from: 1, isUri }))
  const head = value.firstLetter < 0 ? '' : base64Head(index, 0, { isUri }, value.firstLetter, 24)
  return { ...value, yields, head: Buffer.from(head).toString('latin1') }
}

const line = 'QUJD'.repeat(19)

const spellings: readonly (readonly [content: string, spelling: Base64Spelling, head: string])[] = [
  ['YWJj', 'dense', 'abc'],
  ['YWI=', 'dense', 'ab'],
  ['YQ==', 'dense', 'a'],
  ['YQ', 'dense', 'a'],
  ['YQ=', 'dense', 'a'],
  ['-_-_', 'dense', '\xfb\xff\xbf'],
  ['+/+/', 'dense', '\xfb\xff\xbf'],
  [String.raw`+\/\u002b\u002F`, 'dense', '\xfb\xff\xbf'],
  [String.raw`\u0059\u0057\u004a\u006A`, 'dense', 'abc'],
  [String.raw`YQ\u003d\u003D`, 'dense', 'a'],
  [String.raw`YWJj\n`, 'dense', 'abc'],
  [String.raw`YQ==\n`, 'dense', 'a'],
  [String.raw`Y\r\nW\u000aJj\r\n`, 'dense', 'abc'],
  [String.raw`${line}\n${line}\nYQ==\n`, 'dense', 'ABC'.repeat(8)],
  [String.raw`\nYWJj`, 'dense', 'abc'],
  [' YWJj\\t', 'grouped', 'abc'],
  [' YWJ ', 'grouped', 'ab'],
  ['YWJj YWJj', 'grouped', 'abcabc'],
  [String.raw`YWJj\tYWJj\u0020YWI=`, 'grouped', 'abcabcab'],
  [String.raw`YW \n  Jj`, 'grouped', 'abc'],
  ['YQ== YQ==', 'grouped', 'aa'],
  ['YQ==YWI=YWJj', 'grouped', 'aababc'],
  ['YWJj====', 'grouped', 'abc'],
  // Groups of four are counted from the last padding on, and include escaped characters.
  ['YWI=YWJj', 'grouped', 'ababc'],
  ['YWI=YWJj YWJj', 'grouped', 'ababcabc'],
  ['YQ==YWJj YWJj', 'grouped', 'aabcabc'],
  [String.raw`YW\u004aj YWJj`, 'grouped', 'abcabc'],
  ['my words', 'loose', '\x9b\x2c\x28\xad\xdb'],
  ['Y WJj', 'loose', 'abc'],
  ['YQ==YW Jj', 'loose', 'aabc'],
  ['', 'none', ''],
  ['=', 'none', ''],
  [String.raw` \n\t`, 'none', ''],
  ['=YWJj', 'none', ''],
  ['my words.', 'none', ''],
  ['YWJj%3D', 'none', ''],
  ['YWJjé', 'none', ''],
  [String.raw`YWJj\u00e9`, 'none', ''],
  [String.raw`YWJj\u0159`, 'none', ''],
  [String.raw`YW\"Jj`, 'none', ''],
  [String.raw`YW\\Jj`, 'none', ''],
  [String.raw`YW\bJj`, 'none', ''],
  [String.raw`YW\fJj`, 'none', '']
]

const inUris: readonly (readonly [content: string, spelling: Base64Spelling, head: string])[] = [
  ['YQ%3D%3d', 'grouped', 'a'],
  ['%2B%2f-_', 'grouped', '\xfb\xff\xbf'],
  [String.raw`%59%\u0035\u0037\u004aj`, 'grouped', 'abc'],
  ['YWJj%0D%0a', 'grouped', 'abc'],
  ['YWJj%20YWJj', 'grouped', 'abcabc'],
  ['YWJj', 'dense', 'abc'],
  [String.raw`YWI=\n`, 'dense', 'ab'],
  ['YWJj%', 'none', ''],
  ['YWJj%3', 'none', ''],
  ['YWJj%3G', 'none', ''],
  // Their second characters are next to the hexadecimal digits in ASCII; mistaken for one, each would give a base64
  // character.
  ['YWJj%6G', 'none', ''],
  ['YWJj%6g', 'none', ''],
  ['YWJj%6:', 'none', ''],
  ['YWJj%6@', 'none', ''],
  ['YWJj%6`', 'none', ''],
  ['YWJj%21', 'none', '']
]

describe('readBase64', () => {
  for (const [rows, isUri] of [
    [spellings, false],
    [inUris, true]
  ] as const) {
    for (const [content, spelling, head] of rows) {
      it(`${isUri ? 'in a URI: ' : ''}${content.slice(0, 60)} is ${spelling}`, () => {
        const read = reading(content, isUri)
        assert.equal(read.spelling, spelling)
        if (spelling !== 'none') assert.equal(read.head, head)
      })
    }
  }

  it('accepts the characters of base64 and base64url, and no others', () => {
    const taken = Array.from({ length: 64 }, (_, value) => Buffer.of(value << 2).toString('base64')[0]).join('')
    for (let code = 0x21; code < 0x180; code++) {
      const character = String.fromCharCode(code)
      // Those that a string holds only behind a backslash are among the spellings; padding is not a character.
      if ('"\\='.includes(character)) continue
      const isLetter = `${taken}-_`.includes(character)
      assert.equal(reading(`YWJj${character.repeat(4)}`).spelling, isLetter ? 'dense' : 'none', character)
    }
  })

  it('gives the position of the first character, or -1', () => {
    assert.equal(reading('').firstLetter, -1)
    assert.equal(reading(String.raw` \n`).firstLetter, -1)
    assert.equal(reading('  YWJj').firstLetter, 3)
    assert.equal(reading(String.raw`\n\u0059WJj`).firstLetter, 3)
  })

  it('accepts every spelling of any bytes, and decodes their head', () => {
    const dressing = fc.constantFrom('', '', '', '\\n', '\\r\\n', ' ', '\\t', '\\u000A')
    const letter = fc.boolean()
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.gen(), (bytes, gen) => {
        const name = gen(fc.constantFrom<('base64' | 'base64url')[]>, 'base64', 'base64url')
        const content = [...Buffer.from(bytes).toString(name)].map((character) => {
          const escaped = gen(() => letter) ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character
          return escaped + gen(() => dressing)
        })
        const read = reading(content.join(''))
        assert.notEqual(read.spelling, 'none')
        assert.equal(read.head, Buffer.from(bytes.subarray(0, 24)).toString('latin1'))
      }),
      { numRuns: 500 }
    )
  })

  it('yields inside a long string of any spelling, with the same result', () => {
    const count = 400_000
    for (const group of ['QUJD', 'QUJD\\n', 'QUJD ', '\\u0051UJD', 'YQ==']) {
      const read = reading(group.repeat(count))
      assert.notEqual(read.spelling, 'none')
      const steps = (group.length * count) / (256 * 1024)
      assert.ok(read.yields >= Math.floor(steps) - 1 && read.yields <= steps + 1, `${read.yields} of ${steps}`)
    }
    assert.equal(reading(`${'QUJD'.repeat(count)}.`).spelling, 'none')
    assert.equal(reading('QUJD'.repeat(1000)).yields, 0)
  })

  it('reads no more than its limit for a head', () => {
    assert.equal(reading(`Y${' '.repeat(5000)}WJj`).head, '')
    assert.equal(reading(`${' '.repeat(5000)}YWJj`).head, 'abc')
  })
})
