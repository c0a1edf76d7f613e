/** The shape of a word that nothing names: generated, chosen by a person, or the name of something (decision 137). */
import {
  base62Set,
  charSet,
  codeAt,
  consistsOf,
  constantSet,
  countOf,
  digitSet,
  dotSet,
  dottedNameSet,
  hexSet,
  inSet,
  letterSet,
  lowerSet,
  nameJointSet,
  runEnd,
  runStart,
  snakeSet,
  underscoreSet,
  upperDigitSet,
  upperSet
} from '../text/chars.ts'
import { isChosenPassword, isMarkedPassword } from './chosen-passwords.ts'
import { characterClasses } from './non-secret-formats.ts'
import { isDummyValue } from './generic-value.ts'
import { WordSet } from '../text/word-set.ts'
import { isExpression, isTicket } from './program-identifiers.ts'
import { isProgram } from './non-secret-arguments.ts'
import { sizes } from './passphrases.ts'
import { rarity } from './rarity.ts'
import { isGenerated, isStatedSecret, mixesCase } from './stated-value.ts'
import { base64Alphabet } from '../text/base64-text.ts'
import { base58Set } from '../validators/base58.ts'

/** Points for the shape of a word. The more it has, the less its surroundings must add. */
const generated = 4
const marked = 3
const chosen = 2
/** For shapes that names of things have as often. */
const doubtful = -1

const firstOffSet = charSet('#@-$.+&%')
const markSet = charSet('!@#$%^&*+')
const lettersMin = 3
/** Shorter words of capitals and digits alone are models, articles and error codes. */
const upperUnitsMax = 20

/** Points for the shape of `[start, end)`; undefined if it is an ordinary word, or the name or number of something. */
export function pointsOfShape(text: string, start: number, end: number): number | undefined {
  if (inSet(firstOffSet, codeAt(text, start)) || text.startsWith('0x', start)) return undefined
  if (isNumber(text, start, end) || isDummyValue(text, start, end) || isProductName(text, start, end)) return undefined
  if (isMarkedPassword(text, start, end)) return marked
  if (isChosenPassword(text, start, end)) return pointsOfChosen(text, start, end)
  return isRareAlone(text, start, end) && isStatedSecret(text, start, end) ? generated : undefined
}

/** Whether it consists of hexadecimal digits, or has hardly any letters. */
export function isNumber(text: string, start: number, end: number): boolean {
  return consistsOf(text, start, end, hexSet) || countOf(text, start, end, letterSet) < lettersMin
}

function pointsOfChosen(text: string, start: number, end: number): number | undefined {
  if (
    isExpression(text, start, end) ||
    endsWithYear(text, end) ||
    isDotted(text, start, end) ||
    isVersioned(text, start, end)
  )
    return undefined
  if (isProgram(text, start, end) || isToolName(text, start, end)) return undefined
  return isNumberedName(text, start, end) ? doubtful : chosen
}

const longUnitsMin = 20
const longBits = 8
const shortUnitsMin = 8
const shortBits = 8.5

/** Whether it must be generated. */
function isRareAlone(text: string, start: number, end: number): boolean {
  if (isOfSort(text, start, end)) return false
  if (isGenerated(text, start, end)) return true
  const length = end - start
  if (isHost(text, start, end)) return false
  const bits = rarity(text, start, end)
  if (length >= longUnitsMin && mixesCase(text, start, end) && bits >= longBits) return true
  if (length < shortUnitsMin || bits < shortBits || characterClasses(text, start, end) < 3) return false
  // `Keccak256`, `Melkor82`; `X.Y.0rc1`.
  const word = runEnd(text, start, letterSet, length)
  if (countOf(text, start, end, digitSet) < 2 || runEnd(text, word, digitSet, length) === end) return false
  return countOf(text, start, end, dotSet) === 0 || countOf(text, start, end, markSet) > 0
}

function isProductName(text: string, start: number, end: number): boolean {
  const isShort = end - start < upperUnitsMax || countOf(text, start, end, nameJointSet) > 0
  if (isShort && countOf(text, start, end, lowerSet) === 0) return true
  if (isCoinAddress(text, start, end) || isEncodedText(text, start, end)) return true
  if (isAdvisory(text, start, end) || isInterface(text, start, end)) return true
  if (isFamily(text, start, end) || isMacro(text, start, end) || isOctets(text, start, end)) return true
  return isTicket(text, start, end) || isExpression(text, start, end) || isJoined(text, start, end)
}

/** Whether it is a family of parts: `STM32F0xx`, `GP2Y10xx`. */
function isFamily(text: string, start: number, end: number): boolean {
  return text.startsWith('xx', end - 2) && runEnd(text, start, upperDigitSet, end - start) === end - 2
}

/** Whether it is a constant whose last word is not in capitals: `RCU_APB1EN_BKPIEN_Msk`. */
function isMacro(text: string, start: number, end: number): boolean {
  const capitals = runEnd(text, start, constantSet, end - start)
  if (countOf(text, start, capitals, underscoreSet) < 2 || !inSet(upperSet, codeAt(text, start))) return false
  return end - capitals <= macroTailMax && consistsOf(text, capitals, end, base62Set)
}
const macroTailMax = 4

/** Whether it is the address of a device, as octets: `82-6b-de-ec-58-34-65-78`. */
function isOctets(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 3)
    if (runEnd(text, at, hexSet, 3) !== at + 2 || (at + 2 < end && codeAt(text, at + 2) !== 45)) return false
  return true
}

/** Whether it is a base58 address of Bitcoin or Tezos, which is public. */
function isCoinAddress(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start)
  if (end - start === tezosUnits && (text.startsWith('KT1', start) || text.startsWith('tz1', start)))
    return runEnd(text, start, base58Set, tezosUnits) === end
  if ((first !== 49 && first !== 51) || end - start < 26 || end - start > 35) return false
  return consistsOf(text, start, end, base58Set)
}
const tezosUnits = 36

/** Whether it is a host: `shop42.example.com`. */
function isHost(text: string, start: number, end: number): boolean {
  if (countOf(text, start, end, dotSet) === 0) return false
  const tail = runStart(text, end, letterSet, end - start)
  return tail < end - 1 && codeAt(text, tail - 1) === 46
}

/** Whether it is the id of an advisory without its prefix: `746g-3gfp-hfhw`, as of `GHSA-...`. */
function isAdvisory(text: string, start: number, end: number): boolean {
  if (end - start !== advisoryUnits) return false
  for (let i = start; i < end; i++) {
    const isDash = (i - start) % 5 === 4
    if (isDash ? text.charCodeAt(i) !== 45 : !inSet(advisorySet, text.charCodeAt(i))) return false
  }
  return true
}
const advisoryUnits = 14
const advisorySet = charSet('2-9', 'c', 'f-h', 'j', 'm', 'p-r', 'v-x')

/** Whether it is an interface of a network device: `Bundle-Ether1000`, `Loopback501`, `Virtual-Access1325`. */
export function isInterface(text: string, start: number, end: number): boolean {
  const number = runStart(text, end, digitSet, end - start)
  if (number === end) return false
  return interfaces.stands(text, runStart(text, number, letterSet, number - start), number)
}
const interfaces = new WordSet(
  'ethernet ether access loopback vlan tunnel channel serial dialer cellular bvi pseudowire template'.split(' ')
)

/** Whether it is the name of a tool or function of four words: `close_debit_card_4721`. */
function isToolName(text: string, start: number, end: number): boolean {
  return consistsOf(text, start, end, snakeSet) && countOf(text, start, end, underscoreSet) > 2
}

const encodedUnitsMin = 16

/**
 * Whether it is text in base64, `eyJhbGciOiJIUzI1NiJ9`, but not a user and a password. Drawn keys decode to bytes that
 * no text has.
 */
function isEncodedText(text: string, start: number, end: number): boolean {
  if (end - start < encodedUnitsMin || (end - start) % 4 === 1) return false
  let bits = 0
  let held = 0
  let isPair = false
  let isSentence = false
  for (let i = start; i < end; i++) {
    const digit = base64Alphabet.indexOf(text.charAt(i))
    if (digit < 0) {
      if (codeAt(text, i) !== 61 || i < end - 2) return false
      break
    }
    bits = ((bits << 6) | digit) & 0xffff
    held += 6
    if (held < 8) continue
    held -= 8
    const code = (bits >> held) & 0xff
    if (code > 126 || (code < 32 && !inSet(breakSet, code))) return false
    isPair ||= code === 58
    isSentence ||= code === 32 || code === 47 || code === 123
  }
  return isSentence || !isPair
}
const breakSet = charSet('\t\n\r')

const sortUnitsMax = 8
const idUnitsMax = 25

/** Whether it is an id behind its type: `cus_T2dbT3t6hyp9RE`. */
function isOfSort(text: string, start: number, end: number): boolean {
  const sort = runEnd(text, start, letterSet, sortUnitsMax + 1)
  if (sort === start || sort - start > sortUnitsMax || !inSet(nameJointSet, codeAt(text, sort))) return false
  return end - sort <= idUnitsMax && runEnd(text, sort + 1, base62Set, end - sort) === end
}

/**
 * Whether it is an account on a host, an issue, a version or a variable: `ops@host2`, `lean#502`, `dbus!54`,
 * `corretto@11`, `time$1`, `count+1`.
 */
function isJoined(text: string, start: number, end: number): boolean {
  const name = runEnd(text, start, dottedNameSet, end - start)
  const sign = codeAt(text, name)
  if (name === start || name + 1 >= end || !inSet(joiningSet, sign)) return false
  if (sign === 35) return true
  const isNumber = runEnd(text, name + 1, digitSet, end - name) === end
  // `time.Minute*5`.
  if (sign === 42) return isNumber && countOf(text, start, name, dotSet) > 0
  if (sign !== 64) return isNumber
  return isNumber ? end - name < 4 : inSet(letterSet, codeAt(text, name + 1))
}
const joiningSet = charSet('@#!$*+')

/** Whether it has a dot: `makefile.vcwin32`. */
function isDotted(text: string, start: number, end: number): boolean {
  return countOf(text, start, end, dotSet) > 0 && countOf(text, start, end, upperSet) === 0
}

const vowelSet = charSet('aeiouyAEIOUY')

/** Whether it is a name with a version: `libgtk-3-0`, `embedding-001`, `Cloud.7`, `png_uint_32`. */
function isVersioned(text: string, start: number, end: number): boolean {
  const number = runStart(text, end, digitSet, end - start)
  const before = codeAt(text, number - 1)
  if (number === end || number === start) return false
  if (before === 46) return true
  const isCounted = end - number < 2 || (codeAt(text, number) === 48 && end - number > 2)
  return inSet(nameJointSet, before) && (isCounted || sizes.has(text.slice(number, end)))
}

/** Whether it is a name with a number: `Salsa20`, `99designs`, `rhbz512536`, `render_404`, `gateway-2402`. */
function isNumberedName(text: string, start: number, end: number): boolean {
  if (inSet(digitSet, codeAt(text, start))) return true
  const number = runStart(text, end, digitSet, end - start)
  if (countOf(text, start, number, vowelSet) === 0) return true
  const name = runEnd(text, start, letterSet, end - start)
  if (name === number - 1 && inSet(nameJointSet, codeAt(text, name))) return true
  return number === end || (end - number < 3 && name === number)
}

/** Whether it is a name with the year of its edition, or all days of it: `Portal2024`, `Office365`. */
export function endsWithYear(text: string, end: number): boolean {
  const from = runStart(text, end, digitSet, 5)
  if (end - from === 3) return text.startsWith('365', from)
  return end - from === 4 && (text.startsWith('20', from) || text.startsWith('19', from))
}

const speakerUnits = 400

/** Whether the word is the name of a speaker nearby, `<ana42>`, `@ana42`, or made of one: `sofia_lima_5364`. */
export function isSpeaker(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - speakerUnits)
  if (isOfPerson(text, start, end)) return true
  const around = text.slice(from, end + speakerUnits)
  const word = text.slice(start, end)
  for (let at = around.indexOf(word); at >= 0; at = around.indexOf(word, at + 1)) {
    const before = codeAt(around, at - 1)
    // `https://docs.acme.dev/d/X` names it.
    if (before === 47 && at !== start - from) return true
    if (before === 60 || before === 64 || codeAt(around, at + word.length) === 62) return true
  }
  return false
}

/** Whether it is two names and a number, and the person was named before: `Sofia Lima` and `sofia_lima_5364`. */
export function isOfPerson(text: string, start: number, end: number): boolean {
  const [first = '', last = '', number] = text.slice(start, end).split('_')
  if (number === undefined || first.length < 2 || last.length < 2) return false
  const name = `${titled(first)} ${titled(last)}`
  return text.slice(Math.max(0, start - speakerUnits), start).includes(name)
}
const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
