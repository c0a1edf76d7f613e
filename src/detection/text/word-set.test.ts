import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WordSet } from './word-set.ts'

const words = ['a', 'key', 'kex', 'token', 'access_token', 'слово', '', 'two words']
const set = new WordSet(words)

describe('a set of words', () => {
  it('finds each of its words, as a string and in a text', () => {
    const text = words.join('|')
    let at = 0
    words.forEach((word, index) => {
      assert.equal(set.has(word), true, word)
      assert.equal(set.placeOf(text, at, at + word.length), index, word)
      at += word.length + 1
    })
  })

  it('finds ASCII letters in any case', () => {
    assert.equal(set.stands('my Access_TOKEN is', 3, 15), true)
    assert.equal(set.stands('КЛЮЧ СЛОВО', 5, 10), false)
  })

  it('finds no other words, however much they are alike', () => {
    for (const other of ['b', 'kez', 'ke', 'keys', 'tokan', 'access-token', 'слова', ' ', 'two_words'])
      assert.equal(set.placeOf(other, 0, other.length), -1, other)
    assert.equal(new WordSet([]).has('a'), false)
  })

  it('tells signs from the letters that share their last five bits', () => {
    assert.equal(new WordSet(['[x]']).stands('{x}', 0, 3), false)
    assert.equal(new WordSet(['@b']).stands('`b', 0, 2), false)
  })

  it('finds every word of a long list and nothing else', () => {
    const list = Array.from({ length: 3000 }, (_, i) => (i * 7919).toString(36))
    const long = new WordSet(list)
    for (let i = 0; i < 10_000; i++)
      assert.equal(long.placeOf(i.toString(36), 0, i.toString(36).length) >= 0, list.includes(i.toString(36)))
  })
})
