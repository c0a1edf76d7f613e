import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRecord } from './csv.ts'

test('quotes what would end a cell or a record', () => {
  assert.equal(
    csvRecord(['a', 'b,c', 'd"e', 'f\ng', 1.5, true, null, undefined]),
    'a,"b,c","d""e","f\ng",1.5,true,,\r\n'
  )
})

test('disarms what a spreadsheet would run, and leaves numbers alone', () => {
  assert.equal(csvRecord(['=1+1', '+1', '-1', '@sum', '\tx', -1]), `'=1+1,'+1,'-1,'@sum,'\tx,-1\r\n`)
  assert.equal(csvRecord(['=a,b']), `"'=a,b"\r\n`)
})
