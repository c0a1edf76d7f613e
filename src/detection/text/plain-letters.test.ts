import assert from 'node:assert/strict'
import test from 'node:test'
import { spellingsOf, withoutAccents } from './plain-letters.ts'
import { createScanner } from '../scanner.ts'

test('names lose the accents of Latin and Greek letters, and nothing else', () => {
  for (const [name, plain] of [
    ['número fiscal', 'numero fiscal'],
    ['łódź przyszłości', 'lodz przyszlosci'],
    ['fødselsdato', 'fodselsdato'],
    ['vatandaşlık numarası', 'vatandaslik numarasi'],
    ['ημερομηνία γέννησης', 'ημερομηνια γεννησης'],
    ['личный номер', 'личный номер'],
    ['パスポート番号', 'パスポート番号'],
    ['사업자등록번호', '사업자등록번호'],
    ['passport number', 'passport number'],
    ['dič', 'dič']
  ] as const)
    assert.equal(withoutAccents(name), plain)
})

test('Arabic and Russian names count as keyboards make them easy', () => {
  for (const [name, ...others] of [
    ['رقم الإقامة', 'رقم الاقامة', 'رقم الاقامه'],
    ['الرقم القومي', 'الرقم القومى'],
    ['учётный номер', 'учетный номер'],
    ['هويتي الوطنية', 'هويتي الوطنيه', 'هويتى الوطنية'],
    ['passport']
  ] as const)
    assert.deepEqual(spellingsOf(name), [name, ...others])
  const scanner = createScanner()
  const iqama = ['2673', '589962'].join('')
  for (const label of ['رقم الاقامة', 'رقم الاقامه', 'رقم الهويه'])
    assert.deepEqual(
      scanner.scan(`${label}: ${iqama}`).map((finding) => finding.kind),
      ['sa_national_id'],
      label
    )
})

test('a name is found without its accents, as in keys, headings and Greek capitals', () => {
  const scanner = createScanner()
  const afm = ['0936', '62581'].join('')
  const nif = ['2099', '04810'].join('')
  const passport = ['C493', '7261'].join('')
  for (const [text, kind] of [
    [`Numero fiscal: ${nif}`, 'pt_nif'],
    [`{"numero_de_passeport": "${passport}"}`, 'passport_number_generic'],
    [`Nombre;Cislo pasu;Ciudad\nAna;${passport};Lugo\n`, 'passport_number_generic'],
    [`ΑΡΙΘΜΟΣ ΦΟΡΟΛΟΓΙΚΟΥ ΜΗΤΡΩΟΥ: ${afm}`, 'gr_afm'],
    ['ΗΜΕΡΟΜΗΝΙΑ ΓΕΝΝΗΣΗΣ: 12/03/1985', 'date_of_birth'],
    ['Szuletesi hely, datum narozeni: 12.3.1985', 'date_of_birth'],
    ['ΤΗΛΕΦΩΝΟ: 6912 345 678', 'phone_number'],
    [`{"numeroDeDocumento": "${['4829', '175', '306'].join('')}"}`, 'national_id_number']
  ] as const)
    assert.deepEqual(
      scanner.scan(text).map((finding) => finding.kind),
      [kind],
      text
    )
})
