/** Account numbers of single countries. Values are compact. */
import { at, int, weigh } from './digits.ts'

/** New Zealand: bank, branch, account, suffix. Only the ranges of banks are checked. */
export function nzAccount(value: string): boolean {
  const bank = int(value, 0, 2)
  return (bank >= 1 && bank <= 38) || bank === 88
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
