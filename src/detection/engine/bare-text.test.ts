/** A text that is told to hold nothing holds nothing: the whole scan of it has no findings. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { builtInDetectors } from '../detectors/index.ts'
import { escapeLiterals } from '../normalise/escapes.ts'
import { nestedLiterals } from '../normalise/nested-text.ts'
import { createScanner } from '../scanner.ts'
import { isBare, isBareAscii } from './bare-text.ts'
import { compileEngine } from './engine.ts'
import { finish } from './pace.ts'
import { ScanPass } from './scan-pass.ts'

const signals = [...escapeLiterals, ...nestedLiterals].map((literal) => ({ literal, number: 0 }))
const engine = compileEngine(builtInDetectors, signals, true)

function scanned(text: string) {
  const pass = new ScanPass({ engine }, text, undefined)
  finish(
    (function* () {
      while (!pass.step(Infinity)) yield
    })()
  )
  return pass.findings()
}

/** The hits of all detectors that are short enough, and the beginnings and ends of the others. */
const pieces = builtInDetectors.flatMap((detector) =>
  detector
    .hits()
    .flatMap((hit) => [hit.slice(0, 23), hit.slice(-23), ...hit.split(/\s/).map((word) => word.slice(0, 23))])
)

describe('isBare', () => {
  it('refuses every text in which a scan finds something', () => {
    const bare = pieces.filter((piece) => isBare(piece, engine))
    assert.deepEqual(bare.flatMap(scanned), [])
    assert.ok(pieces.filter((piece) => scanned(piece).length > 0).length > 500)
    assert.ok(bare.length > 500)
  })

  it('refuses every text in which a scan finds something, at random', () => {
    let found = 0
    const part = fc.oneof(
      fc.constantFrom(...pieces),
      fc.stringMatching(/^[a-z_]{1,6}[:= ]{0,2}$/),
      fc.string({ unit: 'grapheme', maxLength: 3 })
    )
    const short = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('').slice(0, 23))
    fc.assert(
      fc.property(short, (text) => {
        if (isBare(text, engine)) assert.deepEqual(scanned(text), [])
        else if (scanned(text).length > 0) found++
      }),
      { numRuns: 5000 }
    )
    assert.ok(found > 100, `${found} texts with findings`)
  })

  it('says the same of a text as of its bytes', () => {
    const ascii = pieces.filter((piece) => /^[\0-\x7f]+$/.test(piece))
    for (const piece of ascii) {
      const bytes = Buffer.from(`"${piece}"`)
      assert.equal(isBareAscii(bytes, 1, bytes.length - 1, engine), isBare(piece, engine), piece)
    }
    assert.ok(ascii.length > 1000)
  })

  it('accepts what most texts of a body are', () => {
    for (const text of ['old_string', 'recursive', 'limit', 'Read', 'content', 'line\nline'])
      assert.ok(isBare(text, engine), text)
  })

  it('refuses what needs a longer look', () => {
    for (const text of ['x'.repeat(24), 'Größe', 'a\u200bb', '\\u0041', 'password'])
      assert.equal(isBare(text, engine), false)
  })
})

describe('a scan', () => {
  it('finds behind the name of a field what a scan finds that always looks there', () => {
    const scanner = createScanner()
    // With a word of its own, a scanner reads every text a second time behind the name.
    const always = createScanner({ deny: ['zzqq-no-text-has-this'] })
    const part = fc.oneof(
      fc.constantFrom(...pieces, ...builtInDetectors.flatMap((detector) => detector.hits())),
      fc.stringMatching(/^[a-z0-9]{4,32}$/),
      fc.stringMatching(/^(src|lib)(\/[a-z-]{3,12}){1,4}\.ts$/)
    )
    const text = fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(' '))
    const name = fc.constantFrom(
      'file_path',
      'password',
      'passport',
      'pin',
      'plaid_id',
      'token',
      'note',
      'dob',
      'c3',
      'q'
    )
    let byName = 0
    fc.assert(
      fc.property(text, name, (value, key) => {
        const found = scanner.scan(value, undefined, { key })
        assert.deepEqual(found, always.scan(value, undefined, { key }))
        if (found.length > scanner.scan(value).length) byName++
      }),
      { numRuns: 5000 }
    )
    assert.ok(byName > 50, `${byName} texts with more findings behind the name`)
  })

  it('takes a bare text for what a field, a memory or a policy makes of it', () => {
    const word = ['hal', 'ibut'].join('')
    assert.ok(isBare(word, engine))
    const scanner = createScanner({ deny: [word] })
    assert.deepEqual(
      scanner.scan(word).map(({ kind }) => kind),
      ['deny_word']
    )
    const ticket = {
      id: 'ticket',
      pattern: 'hal[a-z]+',
      group: 'pii',
      tier: 'medium',
      label: 'TICKET',
      title: 'a ticket'
    } as const
    assert.deepEqual(
      createScanner({ custom: [ticket] })
        .scan(word)
        .map(({ kind }) => kind),
      ['ticket']
    )
    const plain = createScanner()
    const value = ['kqzvw', 'xhbtq'].join('')
    assert.ok(isBare(value, engine))
    assert.deepEqual(plain.scan(value, undefined, { key: 'password' }).length, 1)
    const memory = plain.createMemory()
    plain.scan(`the password is ${value}`, memory)
    assert.deepEqual(plain.scan(value, memory).length, 1)
  })
})
