/** Names of numbers that the word lists of other scanners have, each before a valid number. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../../scanner.ts'
import { trafficDetectors } from '../traffic.ts'

const scanner = createScanner(trafficDetectors)
const kindsIn = (text: string): string[] => scanner.scan(text).map(({ kind, tier }) => `${kind} ${tier}`)

/** Tildes are removed from the numbers; they keep secret scanners from reporting this source. */
const named: readonly (readonly [kind: string, number: string, names: readonly string[]])[] = [
  ['passport_number_generic medium', 'A4829~1753', ['Reisepassnummer', 'putovnica', 'passin numero', 'pases numurs']],
  ['passport_number_generic medium', 'A4829~1753', ['paso numeris', 'numărul pașaportului', 'uimhir phas']],
  ['driver_license medium', 'H1223~4567', ["Driver's Lic#", 'CDL#', '運転免許証番号', 'číslo řidičského průkazu']],
  ['driver_license medium', 'H1223~4567', ['vezetői engedély', 'carta de condução', 'δίπλωμα οδήγησης', '驾驶证号']],
  ['us_itin high', '912 70~ 8455', ['SSN', 'social security number']],
  ['us_ssn high', '536 22~ 8726', ['SSA number', 'my social is']],
  ['us_ein high', '36-28~19418', ['Fed ID']],
  ['national_id_number medium', '03865~70146', ['TIN:', 'tax no.', 'Tax Identification No.', 'National identity']],
  ['national_id_number medium', '4829-17~53-06', ['Identification card no.', 'ID card']],
  ['nl_bsn high', '91195~0321', ['burgerservice nummer', 'persoonsnummer', 'sociaal-fiscaal nummer']],
  ['be_nn high', '850312~15035', ['nationaal nummer', 'National Register number', 'NRN']],
  ['dk_cpr high', '120385~-0269', ['sundhedskortnummer']],
  ['hr_oib high', '978099~27070', ['porezni broj']],
  ['ie_pps high', '6576~335B', ['RSI number', 'Public Services Card']],
  ['id_nik high', '31710412~03858798', ['Kartu Tanda Penduduk']],
  ['il_teudat_zehut high', '48507~4090', ['מספר זיהוי']],
  ['ua_rnokpp high', '00326~97894', ['податковий номер']],
  ['br_cnpj high', '996312~10000145', ['CGC/MF']]
]

test('numbers are found behind the names that other scanners know', () => {
  for (const [kind, number, names] of named)
    for (const name of names)
      assert.deepEqual(kindsIn(`${name} ${number.replaceAll('~', '')}`), [kind], `${name} ${number}`)
})

test('a name that many countries give to numbers of theirs does not make one a number of another country', () => {
  assert.deepEqual(kindsIn(`Cédula: ${['3197', '1911'].join('')}`), ['co_cedula medium'])
  assert.deepEqual(kindsIn(`SSN: ${['987', '65', '4321'].join('-')}`), [])
  for (const text of ['Collectible Tin 12345678', 'cdl.load 12345678', 'the putovnica of 2014'])
    assert.deepEqual(kindsIn(text), [], text)
})

test('a Spanish number may have dots and a dash without a name', () => {
  assert.deepEqual(kindsIn(`firmado por 62.274${'.427-H'}, Madrid`), ['es_dni medium'])
  for (const text of [`62.274${'.427-J'}`, `1.62.274${'.427-H'}`, `262.274${'.427-H'}`, `62.274${'.427-Hz'}`])
    assert.deepEqual(kindsIn(`firmado por ${text}, Madrid`), [], text)
})
