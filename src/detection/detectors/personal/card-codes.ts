/**
 * The security code that people give along with a card number, named in some language or recognised by the expiry date
 * alone.
 */
import { type Detector, type Match, withNext } from '../../detector.ts'
import { charSet, codeAt, digitSet, inSet, letterSet, runEnd, wordSet } from '../../text/chars.ts'

/** Parts of its names: `CVC2`, `Sicherheitscode`, `セキュリティコード`, `the three digits on the back`. */
const parts = [
  ...['cvv', 'cvc', 'cvn', 'csc', 'code', 'código', 'codigo', 'codice', 'kod', 'код', 'cryptogramme'],
  ...['security', 'sécurité', 'seguridad', 'segurança', 'sicherheit', 'prüf', 'pruef', 'güvenlik', 'verification'],
  ...['on the back', 'digits', 'セキュリティ', '安全', '校验', '보안', '検証']
]
/** Other things in a payment that have a code. */
const others = [
  'currency',
  'country',
  'zip',
  'postal',
  'promo',
  'status',
  'error',
  'response',
  'area',
  'merchant',
  'mcc'
]
const behindUnits = 64
const runMax = 5

/**
 * Adds the security code behind a card as a second match, which is masked and never blocks.
 * @param isSample whether the card's digits are those of a test card, whose code is not a secret
 */
export function withCode(detector: Detector, isSample: (digits: string) => boolean): Detector {
  return {
    ...detector,
    match(text, at, context) {
      const card = detector.match(text, at, context)
      if (card === undefined || isSample(text.slice(card.start, card.end).replaceAll(' ', '').replaceAll('-', '')))
        return card
      const code = codeBehind(text, card.start, card.end)
      return withNext(card, code)
    }
  }
}

/**
 * The first number behind a card on the same line that is not an expiry date: four digits for American Express, three
 * otherwise.
 * @returns undefined if neither an expiry date alone nor a word for the code stands between
 */
function codeBehind(text: string, cardAt: number, cardEnd: number): Match | undefined {
  const isAmex = codeAt(text, cardAt) === 51 && inSet(amexSet, codeAt(text, cardAt + 1))
  const limit = Math.min(text.length, cardEnd + behindUnits)
  let expiryEnd = -1
  for (let i = cardEnd; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) return undefined
    if (!inSet(digitSet, code)) continue
    const end = runEnd(text, i, digitSet, runMax)
    const dated = expiryAt(text, i, end)
    if (dated > 0 && expiryEnd < 0) {
      expiryEnd = dated
      i = dated - 1
      continue
    }
    // `CVC2`, `cvv2`: the digit belongs to the word.
    if (end === i + 1 && inSet(wordSet, codeAt(text, i - 1))) continue
    if ((end - i !== 3 && !(isAmex && end - i === 4)) || !standsAlone(text, i, end)) return undefined
    const isBehindExpiry = expiryEnd > 0 ? !hasLetters(text, expiryEnd, i) : false
    return isBehindExpiry || namesCode(text.slice(cardEnd, i))
      ? { start: i, end, confidence: 'medium', tier: 'medium' }
      : undefined
  }
  return undefined
}
const amexSet = charSet('47')

/**
 * Past an expiry date such as `04/29`, `04-2029`, `0429` or `04 / 29` whose first digits are `[at, end)`; -1 if it is
 * not one.
 */
function expiryAt(text: string, at: number, end: number): number {
  const month = Number(text.slice(at, at + 2))
  if (month < 1 || month > 12) return -1
  if (end === at + 4) return inSet(yearSet, codeAt(text, at + 2)) ? end : -1
  if (end !== at + 2) return -1
  const joint = runEnd(text, end, jointSet, 3)
  const year = runEnd(text, joint, digitSet, runMax)
  return joint > end && (year === joint + 2 || year === joint + 4) ? year : -1
}
const jointSet = charSet(' /-.')
/** First digits of the years in which cards expire. */
const yearSet = charSet('234')

const beforeSet = charSet('.-/#$+')
const afterSet = charSet('.,-/:%')

function standsAlone(text: string, start: number, end: number): boolean {
  if (inSet(wordSet, codeAt(text, start - 1)) || inSet(wordSet, codeAt(text, end))) return false
  if (inSet(beforeSet, codeAt(text, start - 1))) return false
  return !(inSet(afterSet, codeAt(text, end)) && inSet(digitSet, codeAt(text, end + 1)))
}

function hasLetters(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (inSet(letterSet, text.charCodeAt(i)) || text.charCodeAt(i) > 127) return true
  return false
}

function namesCode(between: string): boolean {
  const lower = between.toLowerCase()
  return parts.some((part) => lower.includes(part)) && !others.some((other) => lower.includes(other))
}
