import assert from 'node:assert/strict'
import test from 'node:test'
import { trafficDetectors } from '../detectors/traffic.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner(trafficDetectors)
const pesel = ['85031', '228717'].join('')
const card = ['KBT47', '5017'].join('')

/** The texts of the findings of one kind. */
function found(text: string, kind: string): string[] {
  return scanner
    .scan(text)
    .filter((finding) => finding.kind === kind)
    .map(({ start, end }) => text.slice(start, end))
}

test('a label before markup names the value behind it, however long the markup is', () => {
  const attributes = 'class="field field--name-number field__item u-margin-small"'
  for (const text of [
    `<tr>\n  <td ${attributes}>PESEL</td>\n  <td ${attributes}>${pesel}</td>\n</tr>`,
    `<div ${attributes}>PESEL</div>\n<div ${attributes}>\n  ${pesel}\n</div>`,
    `<dt>Nr PESEL klienta</dt>\n\n<dd ${attributes}><span><b>${pesel}</b></span></dd>`,
    `<label for="f17">PESEL</label>\n<input id="f17" type="text" ${attributes} value="${pesel}">`,
    `<input id="customer_pesel" type="text" ${attributes} value='${pesel}'/>`,
    `PESEL: <input type="text" ${attributes} value="${pesel}">`
  ])
    assert.deepEqual(found(text, 'pl_pesel'), [pesel], text)
})

test('the member before names the value of a member', () => {
  const text = JSON.stringify([{ name: 'PESEL', id: 1, label: 'Numer PESEL klienta i innych', value: pesel }], null, 4)
  assert.deepEqual(found(text, 'pl_pesel'), [pesel])
  assert.deepEqual(found(`{ label: 'PESEL osoby, która składa wniosek', 'value': '${pesel}' }`, 'pl_pesel'), [pesel])
})

test('what stands elsewhere in the markup names nothing', () => {
  const attributes = 'class="field field--name-number field__item u-margin-small"'
  for (const text of [
    `<td>PESEL</td> <td ${attributes}>none</td> <td ${attributes}>${pesel}</td>`,
    `<td>PESEL</td>\n<p>There is some text between them here</p> ${pesel}`,
    `<input id="order" ${attributes} value="${pesel}"><label>PESEL</label>`,
    `"name": "PESEL", "kind": "a very long remark on it", "size": "${pesel}"`,
    `x < PESEL and some more text of this length > ${pesel}`
  ])
    assert.deepEqual(found(text, 'pl_pesel'), [], text)
})

test('a remark in brackets behind a value names it', () => {
  for (const remark of ['PESEL', 'nr PESEL', 'PESEL klienta'])
    assert.deepEqual(found(`Jan Kowal, ${pesel} (${remark})`, 'pl_pesel'), [pesel], remark)
  assert.deepEqual(found(`Jan, ${card} (dowód osobisty)`, 'pl_dowod'), [card])
  for (const remark of ['order', '1 PESEL', 'a\nPESEL', 'the PESEL that is far too long for a remark about a number'])
    assert.deepEqual(found(`Jan Kowal, ${pesel} (${remark})`, 'pl_pesel'), [], remark)
})

test('an abbreviation has dots or has none', () => {
  const number = ['0038', '6570', '146'].join('').slice(1)
  for (const name of ['NIP', 'N.I.P.', 'n.i.p']) assert.deepEqual(found(`${name}: ${number}`, 'pl_nip'), [number], name)
})

test('a heading may hold a remark in brackets and a slash', () => {
  const rows = `1,Jan Kowal of the old town,,Radom\n2,Ewa Kowal of the new town,${pesel},Lublin\n`
  for (const heading of ['PESEL (if known)', 'PESEL/NIP', 'Person (PESEL)'])
    assert.deepEqual(found(`id,name,${heading},city\n${rows}`, 'pl_pesel'), [pesel], heading)
  for (const heading of ['pesel(x', 'PESEL (a', '/PESEL'])
    assert.deepEqual(found(`id,name,${heading},city\n${rows}`, 'pl_pesel'), [], heading)
  const born = '12.03.1985'
  for (const heading of ['Date of birth (dd.mm.yyyy)', 'DOB (patient)'])
    assert.deepEqual(
      found(`id,name,${heading},city\n1,Jan,,Radom\n2,Ewa,${born},Lublin\n`, 'date_of_birth'),
      [born],
      heading
    )
})

test('a column of documents or orders holds no personal numbers that only their form gives away', () => {
  const number = ['643', '06', '9367'].join('-')
  const rows = `4544294231,${number},60619310\n6162791455,${number},17113047\n`
  for (const heading of ['Invoice ID', 'order_no', 'Rechnung', 'invoiceId', '"Invoice Number"'])
    assert.deepEqual(found(`Order,${heading},SKU\n${rows}`, 'us_ssn'), [], heading)
  for (const heading of ['Number', 'Holder', 'Order of Malta', 'SSN', 'Invoice SSN'])
    assert.deepEqual(found(`Customer,${heading},Size\n${rows}`, 'us_ssn'), [number, number], heading)
})
