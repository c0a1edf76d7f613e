import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const ssn = ['512', '44', '6723'].join('')
const card = ['4539', '1488', '0343', '6467'].join('')
const phone = ['415', '273', '6720'].join('')
const kinds = (text: string) =>
  scanner
    .scan(text)
    .filter(({ tier }) => tier !== 'low')
    .map(({ kind }) => kind)

test('the name of a field with a value of its own is not context for the next value', () => {
  for (const text of [
    `{"ssn": null, "amount": ${ssn}}`,
    `{\\"ssn\\": \\"\\", \\"amount\\": ${ssn}}`,
    `ssn: none\n  amount: ${ssn}\n`,
    `'ssn' => false, 'amount' => ${ssn}`,
    `{"ssn": 0, "amount": "${ssn}"}`,
    `{"phone": null, "total": ${phone}}`,
    `ssn=null;verified=true;amount=${ssn}`,
    `tin: null, amount: ${ssn}`
  ])
    assert.deepEqual(kinds(text), [], text)
})

test('a name is context for its own value, for the fields within it, and for the value next to it', () => {
  for (const text of [
    `{"amount": null, "ssn": ${ssn}}`,
    `{"type": "ssn", "value": "${ssn}"}`,
    `{"ssn": {"ok": true, "value": "${ssn}"}}`,
    `ssn: ${ssn}`
  ])
    assert.deepEqual(kinds(text), ['us_ssn'], text)
  assert.deepEqual(kinds(`card: visa, number: ${card}`), ['credit_card'])
})

test('a word in another string, or in a cell that describes something, names nothing', () => {
  for (const text of [
    `"url": "http:\\/\\/example.test\\/ssn\\/ssn_5535.html", "t": ${ssn}`,
    `"url": "http://www.socialsecurity.test/", "t": "${ssn}"`,
    `kernel(type="ssn", width=bw, seed=${ssn})`,
    `17,8483.30,LETTERS OF THE OFFICE TO HOLDERS OF AN SSN/OTHER,${ssn}`,
    `2,F,Use of SSN Info,1,${ssn},(M1)`,
    `9,CHA,SSN,Ed Head\n${ssn},CHA,Bob Lee\n`,
    `9\tSSN\tEd Head\n${ssn}\tBob Lee\n`
  ])
    assert.deepEqual(kinds(text), [], text)
  for (const text of [
    `{"type": "ssn", "country": "US", "value": "${ssn}"}`,
    `{"system": "http://hl7.org/fhir/sid/us-ssn", "value": "${ssn}"}`,
    `17,customer ssn,${ssn}`,
    `Here is my SSN, thanks\n${ssn}`,
    `my SSN,thanks\n${ssn} is it\n`,
    `ssn,name\n${ssn},Ed Head\n`,
    `17,Social security number of the insured person,${ssn}`,
    `17;Please tell the office in Boston your SSN;${ssn}`,
    `[("ssn", "ilike", "${ssn}")]`,
    `{"label": "SSN", "type": "text", "input": "${ssn}"}`,
    `update("ssn", id=5, new=${ssn})`,
    `asked "ssn", user=ana, reply=${ssn}`,
    `please look up the customer with this ssn,${ssn}`
  ])
    assert.deepEqual(kinds(text), ['us_ssn'], text)
})
