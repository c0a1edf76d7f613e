/** What may pass unread, to the character: any other text in such a field may be personal. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { finish, indexOf } from '../json/indexing.fixture.ts'
import { isId, isMediaType, isSeal, isWord } from './sealed-values.ts'

const sealed = (text: string): boolean => finish(isSeal(indexOf(JSON.stringify(text)), 0)).value
const rawSealed = (content: string): boolean => finish(isSeal(indexOf(`"${content}"`), 0)).value

describe('values that are left alone', () => {
  for (const [name, isOne, pattern, lengthMax] of [
    ['an id', isId, /^[A-Za-z0-9_.:-]$/, 256],
    ['a word', isWord, /^[a-z0-9_.-]$/, 64],
    ['a media type', isMediaType, /^[A-Za-z0-9_.+/-]$/, 128]
  ] as const) {
    const judged = (text: string): boolean => isOne(indexOf(JSON.stringify(text)), 0)

    it(`${name} has these characters and no others, at every position`, () => {
      for (let code = 0; code < 0x180; code++) {
        const character = String.fromCharCode(code)
        const wanted = pattern.test(character)
        for (const text of [character, `a${character}`, `${character}a`, `a${character}a`])
          assert.strictEqual(judged(text), wanted, JSON.stringify(text))
      }
    })

    it(`${name} has at least one character, and at most ${lengthMax}`, () => {
      assert.deepEqual(
        [0, 1, lengthMax, lengthMax + 1].map((length) => judged('a'.repeat(length))),
        [false, true, true, false]
      )
    })

    it(`${name} has no escaped character`, () => {
      assert.ok(!isOne(indexOf(String.raw`"a\u0062c"`), 0))
    })
  }

  it('a seal is base64 as an encoder spells it, of at least sixteen characters', () => {
    assert.deepEqual(
      [15, 16, 17].map((length) => sealed('QUJD'.repeat(9).slice(0, length))),
      [false, true, true]
    )
    assert.ok(sealed(`${'QUJD'.repeat(4)}QQ==`))
    for (const outside of ['.', '%', ' ', '@'])
      for (const text of [
        outside + 'QUJD'.repeat(6),
        'QUJD'.repeat(6) + outside,
        `QUJDQU${outside}${'QUJD'.repeat(6)}`
      ])
        assert.strictEqual(sealed(text), false, text)
  })

  it('a seal has no percent-encoded characters, which only count in URIs', () => {
    assert.ok(!rawSealed(`${'QUJD'.repeat(4)}%51UJD`))
    assert.ok(rawSealed(String.raw`${'QUJD'.repeat(4)}\u0051UJD`))
  })
})
