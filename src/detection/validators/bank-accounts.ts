/** Account numbers of single countries. Values are compact. */
import { at, int, weigh } from './digits.ts'

/** How New Zealand's banks weigh the digits of bank, branch, account and suffix, and the moduli of a product and the sum. */
const nzWays = {
  old: { weights: [0, 0, 6, 3, 7, 9, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0], product: 100, sum: 11 },
  newer: { weights: [0, 0, 0, 0, 0, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0], product: 100, sum: 11 },
  d: { weights: [0, 0, 0, 0, 0, 0, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0], product: 100, sum: 11 },
  e: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 3, 2, 0, 0, 1], product: 9, sum: 11 },
  f: { weights: [0, 0, 0, 0, 0, 0, 1, 7, 3, 1, 7, 3, 1, 0, 0, 0], product: 100, sum: 10 },
  g: { weights: [0, 0, 0, 0, 0, 0, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1], product: 9, sum: 10 }
} as const
/** The banks that do not weigh as most do. */
const nzBanks = new Map<number, keyof typeof nzWays>([
  [8, 'd'],
  [9, 'e'],
  [25, 'f'],
  [26, 'g'],
  [28, 'g'],
  [29, 'g'],
  [33, 'f']
])
const nzBankMax = 38
/** Bank 31 has no check digit. */
const nzUnchecked = 31
/** Accounts from this number on leave the branch out. */
const nzNewerFrom = 990_000

/** New Zealand: bank, branch, account, suffix of two or three digits. Which digits are weighed depends on the bank. */
export function nzAccount(value: string): boolean {
  const bank = int(value, 0, 2)
  if (bank < 1 || bank > nzBankMax || bank === nzUnchecked) return bank === nzUnchecked
  const way = nzWays[nzBanks.get(bank) ?? (int(value, 6, 13) >= nzNewerFrom ? 'newer' : 'old')]
  const digits = value.slice(0, 13) + value.slice(13).padStart(3, '0')
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const product = (way.weights[i] as number) * at(digits, i)
    sum += product > way.product ? product % way.product : product
  }
  return sum % way.sum === 0
}

/** Argentina: two blocks with weights 7 1 3 9 and a check digit each. */
export function arCbu(value: string): boolean {
  return (
    (10 - (weigh(value, [7, 1, 3, 9, 7, 1, 3]) % 10)) % 10 === at(value, 7) &&
    (10 - (weigh(value, [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3], 8) % 10)) % 10 === at(value, 21)
  )
}

/** Mexico: weights 3 7 1, the last digit of each product. */
export function mxClabe(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 17; i++) sum += (at(value, i) * ([3, 7, 1][i % 3] as number)) % 10
  return (10 - (sum % 10)) % 10 === at(value, 17)
}

/** Czech Republic: weights from the right modulo 11, then a bank code. */
export function czAccount(value: string): boolean {
  const weights = [6, 3, 7, 9, 10, 5, 8, 4, 2, 1]
  const account = value.slice(0, -4).slice(-10).padStart(10, '0')
  return weigh(account, weights) % 11 === 0
}
