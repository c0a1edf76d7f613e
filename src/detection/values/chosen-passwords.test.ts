import assert from 'node:assert/strict'
import test from 'node:test'
import { isChosenPassword } from './chosen-passwords.ts'

const chosen = (...parts: readonly string[]) => {
  const value = parts.join('')
  return isChosenPassword(`x ${value} y`, 2, 2 + value.length)
}

test('words with a number behind them, as people choose passwords, are a password', () => {
  for (const parts of [
    ['violet', '8841'],
    ['Lantern', '47!'],
    ['Lantern', '47'],
    ['violet', '47!'],
    ['violet', '41'],
    ['amber', '-falcon', '-41'],
    ['amber', '_falcon', '-16'],
    ['Harbor', '_Kettle', '7'],
    ['Harbor', 'Kettle', '19'],
    ['violet', '@2031'],
    ['canyon', '.', '731!!'],
    ['8841', 'violet'],
    ['47', 'Lantern', '!'],
    ['VIOLET', '2031'],
    ['KETTLE', '-41'],
    ['Violet', 'Canyon', '!'],
    ['Käse', 'kuchen', '12'],
    ['ключик', '8841']
  ])
    assert.ok(chosen(...parts), parts.join(''))
})

test('names of things with a number behind them are not a password', () => {
  for (const parts of [
    ['step', '1234'],
    ['test', '1234'],
    ['password', '1234'],
    ['admin', '123!'],
    ['iris', '41'],
    ['violet', '1024'],
    ['Violet', '7'],
    ['staging', '-postgres', '-02'],
    ['amber', '-falcon'],
    ['Harbor', 'Kettle'],
    ['vi', '8841'],
    ['violet', '8841', 'x'],
    ['violet', '8841', '-x'],
    ['violet', '1234567'],
    ['amber', '-falcon', '-cedar', '-basil', '-41'],
    ['30', 'seconds'],
    ['8841', 'step'],
    ['VIOLET', '41'],
    ['STATUS', '404'],
    ['Violet', 'Canyon']
  ])
    assert.ok(!chosen(...parts), parts.join(''))
})
