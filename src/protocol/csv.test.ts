import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRecord } from './csv.ts'

test('quotes what would end a cell or a record', () => {
  assert.equal(
    csvRecord(['a', 'b,c', 'd"e', 'f\ng', 1.5, true, null, undefined]),
    'a,"b,c","d""e","f\ng",1.5,true,,\r\n'
  )
})

test('disarms what a spreadsheet would execute, and leaves numbers unchanged', () => {
  assert.equal(csvRecord(['=1+1', '+1', '-1', '@sum', '\tx', -1]), `'=1+1,'+1,'-1,'@sum,'\tx,-1\r\n`)
  assert.equal(csvRecord(['=a,b']), `"'=a,b"\r\n`)
  assert.equal(csvRecord(['\u{ff1d}1+1', '\u{ff20}x']), `'\u{ff1d}1+1,'\u{ff20}x\r\n`)
})

test('disarms a formula after a separator used in other locales, which quotes do not protect', () => {
  assert.equal(csvRecord(['x;=1+1', 'a\t@b', 'c\n-d', 'e; f', 'g\r\nh']), `x;'=1+1,a\t'@b,"c\n'-d",e; f,"g\r\nh"\r\n`)
})
