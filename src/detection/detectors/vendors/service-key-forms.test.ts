import assert from 'node:assert/strict'
import test from 'node:test'
import { filler, hexLetters } from '../../sample-text.ts'
import { createScanner } from '../../scanner.ts'

const scanner = createScanner()
const hex = (units: number, seed = 7): string => filler(units, hexLetters, seed)

// The table makes its own samples, so a wrong length there goes unnoticed: these are written as the vendors' keys are.
test('keys are found in the lengths that are observed in public programs', () => {
  for (const key of [
    ['PRD-', hex(12), '-', hex(4, 3), '-', hex(4, 5), '-', hex(4, 9), '-', hex(4, 11)],
    ['secret-', 'live-', filler(35), '='],
    ['sindri', '_', filler(32), '_', filler(4)],
    ['xau', '_', filler(33)],
    ['y0_', 'AgAAAA', filler(52)],
    ['ysc2', '_', filler(40), hex(8)],
    ['sk_', 'V2_', 'hgu_', filler(11), '_', filler(32)],
    ['apify_', 'proxy_', filler(36)],
    ['cal_', 'live_', hex(32)],
    ['QN', '_', hex(32)],
    ['WPL', '_AP1.', filler(16), '.', filler(6), '=='],
    ['cfxk', '_', filler(20), '_', filler(6)],
    ['db', '-', filler(29)],
    ['cu', '_', hex(32)],
    ['chpt', '_', hex(15)]
  ]) {
    const value = key.join('')
    const text = `client ${value} next`
    assert.deepEqual(
      scanner.scan(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]),
      [['service_api_key', value]]
    )
  }
})
