import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUtf8 } from './charset.ts'

test('accepts UTF-8 and ASCII under their names, and a type without a charset', () => {
  for (const parameters of [
    '',
    ';',
    '; charset=utf-8',
    ';charset="UTF-8"',
    '; Charset = utf8 ; q=1',
    '; charset=us-ascii'
  ])
    assert.equal(isUtf8(`application/json${parameters}`), true, parameters)
})

test('accepts no other charset, wherever it is named', () => {
  for (const parameters of [
    '; charset=latin1',
    '; charset="iso-8859-1"',
    '; CHARSET=utf-7',
    '; charset=utf-16',
    '; charset=',
    '; charset=utf-8; charset=latin1',
    '; header=present;charset=latin1'
  ])
    assert.equal(isUtf8(`application/json${parameters}`), false, parameters)
})
