import assert from 'node:assert/strict'
import test from 'node:test'
import { isNumberedPhrase, isPassphrase, letterGroupsEnd } from './passphrases.ts'

const phrase = (value: string) => isPassphrase(value, 0, value.length)
const numbered = (value: string) => isNumberedPhrase(value, 0, value.length)

test('words in a row as only a passphrase has them are a passphrase', () => {
  for (const value of [
    'violet canyon lantern pepper',
    'violet-canyon-lantern-pepper-marble',
    'violet.canyon.lantern.pepper'
  ])
    assert.ok(phrase(value), value)
  for (const value of [
    'violet canyon lantern',
    'violet canyon-lantern pepper',
    'Violet canyon lantern pepper',
    'violet canyon lantern pepper.',
    'violet violet violet violet',
    'enter your violet canyon lantern',
    'ki fe lo canyon',
    'my-release-postgresql-primary',
    'violet canyon lantern pepper marble copper meadow cactus orange'
  ])
    assert.ok(!phrase(value), value)
})

test('capitalised words with a number behind them are a password, names of things are not', () => {
  for (const value of ['VioletCanyonLantern73', 'VioletCanyonLantern73!']) assert.ok(numbered(value), value)
  for (const value of [
    'VioletCanyon7',
    'VioletCanyonLantern',
    'VioletCanyonLantern64',
    'VioletUserLantern73',
    'VioletCanyonLantern73x'
  ])
    assert.ok(!numbered(value), value)
})

test('four groups of four random letters are a password, words of four letters are not', () => {
  const isWhole = (value: string) => letterGroupsEnd(`${value} end`, 0) === value.length
  for (const value of ['kwpz vhqd rmxj tgbn', 'phoz rnwx bzff zbja']) assert.ok(isWhole(value), value)
  for (const value of [
    'this test will fail',
    'oder wenn kein wert',
    'some very good luck',
    'kwpz vhqd rmxj',
    'kwpz vhqd rmxj tgbnx',
    'kwpz vhqd  rmxj tgbn',
    'KWPZ VHQD RMXJ TGBN'
  ])
    assert.equal(letterGroupsEnd(`${value} end`, 0), 0, value)
})
