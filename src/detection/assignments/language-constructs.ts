/**
 * Constructs between a name and its value where there is no operator: accessors of a property, tags of a list of pairs,
 * the block of a variable, an option with the value of the name before it.
 */
import {
  allBut,
  charSet,
  codeAt,
  digitSet,
  dottedNameSet,
  inSet,
  letterSet,
  lowerSet,
  quoteSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'
import { opensHashed } from './raw-text.ts'
import { skipBlanks, skipSigns, skipSpace } from './lexing.ts'
import { stringBelow } from './string-below.ts'

/**
 * Where the value behind such a construct begins.
 * @param at the first character behind the name and its blanks
 * @returns -1 if there is no such construct
 */
export function constructEnd(text: string, at: number, nameQuoted: boolean): number {
  switch (codeAt(text, at)) {
    case 45:
      return nameQuoted ? -1 : optionEnd(text, at)
    case 60:
      if (codeAt(text, at + 1) === 47) return nameQuoted && codeAt(text, at - 1) !== 93 ? -1 : tagsEnd(text, at)
      return nameQuoted ? -1 : arrowEnd(text, at)
    case 91:
      return nameQuoted ? -1 : arrayEnd(text, at)
    default:
      return nameQuoted ? blockDefaultEnd(text, at) : accessorEnd(text, at)
  }
}

const valueOptions = ['--body', '--value', '--secret-string', '--secret-value', '--data', '--password']
/** Other options that may stand between, with their values. */
const otherOptions = ['--type', '--region', '--env', '--app', '--overwrite', '--repo', '--org', '--scope']
const otherOptionsMax = 3

/** `gh secret set NAME --body "..."`, `put-parameter --name NAME --type SecureString --value "..."`. */
function optionEnd(text: string, at: number): number {
  let from = at
  for (let others = 0; others <= otherOptionsMax; others++) {
    const end = runEnd(text, from, optionSet, 24)
    const next = codeAt(text, end)
    if (next !== 61 && next !== 32) return -1
    const option = text.slice(from, end)
    if (valueOptions.includes(option)) return end + 1
    if (!otherOptions.includes(option)) return -1
    from = codeAt(text, end + 1) === 45 ? end + 1 : skipBlanks(text, runEnd(text, end + 1, optionValueSet, 40))
  }
  return -1
}
const optionSet = charSet('a-z', '-')
const optionValueSet = charSet('A-Z', 'a-z', '0-9', '_./-')

/** `name[] =`, `name[64] =`. */
function arrayEnd(text: string, at: number): number {
  const close = runEnd(text, at + 1, digitSet, 6)
  if (codeAt(text, close) !== 93) return -1
  const sign = skipBlanks(text, close + 1)
  return codeAt(text, sign) === 61 && codeAt(text, sign + 1) !== 61 ? sign + 1 : -1
}

/** An assignment in R: `name <- "value"`. */
function arrowEnd(text: string, at: number): number {
  const value = skipBlanks(text, at + 2)
  return inSet(quoteSet, codeAt(text, value)) ? value : -1
}

const typeUnitsMax = 24

/**
 * Past the operator behind a type: `const password string =`, `Const Password As String =`; or past a type in a
 * registry export.
 */
export function typeEnd(text: string, at: number): number {
  const from = text.startsWith('As ', at) ? at + 3 : at
  const end = runEnd(text, from, wordSet, typeUnitsMax)
  const sign = skipBlanks(text, end)
  if (sign === end) return -1
  if (codeAt(text, sign) === 61) return skipSigns(text, sign + 1)
  if (text.startsWith('REG_', from)) return sign
  return clauses.some((one) => text.startsWith(one, at)) ? clauseEnd(text, at) : -1
}

/** How COBOL and ABAP begin the clauses of a declaration: `PIC X(30) VALUE "..."`, `TYPE string VALUE '...'`. */
const clauses = ['PIC ', 'pic ', 'TYPE ', 'type ']
const valueWords = [' VALUE ', ' value ', ' VALUE IS ', ' value is ']
const clauseSet = charSet('A-Z', 'a-z', '0-9', '_()-', ' \t\r\n')
const clauseUnitsMax = 80

/** The quote behind the word `VALUE`, perhaps on the next line; -1 if there is none. */
function clauseEnd(text: string, at: number): number {
  const quote = runEnd(text, at, clauseSet, clauseUnitsMax)
  const clause = inSet(quoteSet, codeAt(text, quote)) ? text.slice(at, quote) : ''
  return valueWords.some((word) => clause.endsWith(word)) ? quote : -1
}

/** Characters in declared types behind a colon: `constant String`, `&'static str`, `Option<&str> | None`. */
const declaredSet = charSet('A-Z', 'a-z', '0-9', "_.[]*&:<>?@$|' ")
const declaredEnd = new NextOf(declaredSet, 'notIn')
const declaredUnitsMax = 48

/**
 * The quote of the value behind a type and an operator: `password: string = "..."`,
 * `password : constant String := "..."`, perhaps on the next line.
 * @param wordEnd where the first word of a possible type ends
 * @param textNumber identifies the text, so that a run of words is read once; 0 for none
 * @returns -1 if there is none
 */
export function declaredStart(text: string, at: number, wordEnd: number, textNumber = 0): number {
  const isType = wordEnd > at || codeAt(text, at) === 39
  const end = isType ? declaredEnd.at(text, at, Math.min(text.length, at + declaredUnitsMax), textNumber) : at
  if (end === at || codeAt(text, end) !== 61 || codeAt(text, end + 1) === 61) return -1
  const before = codeAt(text, end - 1)
  if (before !== 32 && (before !== 58 || codeAt(text, end - 2) !== 32)) return -1
  const sign = skipBlanks(text, end + 1)
  // A string of bytes, raw or formatted: `key: bytes = b"..."`.
  const value = inSet(literalPrefixSet, codeAt(text, sign)) && inSet(quoteSet, codeAt(text, sign + 1)) ? sign + 1 : sign
  return inSet(quoteSet, codeAt(text, value)) || opensHashed(text, value) ? value : stringBelow(text, sign)
}
const literalPrefixSet = charSet('bBrRuUfFLNE@$')

/** The quote behind a constructor of one value: `Just "..."`, `Some "..."`; -1 if there is none. */
export function constructorArgument(text: string, at: number, wordEnd: number): number {
  const isMaker = wordEnd > at + 1 && upperSet[codeAt(text, at)] === 1 && lowerSet[codeAt(text, wordEnd - 1)] === 1
  return isMaker && codeAt(text, wordEnd) === 32 && codeAt(text, wordEnd + 1) === 34 ? wordEnd + 1 : -1
}

const elementUnitsMax = 128
const elementStopSet = charSet('[](){},;= \t\r\n"\'`')
const behindListSet = charSet(',})];&\r\n\0')

/**
 * Where the only element ends of a list that is printed without quotes, from `at` on: `[...], user=[...]`; -1 if it is
 * not such a list.
 */
export function onlyElementEnd(text: string, at: number): number {
  let end = at + 1
  while (end - at < elementUnitsMax && end < text.length && !inSet(elementStopSet, text.charCodeAt(end))) end++
  return end > at + 1 && codeAt(text, end) === 93 && inSet(behindListSet, codeAt(text, end + 1)) ? end : -1
}

/** How a function without parameters is written that returns a literal. */
const givingHeads = ['() => ', '() -> ', '()=>', 'async () => ']

/** The literal that a function without parameters returns: `() => "..."`; `at` if there is none. */
export function returnedLiteral(text: string, at: number): number {
  const first = codeAt(text, at)
  if (first !== 97 && (first !== 40 || codeAt(text, at + 1) !== 41)) return at
  const head = givingHeads.find((one) => text.startsWith(one, at))
  const quote = at + (head?.length ?? 0)
  return head !== undefined && inSet(quoteSet, codeAt(text, quote)) ? quote : at
}

const attributesUnitsMax = 200

/**
 * Whether the character at `at` closes the tag behind which a value stands.
 * @param quotedNameEnd where a quoted name ends that is an attribute naming the element, as in
 *   `<string name="api_key">`; 0 otherwise
 */
export function opensElement(text: string, at: number, quotedNameEnd: number): boolean {
  const next = codeAt(text, at + 1)
  if (next === 62 || next === 61) return false
  // `pwd->pw_name` is a member rather than an element.
  if (quotedNameEnd === 0) return codeAt(text, at - 1) !== 45
  const quote = runStart(text, quotedNameEnd, dottedNameSet, 80) - 1
  return elementNames.some((attribute) => text.startsWith(attribute, quote - attribute.length))
}

/** Attributes that name what an element contains. */
const elementNames = ['name=', ' key=', ' id=', 'testid=']

/** Past the attributes of an element: `<wsse:Password Type="...">`; -1 if no such element is open. */
export function attributesEnd(text: string, nameStart: number, at: number): number {
  let open = nameStart - 1
  if (codeAt(text, open) === 58) open = runStart(text, open, tagSet, tagUnitsMax) - 1
  if (codeAt(text, open) !== 60) return -1
  const limit = Math.min(text.length, at + attributesUnitsMax)
  let quote = 0
  for (let i = at; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 60 || code === 10) return -1
    if (code === quote) quote = 0
    else if (quote === 0 && (code === 34 || code === 39)) quote = code
    // An empty element ends in a slash.
    else if (quote === 0 && code === 62) return text.charCodeAt(i - 1) === 47 ? -1 : i + 1
  }
  return -1
}

const rawHead = '<![CDATA['
const rawUnitsMax = 512

/** Past the start of a CDATA section; `at` if there is none. */
export function rawContentStart(text: string, at: number): number {
  return text.startsWith(rawHead, at) ? at + rawHead.length : at
}

/** Where it ends on the same line; -1 if it does not. */
export function rawContentEnd(text: string, at: number): number {
  const limit = Math.min(text.length, at + rawUnitsMax)
  for (let i = at; i < limit && text.charCodeAt(i) !== 10; i++) if (text.startsWith(']]>', i)) return i
  return -1
}

/** Whether blanks and a quote follow, as behind the two colons of a hidden field. */
export function isBeforeQuote(text: string, at: number): boolean {
  const next = skipBlanks(text, at)
  return next > at && inSet(quoteSet, codeAt(text, next))
}

const valueTags = ['string', 'value', 'param-value', 'stringvalue', 'env-entry-value', 'td', 'dd']
/** Tags that may stand around the content of one of these. */
const innerTags = ['pre', 'code', 'span']
const tagUnitsMax = 20
const tagAttributesMax = 80

/** `<key>name</key> <string>`, `<name>name</name> <value>`, `<td>name</td><td class="v"><pre>`. */
function tagsEnd(text: string, at: number): number {
  const close = tagEnd(text, at + 2, [])
  if (close < 0) return -1
  const open = skipSpace(text, close)
  const end = codeAt(text, open) === 60 ? tagEnd(text, open + 1, valueTags) : -1
  const inner = end >= 0 && codeAt(text, end) === 60 ? tagEnd(text, end + 1, innerTags) : -1
  return inner >= 0 ? inner : end
}

/** Past the end of a tag, perhaps with attributes, with one of some names or any. */
function tagEnd(text: string, from: number, names: readonly string[]): number {
  const end = runEnd(text, from, tagSet, tagUnitsMax)
  if (end === from || (names.length > 0 && !names.includes(text.slice(from, end).toLowerCase()))) return -1
  if (codeAt(text, end) === 62) return end + 1
  if (codeAt(text, end) !== 32) return -1
  const close = runEnd(text, end, attributeSet, tagAttributesMax)
  return codeAt(text, close) === 62 && codeAt(text, close - 1) !== 47 ? close + 1 : -1
}
const tagSet = charSet('A-Z', 'a-z', '-')
const attributeSet = charSet('A-Z', 'a-z', '0-9', ' _-="\'#:;./%')

/** Past the tag around the value of an element: `<Password><Value>`; `at` if there is none. */
export function innerElementStart(text: string, at: number): number {
  const end = codeAt(text, at) === 60 ? tagEnd(text, at + 1, ['value']) : -1
  return end >= 0 ? end : at
}

const accessorUnitsMax = 48

/** `{ get; set; } =`, and a block that returns a literal: `password { "..." }`. */
function accessorEnd(text: string, at: number): number {
  const first = skipBlanks(text, at + 1)
  if (!text.startsWith('get;', first)) return first > at + 1 && closesBlock(text, first) ? first : -1
  const limit = Math.min(text.length, at + accessorUnitsMax)
  for (let i = first + 4; i < limit; i++) {
    if (text.charCodeAt(i) !== 125) continue
    const sign = skipBlanks(text, i + 1)
    return codeAt(text, sign) === 61 && codeAt(text, sign + 1) !== 62 ? sign + 1 : -1
  }
  return -1
}

const declarationUnitsMax = 120
const defaultLabel = 'default'
const otherOptionMarks = ['"--', "'--", ';', ')\n']

/** Past `default=` in the declaration of an option: `add_argument("--password", type=str, default="...")`. */
export function defaultValueEnd(text: string, at: number): number {
  const rest = text.slice(at, at + declarationUnitsMax)
  const label = rest.indexOf(defaultLabel)
  const between = rest.slice(0, Math.max(label, 0))
  // The next option has a name of its own, and a separator precedes the next statement.
  if (label < 0 || otherOptionMarks.some((mark) => between.includes(mark))) return -1
  const sign = skipBlanks(text, at + label + defaultLabel.length)
  if (codeAt(text, sign) !== 61 && codeAt(text, sign) !== 58) return -1
  const value = skipBlanks(text, sign + 1)
  return inSet(quoteSet, codeAt(text, value)) ? value : -1
}

/** The same in an object: `.option("password", { type: "string", default: "..." })`. */
export function defaultMemberEnd(text: string, at: number): number {
  const value = codeAt(text, at) === 123 ? defaultValueEnd(text, at + 1) : -1
  // It must be a member of this object, and of none within it.
  return value >= 0 && runEnd(text, at + 1, memberSet, declarationUnitsMax) >= value ? value : -1
}
const memberSet = allBut('{}')

const blockTextMax = 128

/** Whether a literal stands at `at` that ends its block. */
function closesBlock(text: string, at: number): boolean {
  const quote = codeAt(text, at)
  if (quote !== 34 && quote !== 39) return false
  const rest = text.slice(at + 1, at + blockTextMax)
  const close = rest.indexOf(String.fromCharCode(quote))
  return close > 0 && codeAt(text, skipBlanks(text, at + close + 2)) === 125
}

const blockUnitsMax = 400

/** Past `default = ` in a block `variable "name" {` that opens at `at`; -1 if it is no such block. */
export function blockDefaultEnd(text: string, at: number): number {
  if (codeAt(text, at) !== 123) return -1
  const limit = Math.min(text.length, at + blockUnitsMax)
  let lineStart = false
  for (let i = at + 1; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) lineStart = true
    else if (code === 125) return -1
    else if (lineStart && code > 32) {
      lineStart = false
      if (!text.startsWith('default', i) || inSet(letterSet, codeAt(text, i + 7))) continue
      const sign = skipBlanks(text, i + 7)
      return codeAt(text, sign) === 61 ? sign + 1 : -1
    }
  }
  return -1
}
