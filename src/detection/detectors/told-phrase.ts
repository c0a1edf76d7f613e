/** Passphrases of words without quotes, up to the end of the line: "passphrase of the disk = amber kettle ..."; keys of networks. */
import type { Match } from '../detector.ts'
import { charSet, codeAt, inSet, leftClear, wordSet } from '../text/chars.ts'
import { besidePassword } from './told-beside.ts'
import { isPassphrase } from '../values/passphrases.ts'

const name = 'passphrase'
export const phraseAnchor = { literal: name, fold: true, guard: { notBefore: wordSet } } as const
const leadUnitsMax = 40
const phraseUnitsMax = 81
const wordsMin = 4
const endSet = charSet('\n\r.,;(')

/** Endings of what somebody does or did: a sentence about a passphrase has one, and hardly any list of words has. */
const verbal = ['ed', 'ing', 'es', 'ly', 'ion', 'ate', 'ize', 'ify']

/** What a sign of equality or a colon tells behind `passphrase` at `at`: words that are no sentence. */
export function phraseTold(text: string, at: number): Match | undefined {
  if (!leftClear(text, at, wordSet)) return undefined
  const from = at + name.length
  let start = from
  while (start < from + leadUnitsMax && !inSet(signSet, codeAt(text, start))) start++
  if (!inSet(leadSet, codeAt(text, start)) || codeAt(text, start + 1) !== 32) return undefined
  start += 2
  let end = start
  while (end < start + phraseUnitsMax && end < text.length && !inSet(endSet, text.charCodeAt(end))) end++
  if (!isPassphrase(text, start, end)) return undefined
  const words = text.slice(start, end).split(' ')
  if (words.length < wordsMin || words.some((word) => verbal.some((ending) => word.endsWith(ending)))) return undefined
  return { start, end, confidence: 'medium', byContext: true }
}

const leadSet = charSet('=:')
/** The sign, or what shows that none follows. */
const signSet = charSet('=:.,;!?"\'`\n\r')

const network = 'ssid '
export const networkAnchor = { literal: network, fold: true, guard: { notBefore: wordSet } } as const
const networkUnitsMax = 48
const keyNames = [', key ', ', key: ', ' key is ', ', pass ', ', pw ', ' / ']

/** `SSID Lighthouse, key X`: the key of a network, behind its name. */
export function networkTold(text: string, at: number): Match | undefined {
  if (!leftClear(text, at, wordSet)) return undefined
  const from = at + network.length
  const line = text.slice(from, from + networkUnitsMax)
  const near = line.slice(0, line.indexOf('\n') >>> 0).toLowerCase()
  for (const key of keyNames) {
    const place = near.indexOf(key)
    // What goes on behind the name is read as what stands right behind `password` is.
    const found = place < 0 ? undefined : besidePassword(text, from + place + key.length - 1)
    if (found !== undefined) return found
  }
  return undefined
}
