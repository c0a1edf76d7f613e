/**
 * Readers for passwords and keys in fields, settings and fallbacks at fixed positions (`placed-passwords.ts`).
 */
import { contextMatch, type Match } from '../../detector.ts'
import { type ByteList, readByteList } from '../../assignments/byte-list.ts'
import {
  anyPaddedBase64Set,
  charSet,
  codeAt,
  dottedNameSet,
  inSet,
  nameSet,
  quoteSet,
  runEnd
} from '../../text/chars.ts'
import { isOtherField } from '../../values/access-names.ts'
import { accessLook } from '../../values/access-value.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'
import { lookUnitsMax, quotedEnd, quotedPassword, wordAt } from './placed-rows.ts'

/** The value of a field of React Native that hides what is typed. */
export function hiddenField(text: string, from: number): Match | undefined {
  const field = text.slice(from, from + lookUnitsMax)
  const value = field.indexOf('alue=')
  if (value < 0 || field.slice(0, value).includes('>')) return undefined
  const brace = from + value + fieldUnits
  const quote = codeAt(text, brace) === 123 ? brace + 1 : brace
  return inSet(quoteSet, codeAt(text, quote)) ? quotedPassword(text, quote) : undefined
}
const fieldUnits = 'alue='.length

/** What stands in the element of a profile of Windows for a wireless network. */
export function tagContent(text: string, from: number): Match | undefined {
  const end = text.slice(from, from + lookUnitsMax).indexOf('<')
  return end < 1 ? undefined : delimitedPassword(text, from, from + end)
}

/** The key of a DNS transaction: `dig -y hmac-sha256:transfer:...`. */
export function signedWith(text: string, from: number): Match | undefined {
  const name = runEnd(text, from, nameSet, 12) + 1
  const key = runEnd(text, name, dottedNameSet, 80) + 1
  return codeAt(text, name - 1) === 58 && codeAt(text, key - 1) === 58 ? wordAt(text, key) : undefined
}

/** OpenWrt on one line: `uci set wireless.@wifi-iface[0].key='...'`, `wireless.default_radio0.key='...'`. */
export function wireless(text: string, from: number, at: number): Match | undefined {
  const before = text.slice(Math.max(0, at - nearUnits), at)
  return before.slice(before.lastIndexOf('\n') + 1).includes('wireless.') ? quotedPassword(text, from - 1) : undefined
}
const nearUnits = 48

/** Squid's login with another proxy: `cache_peer proxy.acme.dev parent 3128 0 login=ci:...`. */
export function proxyLogin(text: string, from: number, at: number): Match | undefined {
  const before = text.slice(Math.max(0, at - peerUnits), at)
  if (!before.slice(before.lastIndexOf('\n') + 1).includes('cache_peer ')) return undefined
  const colon = runEnd(text, from, dottedNameSet, 80)
  return codeAt(text, colon) === 58 ? wordAt(text, colon + 1) : undefined
}
const peerUnits = 160

/** The bytes of a key pair: `Keypair.fromSecretKey(Uint8Array.from([174, 47, ...]))`. */
export function keyBytes(text: string, from: number, at: number): Match | undefined {
  return readByteList(text, at, from, bytes, true) ? contextMatch(bytes.start, bytes.end) : undefined
}
const bytes: ByteList = { start: 0, end: 0, count: 0 }

/** What stands in for a variable that is not set: `stripe(process.env.STRIPE || '...')`. */
export function fallbackValue(text: string, from: number): Match | undefined {
  const open = inSet(quoteSet, codeAt(text, from)) ? from + 1 : from
  const nameTo = runEnd(text, open, nameSet, 64)
  const sign = runEnd(text, nameTo, closeSet, 4)
  if (!text.startsWith('|| ', sign) && !text.startsWith('?? ', sign)) return undefined
  return generated(text, sign + 3, open, nameTo)
}

/** The same as the second argument: `os.getenv("STRIPE", "...")`. */
export function environmentDefault(text: string, from: number): Match | undefined {
  const open = inSet(quoteSet, codeAt(text, from)) ? from + 1 : from
  const nameTo = runEnd(text, open, nameSet, 64)
  return text.startsWith(', ', nameTo + 1) ? generated(text, nameTo + 3, open, nameTo) : undefined
}
const closeSet = charSet('"\'] !')

/** The literal at `quote`, if it is generated. The name of the variable need not say that it is a secret. */
function generated(text: string, quote: number, nameFrom: number, nameTo: number): Match | undefined {
  if (!inSet(quoteSet, codeAt(text, quote)) || isOtherField(text, nameFrom, nameTo)) return undefined
  const end = quotedEnd(text, quote)
  const isLong = end - quote > generatedUnitsMin && runEnd(text, quote + 1, anyPaddedBase64Set, end - quote) === end
  return isLong && accessLook(text, quote + 1, end) === 'generated' ? contextMatch(quote + 1, end) : undefined
}
const generatedUnitsMin = 20
