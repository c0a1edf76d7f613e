/**
 * What programs print beside a value when they dump one: its type, length, visibility. PHP's `string(12) "..."`, Go's
 * `(string) (len=12) "..."`, and `Str(...)` of the OpenTelemetry collector.
 */
import { beforeNext, charSet, codeAt, digitSet, inSet, lineBreakSet, quoteSet, runEnd } from '../text/chars.ts'
import { skipBlanks, skipSpace } from './lexing.ts'

const visibilitySet = charSet('A-Z', 'a-z', '0-9', '_\\":*')
const visibilityUnitsMax = 96

/** Past the visibility of a member: `["password":"Config":private]`, `[password:protected]`; -1 if there is none. */
export function visibilityEnd(text: string, nameStart: number, at: number): number {
  const before = codeAt(text, nameStart - 1)
  if (before !== 91 && !(inSet(quoteSet, before) && codeAt(text, nameStart - 2) === 91)) return -1
  const end = runEnd(text, at, visibilitySet, visibilityUnitsMax)
  return end > at && codeAt(text, end) === 93 ? end + 1 : -1
}

/** First characters of a type, or the end of the line before it. */
const typeHeadSet = charSet('s(<\r\n')

/** Past the type and length before a quoted text, which may begin on the next line; `at` if there are none. */
export function typedTextStart(text: string, at: number): number {
  // A line may end only behind an arrow of PHP.
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

/** Where the value of `Str(...)` ends if it fills the rest of its line; -1 otherwise. */
export function telemetryTextEnd(text: string, at: number): number {
  if (!text.startsWith('Str(', at)) return -1
  const end = beforeNext(text, at + 4, lineBreakSet, lineUnitsMax - 4)
  return codeAt(text, end - 1) === 41 && end > at + 5 ? end - 1 : -1
}

/** The quote of the text that follows a name in serialised PHP: `s:8:"password";s:12:"..."`; -1 if there is none. */
export function storedTextStart(text: string, at: number): number {
  if (!text.startsWith(';s:', at)) return -1
  const colon = runEnd(text, at + 3, digitSet, 7)
  const quote = colon + 1
  return colon > at + 3 && codeAt(text, colon) === 58 && codeAt(text, quote) === 34 ? quote : -1
}
