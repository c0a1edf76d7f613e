import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const found = (text: string) =>
  scanner.scan(text).flatMap(({ kind, start, end }) => (kind === 'credit_card' ? [text.slice(start, end)] : []))

// Only the middle one passes for a card.
const column = ['2300280690004007', ['23002806', '90004008'].join(''), '2300280690004009'] as const
const [before, number, behind] = column
const card = ['45391488', '03436467'].join('')

test('a number in a column of others that pass for no card is none', () => {
  for (const text of [
    column.join('\n'),
    column.map((one, row) => `${row},${one},AIAN`).join('\n'),
    column.map((one) => `     AIAN    ${one}      1460`).join('\r\n'),
    `23002806900\n${number}\n230028079000312`,
    column.map((one, row) => `row ${row}: ${one} ok`).join('\n'),
    column.map((one, row) => `${'ab'.repeat(row + 1)},${row},${one}`).join('\n'),
    column.map((one, row) => `${['Ana', 'Bob', 'Kim'][row]}   ${one}`).join('\n'),
    // At either end of the table.
    `geoid\n${number}\n${before}\n${behind}\n`,
    `geoid\n${before}\n${behind}\n${number}\n`
  ])
    assert.deepEqual(found(text), [], text)
})

test('it is one beside other cards, behind its name, and with a single number beside it', () => {
  for (const [text, ...cards] of [
    [`${card}\n${number}\n${before}`, card, number],
    [`${before}\n${number}\n${card}`, number, card],
    [`order ${before}\npaid with ${number}\n`, number],
    [`a\n${before}\nb\n${number}\nc\n${behind}\n`, number],
    [`1${before}\n${number}\n0${behind}`, number],
    [`4155550123\n${number}\n2025550123`, number],
    [`${before}\ncard: ${number}\n${behind}`, number],
    // Times and references, which are no column of what the line in the middle holds.
    [`${before} start\n${before} charge ${number} ok\n${behind} retry\n`, number],
    [`${before}|INFO|${number}|ok\n${behind}|INFO||ok\n${before}|INFO||ok\n`, number],
    [`ref ${before}\npaid from ${number}\nref ${behind}\n`, number],
    [`"ts":${before}\n"pa":${number}\n"ts":${behind}\n`, number]
  ] as const)
    assert.deepEqual(found(text), cards, text)
})
