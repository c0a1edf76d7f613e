import assert from 'node:assert/strict'
import test from 'node:test'
import { trafficDetectors } from '../detectors/traffic.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner(trafficDetectors)
const passport = ['XY49', '31572'].join('')
const digits = ['531', '904', '826'].join('')
const pesel = ['85031', '228717'].join('')

function found(text: string): [kind: string, value: string][] {
  return scanner.scan(text).map(({ kind, start, end }) => [kind, text.slice(start, end)])
}

test('a member of an object says of which document another holds the number, in any order', () => {
  for (const text of [
    `{"documentType": "PASSPORT", "issuingCountry": "DEU", "issued": "2019-02-03", "documentNumber": "${passport}"}`,
    `{"number": "${passport}", "issued": "2019-02-03", "type": "passport"}`,
    `{"type":{"coding":[{"system":"urn:ietf:rfc:3986","code":"PPN","display":"Passport number"}]},"value":"${passport}"}`,
    `{ kind: 'passport', note: 'seen {by} the "desk", all fine', verified: true, number: '${passport}' }`
  ])
    assert.deepEqual(found(text), [['passport_number_generic', passport]], text)
  const bare = `{"idType": "PASSPORT", "country": "US", "verified": "yes", "id_number": "${digits}"}`
  assert.deepEqual(found(bare), [['passport_number_generic', digits]])
  const named = `{"idType": "PESEL", "country": "PL", "verified": true, "checked": "by desk", "idNumber": "${pesel}"}`
  assert.deepEqual(found(named), [['pl_pesel', pesel]])
  const general = `{"type": "national_id", "country": "PL", "verified": true, "number": "${pesel}"}`
  assert.deepEqual(found(general), [['national_id_number', pesel]])
})

test('the member that holds an object or a list names the number in it', () => {
  for (const text of [
    `{"passport": {"issuingCountry": "DEU", "expiry": "2031-02-01", "number": "${passport}"}}`,
    `{"passports": [\n  {\n    "issuingCountry": "DEU",\n    "expiry": "2031-02-01",\n    "number": "${passport}"\n  }\n]}`
  ])
    assert.deepEqual(found(text), [['passport_number_generic', passport]], text)
})

test('what is said elsewhere names no number of the object', () => {
  for (const text of [
    `{"type": "invoice", "passport": "was shown at the desk", "customer": "Ana", "number": "${digits}"}`,
    `[{"type": "order", "number": "${digits}"}, {"type": "passport", "country": "US"}]`,
    `{"type": "passport", "lines": [{"kind": "fee", "name": "fee of the embassy", "number": "${digits}"}]}`,
    `{"type": "passport", "country": "US", "place": "Boston, at the main office", "total": "${digits}"}`,
    `{"type": "passport", "country": "US", "visa": "none", "order number": "${digits}"}`,
    `{"type": "passport", "remark": "${'at the main office, '.repeat(30)}", "number": "${digits}"}`
  ])
    assert.deepEqual(found(text), [], text)
})
