/** The key shares that unseal Vault, as `vault operator init` prints them. */
import { base64Set, charSet, padSet, runEnd } from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import { guarded } from '../../keys/fixed-key.ts'
import { hasDigitAndLetter } from '../../keys/key-shape.ts'
import { base64Letters, filler, hexLetters } from '../../sample-text.ts'

const unsealMarks = ['unseal key ', 'recovery key ', 'operator unseal ']
const numberSet = charSet('0-9', ' ')
const shareGapSet = charSet(' :|"\'`')
const shareUnitsMin = 43
const shareUnitsMax = 96

/** The share behind one of the marks. */
function unsealKey(text: string, at: number): Match | undefined {
  const mark = unsealMarks.find((one) => text.slice(at, at + one.length).toLowerCase() === one)
  if (mark === undefined) return undefined
  const from = at + mark.length
  // The number of a share and its colon are not part of it; the share itself may begin with a digit.
  const number = runEnd(text, from, numberSet, 4)
  const behindNumber = runEnd(text, number, shareGapSet, 4)
  const start = behindNumber > number ? behindNumber : from
  const end = runEnd(text, start, base64Set, shareUnitsMax + 1)
  if (end - start < shareUnitsMin || end - start > shareUnitsMax || !hasDigitAndLetter(text, start, end))
    return undefined
  return guarded(text, { start, end: runEnd(text, end, padSet, 2), confidence: 'strong', byContext: true })
}

export const vaultShareDetectors: readonly Detector[] = [
  {
    id: 'vault_unseal_key',
    label: 'VAULT_UNSEAL_KEY',
    title: 'unseal or recovery key of Vault',
    group: 'secret',
    tier: 'high',
    lengthMin: 56,
    anchors: unsealMarks.map((literal) => ({ literal, fold: true })),
    match: unsealKey,
    hits: () => [
      `Unseal Key 2: ${filler(44, base64Letters)}`,
      `Unseal Key 3: 7${filler(42, base64Letters)}=`,
      `Recovery Key 1: ${filler(43, base64Letters)}=`,
      `vault operator unseal ${filler(66, hexLetters)}`
    ],
    misses: () => ['Unseal Key (will be hidden):', 'vault operator unseal $KEY', 'vault operator unseal -migrate'],
    source: 'HashiCorp Vault documentation, "vault operator init" and "unseal": shares in base64 or hexadecimal digits.'
  }
]
