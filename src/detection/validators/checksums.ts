/** Checksums over arrays of digit values, and over IBANs. */

type Digits = ArrayLike<number>

/** Luhn (ISO/IEC 7812-1): every second digit from the right doubled, the sum a multiple of ten. */
export function luhn(digits: Digits, count: number): boolean {
  let sum = 0
  for (let i = 0; i < count; i++) {
    const digit = digits[count - 1 - i] as number
    sum += i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return sum % 10 === 0
}

/**
 * ISO 13616: country and check digits moved to the end, letters as 10 to 35, the remainder by 97 is one.
 * @param iban upper-case letters and digits without blanks
 */
export function mod97(iban: string): boolean {
  let rest = 0
  for (let i = 0; i < iban.length; i++) {
    const code = iban.charCodeAt((i + 4) % iban.length)
    const value = code <= 57 ? code - 48 : code - 55
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
