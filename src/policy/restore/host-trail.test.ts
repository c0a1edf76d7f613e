import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goesOnAsHost } from './host-trail.ts'

test('recognises the rest of a host, however its dot is written', () => {
  for (const tail of [
    '.example.com',
    '.EXAMPLE',
    '.9',
    '.-x',
    '.münchen.example',
    '。example',
    '\\.example',
    '\\u002eexample',
    '\\\\u002Eexample',
    '.\\u0065xample',
    '&#46;example',
    '&#x02E;example',
    '&#46-example',
    '&#x2Enet',
    '&period;example',
    '-x.example',
    '-.example',
    '\\-x_y\\.example',
    `-${'x'.repeat(62)}.example`
  ])
    assert.equal(goesOnAsHost(`X${tail}`, 1), true, tail)
})

test('recognises the end of a sentence, of a string or of markup', () => {
  for (const tail of [
    '. Then',
    '."',
    '.\n',
    '.\\n',
    '.\\u003c/b>',
    '\\u003c/b>',
    '\\n.x',
    ', a.b',
    ' .example',
    '&amp;.x',
    '…and',
    '.)',
    '?',
    '...x',
    '-x, a.b',
    '-based. Then',
    '- x.example',
    `-${'x'.repeat(63)}.example`
  ])
    assert.equal(goesOnAsHost(`X${tail}`, 1), false, tail)
})

test('a text that ends early leaves it undecided', () => {
  for (const tail of ['-', '-x', '-x.', '-x\\', '.', '\\', '\\u00', '\\u002e', '.\\', '.\\u00', '&', '&#4', '&peri'])
    assert.equal(goesOnAsHost(`X${tail}`, 1), 'unknown', tail)
  assert.equal(goesOnAsHost('X', 1), false)
})
