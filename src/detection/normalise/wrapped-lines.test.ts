import assert from 'node:assert/strict'
import { it } from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { MarginReader } from './margins.ts'
import { wrapColumns } from './wrapped-lines.ts'

const scanner = createScanner()
const card = ['4539', '1488', '0343', '6467'].join(' ')

/** What a terminal shows of some lines. */
const cut = (lines: readonly string[], columns: number): string =>
  lines.flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? ['']).join('\n')

const password = filler(14)
const address = ['marta.lindqvist', 'nordbo-mail.se'].join('@')
const screen = [
  '$ systemctl status billing',
  `Nov 28 10:11:59 shop billing[812]: could not sign in to the storage with the token that was read, retrying 3 times`,
  '',
  `Nov 28 10:12:02 shop billing[812]: connecting as reports to the database in the other region, password=${password} timeout=30`,
  `Nov 28 10:12:04 shop billing[812]: the payment of ${address} was declined for the card ${card} by the bank of the customer`,
  'Nov 28 10:12:09 shop billing[812]: giving up after the last of all attempts that are allowed by the settings of it',
  '$ '
]

it('what a terminal cut is read as one line, wherever it was cut', () => {
  for (let columns = 79; columns < 112; columns++) {
    const text = cut(screen, columns)
    assert.equal(wrapColumns(text), columns)
    const reader = new MarginReader(text)
    reader.step(Infinity)
    assert.equal(reader.plain, screen.join('\n'))
    const found = scanner.scan(text).map(({ start, end }) => text.slice(start, end).replace('\n', ''))
    for (const value of [password, address, card]) assert.ok(found.includes(value), `${value} at ${columns}`)
  }
})

it('a listing that a terminal cut keeps its margin', () => {
  const lines = screen.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`)
  const reader = new MarginReader(cut(lines, 90))
  while (!reader.step(7));
  assert.equal(reader.plain, screen.join('\n'))
})

it('lines that are equally long for another reason are not joined', () => {
  const words = 'every line of a letter breaks between two words of it and is a little shorter than the widest'.split(
    ' '
  )
  const prose = Array.from({ length: 200 }, (_, i) => words[(i * i + 3 * i) % words.length]).join(' ')
  const record = (number: number): string =>
    `2026-11-28 10:11:${number} INFO worker-${number} finished its job ${'ok '.repeat(14)}${number}`
  for (const [what, text] of Object.entries({
    'prose that is broken between words': prose.replaceAll(/(.{60,80}) /gu, '$1\n'),
    'lines of a log': Array.from({ length: 9 }, (_, i) => record(i + 10)).join('\n'),
    base64: cut([filler(2000)], 96),
    'a longer line behind them': `${cut(screen, 80)}\n${'longer '.repeat(20)}`,
    'one line': cut(screen.slice(0, 2), 80)
  }))
    assert.equal(wrapColumns(text), 0, what)
})
