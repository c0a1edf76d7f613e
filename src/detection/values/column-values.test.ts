import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../scanner.ts'
import { namedValue } from './named-value.ts'
import { digitSet, runEnd } from '../text/chars.ts'

const scanner = createScanner([
  namedValue({
    id: 'made_up',
    label: 'MADE_UP',
    title: 'made-up number',
    group: 'pii',
    tier: 'medium',
    names: ['badge', 'badge of honour'],
    read: (text, at) => (runEnd(text, at, digitSet, 5) === at + 4 ? at + 4 : -1),
    hits: () => [],
    misses: () => [],
    source: 'made up here'
  })
])
const values = (text: string) => scanner.scan(text).map(({ start, end }) => text.slice(start, end))
const far = 'Upper Carlton West Bridge Road'

test('all cells of a column are found, whatever its header says besides the name', () => {
  for (const head of ['badge', 'Badge', '"badge"', 'staff_badge', 'Badge no.', 'badge_2', 'Staff badge number'])
    assert.deepEqual(values(`road,${head}\n${far},1234\n${far},\n${far},"2345"\n`), ['1234', '2345'], head)
  // An abbreviation that a dot ends.
  assert.deepEqual(values(`| badge. | road |\n|---|---|\n| 1234 | ${far} |`), ['1234'])
  // The last column, whose heading has a word in another script before the name.
  for (const head of ['รหัสbadge', 'رقم badge'])
    assert.deepEqual(values(`road\t${head}\n${far}\t1234\n`), ['1234'], head)
  assert.deepEqual(values(`| badge | road |\n|---|---|\n| 1234 | ${far} |\n| 2345 | x |`), ['1234', '2345'])
})

test('the columns of SQL statements are read as well', () => {
  const rows = `(1, '${far}', '1234'), (2, '${far}', NULL), (3, '${far}', '2345')`
  assert.deepEqual(values(`INSERT INTO staff (id, road, badge) VALUES ${rows};`), ['1234', '2345'])
  assert.deepEqual(values(`COPY staff (id, "badge", road) FROM stdin;\n1\t1234\t${far}\n2\t\\N\t${far}\n\\.\n`), [
    '1234'
  ])
  assert.deepEqual(values(`f(id, road, badge) VALUES ${rows}`), [])
})

test('a cell must be a whole value, and the header must be the name', () => {
  assert.deepEqual(values(`road,badge\n${far},1234 and more\n`), [])
  assert.deepEqual(values(`road,badge count\n${far},1234\n`), [])
  assert.deepEqual(values(`road,badge_colour\n${far},1234\n`), [])
})

test('tables are read far down, and no further than the limit of one reading', () => {
  const rows = (count: number, units: number) => `${'x'.repeat(units)},1234\n`.repeat(count)
  assert.equal(values(`road,badge\n${rows(9000, 30)}`).length, 9000)
  assert.ok(values(`road,badge\n${rows(2000, 4000)}`).length < 600)
})

test('each of two long tables is read to its end when their scans alternate', () => {
  const tables = ['1234', '2345'].map((value) => `road,badge\n${`x,${value}\n`.repeat(300)}`)
  const runs = tables.map((table) => scanner.begin(table))
  for (let isDone = false; !isDone;) isDone = runs.map((run) => run.step(1)).every(Boolean)
  const found = runs.map((run, i) => run.findings().map(({ start, end }) => tables[i]?.slice(start, end)))
  assert.deepEqual(
    found.map((ones) => [ones.length, new Set(ones)]),
    [
      [300, new Set(['1234'])],
      [300, new Set(['2345'])]
    ]
  )
})

test('the value beside a name is found once no row of a long table below has one', () => {
  const rows = (count: number) => '<tr><td>road</td><td>x</td></tr>\n'.repeat(count)
  for (const count of [30, 31, 32, 33, 64, 300])
    assert.deepEqual(
      values(`<table><tr><td>badge</td><td>1234</td></tr>\n${rows(count)}</table>`),
      ['1234'],
      `${count}`
    )
  const last = '<tr><td>2345</td><td>x</td></tr>\n'
  assert.deepEqual(values(`<table><tr><td>badge</td><td>1234</td></tr>\n${rows(300)}${last}</table>`), ['2345'])
})

test('four columns of a header are read', () => {
  assert.deepEqual(values(`${'badge,'.repeat(6)}road\n${'1234,'.repeat(6)}${far}`).length, 4)
})

test('four are also read when scans of two tables alternate', () => {
  const table = `${'x '.repeat(2040)}\n${'badge,'.repeat(6)}road\n${'1234,'.repeat(6)}${far}`
  const runs = [scanner.begin(table), scanner.begin(`${table} x`)]
  for (let isDone = false; !isDone;) isDone = runs.map((run) => run.step(1)).every(Boolean)
  assert.deepEqual(
    runs.map((run) => run.findings().length),
    [4, 4]
  )
})

test('a value may fill the line below its name', () => {
  for (const text of ['Badge\n1234', 'Badge:\r\n  1234\r\nRoad', '## Badge of honour\n\n1234\n', 'Badge no.\n1234 \n'])
    assert.deepEqual(values(text), ['1234'], text)
  for (const text of ['Badge\n1234 and more', 'Badge colours\n1234', 'Badge\n\n\n1234', 'Badge\nis 1234', 'Badge'])
    assert.deepEqual(values(text), [], text)
})

test('the cells of a column that is aligned with blanks are found', () => {
  const pandas = `              road  badge   hall\n0    Upper Carlton   1234  North\n1      Bridge Road    NaN    NaN\n2  West ${'x'.repeat(9)}   2345\n`
  assert.deepEqual(values(pandas), ['1234', '2345'])
  assert.deepEqual(values(`Badge no.    Road\n1234         ${far}\n-            ${far}\n2345         x\n`), [
    '1234',
    '2345'
  ])
  for (const text of [
    `${pandas.slice(0, pandas.indexOf('0  '))}\n0    Upper Carlton   1234\n`,
    'badge    road\nbadge    hall\n12345    1234\n',
    'A badge for the road.   Take it.\n1234     x\n'
  ])
    assert.deepEqual(values(text), [], text)
})

test('the cells of a column of an HTML table are found', () => {
  const rows = `<tr><td>${far}</td><td><i>1234</i></td></tr><tr><td>x</td><td></td></tr>\n<tr><td>x</td><td>\n 2345 </td></tr>`
  for (const head of [
    '<table><tr><th>Road</th><th>Badge</th></tr>',
    '<table>\n<tbody><tr><td>Road</td><td><b>Staff badge no.</b></td></tr>'
  ])
    assert.deepEqual(values(`${head}${rows}</table>`), ['1234', '2345'], head)
  for (const head of [
    '<table><tr><th>Badge</th><th>Road</th></tr>',
    '<table><tr><td>x</td></tr><tr><td>Road</td><td>Badge</td></tr>',
    '<table><tr><th>Road</th><th>Badge</th></tr></table><table>',
    '<table><tr><th>Road</th><th>Badge of</th></tr>'
  ])
    assert.deepEqual(values(`${head}${rows}</table>`), [], head)
})

test('groups of rows at the start of a text, and many of them, are read once', () => {
  for (const groups of ['<tbody>', '<tbody>'.repeat(30_000)])
    assert.deepEqual(values(`${groups}<tr><td>Road</td><td>Badge</td></tr><tr><td>x</td><td>1234</td></tr>`), [])
})

test('quotes of inches, and those that close nowhere, join no rows', () => {
  for (const [first, last] of [
    ['5" pipe', '6" pipe'],
    ['pipe 5"', 'pipe 6"'],
    ['"pipe', 'pipe"'],
    ['"', '"']
  ])
    for (const separator of [',', ';', '\t']) {
      const rows = [`${first}${separator}1234`, `x${separator}2345`, `${last}${separator}3456`].join('\n')
      assert.deepEqual(values(`road${separator}badge\n${rows}\n`), ['1234', '2345', '3456'], rows)
    }
})

test('a row may go on below where a quoted cell does, and a line above the header may head groups of columns', () => {
  const note = '"Upper Carlton\nWest;\nBridge Road"'
  assert.deepEqual(values(`road;badge\n${note};1234\n${far};"2345"\n`), ['1234', '2345'])
  assert.deepEqual(values(`badge;road\n1234;${note}\n2345;x\n`), ['1234', '2345'])
  assert.deepEqual(values(`Person,,Place\nname,badge,road\n${far},1234,x\n`), ['1234'])
  assert.deepEqual(values(`a,b,c\nPerson,,Place\nname,badge,road\n${far},1234,x\n`), [])
})

test('a leader of dots may stand between a name and its value', () => {
  for (const leader of ['.'.repeat(60), ' '.padEnd(40, '.'), '…'.repeat(9)])
    assert.deepEqual(values(`Badge no. ${leader} 1234\n`), ['1234'], leader)
  assert.deepEqual(values(`Badge no. ${'.'.repeat(60)} in the office at the end 1234\n`), [])
})
