import assert from 'node:assert/strict'
import test from 'node:test'
import { countReads } from '../count-reads.fixture.ts'
import { idNumber } from '../numbers/id-number.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner([
  idNumber({
    id: 'made_up',
    label: 'MADE_UP',
    title: 'made-up number',
    ways: [{ forms: ['9999999', '@999@'], check: (value) => !value.startsWith('9'), proof: 'loose' }],
    words: ['badge number', 'badge', 'жетон'],
    valid: [],
    invalid: [],
    source: 'made up here'
  })
])
const values = (text: string) => scanner.scan(text).map(({ start, end, tier }) => `${tier} ${text.slice(start, end)}`)

const far = 'Upper Carlton West Bridge Road'
const rowsOf = (separator: string, quote = '') =>
  [1243567, 2345671, 3456712].map((value) => [far, quote + value + quote, far].join(separator)).join('\n')
const all = ['high 1243567', 'high 2345671', 'high 3456712']

test('the header of a column names the values below it, in every table syntax', () => {
  for (const separator of [',', ';', '\t', '|'])
    assert.deepEqual(values(`name${separator}badge${separator}road\n${rowsOf(separator)}\n`), all, separator)
  assert.deepEqual(values(`"name","Badge number","road"\r\n${rowsOf(',', '"').replaceAll('\n', '\r\n')}\r\n`), all)
  assert.deepEqual(values(`имя;Жетон;улица\n${rowsOf(';')}`), all)
  assert.deepEqual(
    values(`| name | badge | road |\n|---|---|---|\n| ${rowsOf(' | ').replaceAll('\n', ' |\n| ')} |`),
    all
  )
  assert.deepEqual(
    values(` name | badge | road\n------+-------+------\n ${rowsOf(' | ').replaceAll('\n', '\n ')}\n(3 rows)`),
    all
  )
  assert.deepEqual(
    values(`| # | badge (old) | road? |\n|---|---|---|\n| ${rowsOf(' | ').replaceAll('\n', ' |\n| ')} |`),
    all
  )
  assert.deepEqual(values(`#,badge,road\n${rowsOf(',')}\n`), all)
  assert.deepEqual(values(`badge,road\n1243567,${far}${far}\n2345671,${far}`), all.slice(0, 2))
})

test('the columns of COPY name the values in its rows', () => {
  const rows = rowsOf('\t')
  assert.deepEqual(values(`COPY public.people (name, badge, road) FROM stdin;\n${rows}\n\\.\n`), all)
  for (const head of [
    'COPY people (name, badge) FROM stdin;',
    'COPY people (name, badge, road) TO stdout;',
    'f(name, badge, road)'
  ])
    assert.deepEqual(values(`${head}\n${rows}\n`), [], head)
})

test('the columns of an INSERT name the values in its rows', () => {
  const row = (value: string) => `('${far}, ''${far}''', '${value}', NOW(), '${far}')`
  const rows = ['1243567', '2345671', '3456712'].map(row)
  const head = 'INSERT INTO public."people" (name, badge, since, road)'
  assert.deepEqual(values(`${head} VALUES ${rows.join(', ')};`), all)
  assert.deepEqual(values(`${head}\nvalues\n  ${rows.join(',\n  ')};\n`), all)
  assert.deepEqual(values(rows.map((one) => `${head} VALUES ${one};`).join('\n')), all)
  const none: string[] = []
  assert.deepEqual(values(`INSERT INTO people (badge, name, since, road) VALUES ${rows.join(', ')};`), none)
  assert.deepEqual(values(`call(name, badge, since, road) VALUES ${rows.join(', ')};`), none)
  assert.deepEqual(values(`${head} VALUES ${row('x')}; SELECT ${row('1243567')}`), none)
})

test('a column also names values with letters', () => {
  assert.deepEqual(values(`name,badge\n${far},x\n${far},A123B`), ['high A123B'])
})

test('a value in another column, outside of a table or below another table is not named', () => {
  const none: string[] = []
  assert.deepEqual(values(`badge,name,road\n${rowsOf(',')}`), none)
  assert.deepEqual(values(`name,badge,road\n\n${far}\n${rowsOf(',')}`), none)
  assert.deepEqual(values(`name,badge,road\n${far},${far}\n${rowsOf(',')}`), none)
  assert.deepEqual(values(`f(name, badge, road)\n${rowsOf(',')}`), none)
  assert.deepEqual(values(`name,badge,road ${far.repeat(50)}\n${rowsOf(',')}`), none)
  assert.deepEqual(values(`name,badge,road\n${far},9234567,${far}`), none)
})

test('the header of another column is not context, however close it is; a word in the row is', () => {
  assert.deepEqual(values('no,badge\n1243567,1\n'), [])
  assert.deepEqual(values('no,badge\nthe badge 1243567,1\n'), ['high 1243567'])
  assert.deepEqual(values(`road,no,badge\n${far}, the badge 1243567,1\n`), ['high 1243567'])
})

test('a table is found behind others, next to other separators, and from any of its rows', () => {
  const table = `name,badge,road\n${`${far},,${far}\n`.repeat(50)}${rowsOf(',')}\n`
  assert.deepEqual(values(table), all)
  assert.deepEqual(values(`id;no\n1;1243567\n\n${table}\nid\tno\n1\t1243567\n\n${table}`), [...all, ...all])
})

test('the header of a column that is aligned with blanks names the values that begin or end below it', () => {
  const pandas = `            name    badge   road\n0  Upper Carlton  1243567  North\n1    Bridge Road  2345671    NaN\n`
  assert.deepEqual(values(pandas), all.slice(0, 2))
  assert.deepEqual(values(`>>> people\n${pandas}\n  size\n0  3456712\n`), all.slice(0, 2))
  const columns = `NAME             BADGE NUMBER    ROAD\nUpper Carlton    1243567         x\nBridge Road      2345671\n`
  assert.deepEqual(values(columns), all.slice(0, 2))
  assert.deepEqual(values(`${columns}\nUpper Carlton    3456712         x\n`), all.slice(0, 2))
  for (const text of [
    'NAME             BADGE           ROAD\nUpper Carlton    x               1243567\n',
    'NAME             BADGE           ROAD\nUpper Carlton West Bridge  1243567   x\n',
    'The name and the badge are asked for here.\nUpper Carlton West Bridge Road   1243567\n'
  ])
    assert.deepEqual(values(text), [], text)
})

test('below sentences with two blanks between, the words of both are context', () => {
  for (const text of [
    'Thanks for the order.  My badge is\n1243567 I think.  Bye.\n',
    'That was the order   and this is my badge\n1243567\n',
    'Order number    of the badge\n1243567 I think\n'
  ])
    assert.deepEqual(values(text), all.slice(0, 1), text)
})

test('the header of a column of an HTML table names the values below it', () => {
  const rows = (tag: string) =>
    ['1243567', '2345671', '3456712']
      .map((value) => `<tr><td>${far}</td>\n<td class="n">${tag}${value}</td><td>${far}</td></tr>`)
      .join('\n')
  for (const head of [
    '<table><thead><tr><th>Name</th><th>Badge no.</th><th>Road</th></tr></thead><tbody>',
    '<TABLE>\n<TR>\n<TD>Name</TD>\n<TD><b>Badge</b></TD>\n<TD>Road</TD></TR>',
    '<table><tr><th colspan="2">Staff</th><th>Place</th></tr><tr><th>Name</th><th>Badge</th><th>Road</th></tr>'
  ])
    for (const tag of ['', '<b>']) assert.deepEqual(values(`${head}\n${rows(tag)}\n</table>`), all, head)
  for (const head of [
    '<table><tr><th>Badge</th><th>Name</th><th>Road</th></tr>',
    '<table><tr><th>Name</th><th>Badge</th></tr></table><table>',
    '<table><tr><th>Name</th><td>Badge</td><td>Road</td></tr>'
  ])
    assert.deepEqual(values(`${head}\n${rows('')}\n</table>`), [], head)
})

test('quotes of inches, and those that close nowhere, join no rows', () => {
  for (const [first, last] of [
    [`5" ${far}`, `6" ${far}`],
    [`${far} 5"`, `${far} 6"`],
    [`"${far}`, `${far}"`],
    ['"', '"']
  ] as const)
    for (const separator of [',', ';', '\t']) {
      const rows = [`${first}${separator}1243567`, `${far}${separator}2345671`, `${last}${separator}3456712`]
      assert.deepEqual(values(`name${separator}badge\n${rows.join('\n')}\n`), all, rows.join('\n'))
      const turned = [`1243567${separator}${first}`, `2345671${separator}${far}`, `3456712${separator}${last}`]
      assert.deepEqual(values(`badge${separator}name\n${turned.join('\n')}\n`), all, turned.join('\n'))
    }
})

test('a row may go on below where a quoted cell does, and a line above the header may head groups of columns', () => {
  const note = '"Upper Carlton\nWest;\nBridge Road"'
  assert.deepEqual(values(`name;badge;note\nx;1243567;${note}\n${note};2345671;x\nx;"3456712";x\n`), all)
  assert.deepEqual(values(`Person\t\tPlace\nname\tbadge\troad\n${rowsOf('\t')}\n`), all)
  assert.deepEqual(values(`Person\tbadge\t\nname\tnumber\troad\n${rowsOf('\t')}\n`), [])
})

test('a row below one that was read does not read that again', () => {
  const rows = Array.from({ length: 500 }, (_, i) => `${far},${1_000_000 + i},${far}`).join('\n')
  const reads = (name: string) =>
    countReads(() => assert.ok(scanner.scan(`road,${name},end\n${rows}`).length % 500 === 0))
  assert.ok(reads('badge') < 1.3 * reads('cost'), `${reads('badge')} ${reads('cost')}`)
})

test('a leader of dots may stand between a name and its number', () => {
  assert.deepEqual(values(`Badge ${'.'.repeat(60)} 1243567\nRoad ${'.'.repeat(60)} 2345671\n`), all.slice(0, 1))
  assert.deepEqual(values(`Badge ${'x'.repeat(60)} 1243567\nBadge ${'. '.repeat(30)} 1243567\n`), [])
})
