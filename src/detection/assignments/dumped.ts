/**
 * What programs print beside a value when they show one of their own: its type, its length, who may see it. PHP's `string(12) "..."`,
 * Go's `(string) (len=12) "..."`, the `Str(...)` of a collector of telemetry.
 */
import { charSet, codeAt, digitSet, inSet, runEnd } from '../text/chars.ts'
import { quoteSet, skipBlanks, skipSpace } from './steps.ts'

const visibilitySet = charSet('A-Z', 'a-z', '0-9', '_\\":*')
const visibilityUnitsMax = 96

/** Past who may see a member of an object: `["password":"Config":private]`, `[password:protected]`; -1 where nothing says so. */
export function visibilityEnd(text: string, nameStart: number, at: number): number {
  const before = codeAt(text, nameStart - 1)
  if (before !== 91 && !(inSet(quoteSet, before) && codeAt(text, nameStart - 2) === 91)) return -1
  const end = runEnd(text, at, visibilitySet, visibilityUnitsMax)
  return end > at && codeAt(text, end) === 93 ? end + 1 : -1
}

/** With what a type begins, or the line before it ends. */
const typeHeadSet = charSet('s(<\r\n')

/** Past the type and the length before a text in quotes, which may begin on the next line; `at` where there are none. */
export function typedTextStart(text: string, at: number): number {
  // Only behind an arrow of PHP a line may end.
  const code = codeAt(text, at)
  if (!inSet(typeHeadSet, code)) return at
  const from = (code === 10 || code === 13) && codeAt(text, at - 1) === 62 ? skipSpace(text, at) : at
  let i = from
  if (text.startsWith('string(', from)) {
    const close = runEnd(text, from + 7, digitSet, 7)
    i = close > from + 7 && codeAt(text, close) === 41 ? skipBlanks(text, close + 1) : from
  } else if (text.startsWith('(string) (len=', from)) {
    const close = runEnd(text, from + 14, digitSet, 7)
    i = codeAt(text, close) === 41 ? skipBlanks(text, close + 1) : from
  } else if (text.startsWith('<<"', from)) i = from + 2
  return inSet(quoteSet, codeAt(text, i)) && i > from ? i : at
}

const lineUnitsMax = 512

/** Where the value of `Str(...)` ends that has the rest of its line for itself; -1 where it has not. */
export function telemetryTextEnd(text: string, at: number): number {
  if (!text.startsWith('Str(', at)) return -1
  const limit = Math.min(text.length, at + lineUnitsMax)
  let i = at + 4
  while (i < limit && text.charCodeAt(i) !== 10 && text.charCodeAt(i) !== 13) i++
  return codeAt(text, i - 1) === 41 && i > at + 5 ? i - 1 : -1
}

/** The quote before the text that follows on a name in what PHP stores: `s:8:"password";s:12:"..."`; -1 where none does. */
export function storedTextStart(text: string, at: number): number {
  if (!text.startsWith(';s:', at)) return -1
  const colon = runEnd(text, at + 3, digitSet, 7)
  const quote = colon + 1
  return colon > at + 3 && codeAt(text, colon) === 58 && codeAt(text, quote) === 34 ? quote : -1
}
