/** Check digits of machine-readable documents (ICAO Doc 9303). */
import { base36 } from './digits.ts'

/** Whether the digit at `end` is the check digit of `[from, end)`: weights 7-3-1, letters as 10 to 35, fillers as zero. */
export function documentCheck(line: string, from: number, end: number): boolean {
  let sum = 0
  for (let i = from; i < end; i++) {
    const value = line.charCodeAt(i) === 60 ? 0 : base36(line, i)
    sum += value * ([7, 3, 1][(i - from) % 3] as number)
  }
  return String(sum % 10) === line.charAt(end)
}
