/** Judges a value at a place where only a password can stand: behind a user and a colon, in a field of its own. */
import { contextMatch, type Match } from '../detector.ts'
import { isSecretValue } from './generic-value.ts'
import { passwordName } from './key-names.ts'

/**
 * A match for the value in `[start, end)` whose delimiters make it a password, even if it is a UUID or a number;
 * undefined for a placeholder, a reference, or an empty value.
 */
export function delimitedPassword(text: string, start: number, end: number): Match | undefined {
  return end > start && isSecretValue(text, start, end, passwordName, { quoted: true, doubtful: false, uuids: true })
    ? contextMatch(start, end)
    : undefined
}
