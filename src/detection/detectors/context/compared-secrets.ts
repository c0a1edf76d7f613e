/**
 * Passwords and tokens that a program compares, substitutes or returns under the name of a secret:
 * `assertEquals("...", user.getPassword())`, `.unwrap_or("...")` (decision 138).
 */
import { LiteralList } from '../../arguments/literals.ts'
import { nameEnd, nameParts, nameStart, noName, passwordName, rateName } from '../../values/key-names.ts'
import { skipBlanks, skipSpace } from '../../assignments/lexing.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { type Guard, type Pairs, standsBehindName } from '../../anchor-guard.ts'
import { filler } from '../../sample-text.ts'
import {
  assignSet,
  backslashSet,
  charSet,
  codeAt,
  consistsOf,
  inSet,
  letterSet,
  nameSet,
  openBracketSet,
  runEnd,
  runStart,
  standsAt,
  stringQuoteSet
} from '../../text/chars.ts'
import { isChosenPassword } from '../../values/chosen-passwords.ts'
import { Places } from '../../text/places.ts'
import { accessLook } from '../../values/access-value.ts'
import { isDummyValue, isOrdinary, isSecretValue } from '../../values/generic-value.ts'

const names = ['credential', 'apikey', 'api_key', 'psk']
const shortNames = ['pass', 'pwd', 'token', 'secret', '_pw']
/** What follows the name in a list of arguments, or in a list of names. */
const closing: Pairs = [
  [charSet(',)'), charSet(' ).,;:\n{"\'')],
  [charSet('('), charSet(')s')],
  [stringQuoteSet, charSet('])')]
]
const guard: Guard = { behindName: closing }
/** `user, password = "ops", "..."`. */
const unpacking: Pairs = [...closing, [charSet(' ]'), charSet('= )')], [charSet(':'), charSet('=')]]
const unpackGuard: Guard = { behindName: unpacking }
const comparisons = [
  '" == ',
  "' == ",
  '" === ',
  "' === ",
  '" != ',
  '" !== ',
  '".equals(',
  '".equalsIgnoreCase(',
  '" eq ',
  "' eq "
]

const closeSet = charSet('"\')(]')
const closersMax = 5
const chainSet = charSet('A-Z', 'a-z', '0-9', '_.$>()-?!@&*:[]\'"\\')
const chainUnitsMax = 72
const valueUnitsMax = 128

/** The literal that opens at `quote`, if the name whose keyword stands at `nameAt` makes it a secret. */
function judged(text: string, quote: number, nameAt: number): Match | undefined {
  if (!inSet(stringQuoteSet, codeAt(text, quote))) return undefined
  const close = text.slice(quote + 1, quote + 1 + valueUnitsMax).indexOf(text.charAt(quote))
  return close < 0 ? undefined : judgedValue(text, quote + 1, quote + 1 + close, nameAt)
}

function judgedValue(text: string, start: number, to: number, nameAt: number): Match | undefined {
  // Within JSON a backslash stands before the quote.
  const end = runStart(text, to, backslashSet, backslashesMax)
  const isChosen = isChosenPassword(text, start, end)
  if (isOrdinary(text, start, end) && !isChosen) return undefined
  const name = rateName(text, ownStart(text, nameStart(text, nameAt), nameAt), nameEnd(text, nameAt), nameAt)
  if (name === noName) return undefined
  if (!consistsOf(text, start, end, plainSet)) return undefined
  const isFound =
    isSecretValue(text, start, end, name, { quoted: true, doubtful: true }) ||
    (name === passwordName && isChosen && !isDummyValue(text, start, end))
  return isFound ? contextMatch(start, end) : undefined
}

const backslashesMax = 4
/** Characters of plain values; encoded ones, and hashes with their scheme, contain others. */
const plainSet = charSet('A-Z', 'a-z', '0-9', '!#&*+-./:=?@^_~$,;<>|')

/** The length of the part of an anchor that precedes its keyword: `api_` in `api_key`. */
function headUnits(text: string, at: number): number {
  if ((codeAt(text, at) | 32) !== 97) return 0
  return codeAt(text, at + 3) === 95 ? 4 : 3
}

/** Where the noun of a method name begins: `Password` in `getPassword`. */
function ownStart(text: string, start: number, at: number): number {
  const own = text.startsWith('get_', start) ? start + 4 : text.startsWith('get', start) ? start + 3 : start
  return own <= at ? own : start
}

/** How far a name may continue behind its keyword, in code units. */
const nameTailMax = 24
const behindSet = charSet(',)("\' :]=')
const methodSet = charSet('A-Z', 'a-z', '0-9', '_. ')
const methodUnitsMax = 40
const caseLabel = 'case '

/** What follows the name and the brackets that close behind it. */
function behind(text: string, at: number, textNumber: number): Match | undefined {
  const end = runEnd(text, at, nameSet, nameTailMax)
  if (!inSet(behindSet, codeAt(text, end))) return undefined
  const returned = returnedText(text, end, at)
  if (returned !== undefined) return returned
  const closed = runEnd(text, end, closeSet, closersMax)
  if (codeAt(text, skipBlanks(text, closed)) === 61 || text.startsWith(':=', skipBlanks(text, closed)))
    return assigned(text, skipBlanks(text, closed), at) ?? remarked(text, closed, at, textNumber)
  const code = codeAt(text, closed)
  // `hasattr(pwd, 'getpwuid')` asks for a member of a module.
  if (code === 44 && text.endsWith('attr(', nameStart(text, at))) return undefined
  if (code === 44)
    return inSet(stringQuoteSet, codeAt(text, closed - 1))
      ? undefined
      : lastArgument(text, quoteAt(text, closed + 1), at)
  if (closed === end || !inSet(bracketSet, codeAt(text, closed - 1))) return undefined
  if (code === 46) {
    const method = runEnd(text, closed + 1, methodSet, methodUnitsMax)
    const quote = codeAt(text, method) === 40 ? method + 1 : method
    return compares(text, closed, method) ? judged(text, quoteAt(text, quote), at) : undefined
  }
  const brace = skipSpace(text, closed)
  const label = skipSpace(text, codeAt(text, brace) === 123 || codeAt(text, brace) === 58 ? brace + 1 : brace)
  return text.startsWith(caseLabel, label) ? judged(text, label + caseLabel.length, at) : undefined
}

const bracketSet = charSet(')]')

/** The last argument: `strcmp(pass, "...")`. */
function lastArgument(text: string, quote: number, at: number): Match | undefined {
  const found = judged(text, quote, at)
  if (found === undefined) return undefined
  const close = runEnd(text, found.end, backslashSet, backslashesMax)
  return codeAt(text, skipSpace(text, close + 1)) === 41 ? found : undefined
}

const equalWords = new Set('equal equals eql eq be same is or else unwrap default fallback compare'.split(' '))
const otherMethods = new Set(
  'property have contain contains include includes called thrown instance start end starts ends length'.split(' ')
)

/** Whether the method named in `[start, end)` compares its argument with the value, or substitutes it. */
function compares(text: string, start: number, end: number): boolean {
  const parts = nameParts(text, start, end)
  return parts.some((part) => equalWords.has(part)) && !parts.some((part) => otherMethods.has(part))
}

const bodyUnitsMax = 200
const returnWord = 'return '
/** What precedes the literal that a function of one expression returns. */
const givingBack = ['{', '=>', '=', 'echo', '->']

/**
 * The literal returned by the first statement of a function with such a name: `token() { return "..." }`,
 * `fun token() = "..."`.
 */
function returnedText(text: string, end: number, at: number): Match | undefined {
  const isCall = codeAt(text, end) === 40
  if (!isCall && !text.startsWith(' {', end)) return undefined
  const body = text.slice(end, end + bodyUnitsMax)
  const word = body.indexOf(returnWord)
  if (word >= 0 && isHead(body.slice(0, word), isCall))
    return judged(text, quoteAt(text, end + word + returnWord.length), at)
  const quote = body.indexOf('"')
  if (quote < 0 || !body.startsWith('()')) return undefined
  const head = body.slice('()'.length, runStart(body, quote, backslashSet, backslashesMax))
  const last = head.trimEnd()
  if (last.endsWith('=') && !isType(last.slice(0, -1).trim())) return undefined
  const gives = givingBack.some((one) => last.endsWith(one)) && otherHeadSigns.every((sign) => !head.includes(sign))
  return gives ? judged(text, end + quote, at) : undefined
}

/** Whether only a type, or nothing, stands between the brackets of a function and its body. */
function isType(written: string): boolean {
  return written === '' || written.startsWith(':')
}

/** Characters that occur neither in the type of a function nor in the bracket that opens its body. */
const otherHeadSigns = ['(', ')', ',', ';', '}', '.', '+', '!', '?', '|']

function isHead(head: string, isCall: boolean): boolean {
  return !head.includes('}') && !head.includes(';') && (!isCall || head.includes(')'))
}

const literals = new LiteralList()

/** What the operator at `sign` assigns, if it is not simply a literal. */
function assigned(text: string, sign: number, at: number): Match | undefined {
  const lambda = text.startsWith(arrow, sign) ? judged(text, quoteAt(text, sign + arrow.length), at) : undefined
  return lambda ?? unpacked(text, sign, at)
}
const arrow = '= () => '

/**
 * The literal at the name's position among several: `user, password = "ops", "..."`,
 * `const [user, pass] = ["ops", "..."]`.
 */
function unpacked(text: string, sign: number, at: number): Match | undefined {
  const start = nameStart(text, at)
  const prior = runStart(text, start, blankSet, 4)
  if (codeAt(text, prior - 1) !== 44) return undefined
  const from = skipBlanks(text, runEnd(text, sign, assignSet, 2))
  if (!inSet(listedSet, codeAt(text, from))) return undefined
  const line = text.slice(Math.max(0, start - chainUnitsMax), start)
  const names = line.slice(Math.max(...['\n', '(', '[', '{', ';', '"', "'"].map((one) => line.lastIndexOf(one))) + 1)
  const place = names.split(',').length - 1
  if (place === 0 || names.includes('=')) return undefined
  literals.read(text, inSet(openBracketSet, codeAt(text, from)) ? from + 1 : from)
  for (let i = 0; i < literals.count; i++)
    if (literals.depth(i) === 1 && literals.place(i) === place)
      return judgedValue(text, literals.start(i), literals.endOf(i), at)
  return undefined
}
const blankSet = charSet(' $@')
/** Characters with which one literal, or a list of them, begins. */
const listedSet = charSet('([{"\'\\')

/** Of several in a line, the first of these begins the comment. */
const remarkSigns = [' # ', ' // ', ' -- ']
const lineBreak = remarkSigns.length
const lineUnitsMax = 200
/** Line breaks, and the numbers of the signs of comments: many names may stand on one line. */
const remarks = new Places((text, at) => {
  const code = text.charCodeAt(at)
  if (code !== 32) return code === 10 ? lineBreak : undefined
  const sign = remarkSigns.findIndex((one) => text.startsWith(one, at))
  return sign < 0 ? undefined : sign
})

/** The comment, and the end of its line, that follow `from`; undefined if there is none. */
function remarkBehind(text: string, from: number, textNumber: number): { start: number; end: number } | undefined {
  const to = Math.min(text.length, from + lineUnitsMax)
  let sign = lineBreak
  let start = 0
  for (let i = remarks.read(text, from, to, textNumber); i < remarks.count && remarks.place(i) < to; i++) {
    const place = remarks.place(i)
    const found = remarks.found(i)
    if (found === lineBreak) return sign === lineBreak ? undefined : { start, end: place }
    const signEnd = place + (remarkSigns[found] as string).length
    if (found < sign && signEnd <= to) {
      sign = found
      start = signEnd
    }
  }
  return sign === lineBreak ? undefined : { start, end: to }
}

/**
 * A word in the comment behind an assignment, if it is generated:
 * `password = os.environ["PASSWORD"]  # on staging: ...`.
 */
function remarked(text: string, from: number, at: number, textNumber: number): Match | undefined {
  const remark = remarkBehind(text, from, textNumber)
  if (remark === undefined) return undefined
  for (let i = remark.start; i < remark.end;) {
    const end = runEnd(text, i, wordSet, remark.end - i)
    const to = inSet(stopSet, codeAt(text, end - 1)) ? end - 1 : end
    const look = to > i ? accessLook(text, i, to) : 'none'
    if (look === 'chosen' || look === 'generated') return judgedValue(text, i, to, at)
    i = end + 1
  }
  return undefined
}
const wordSet = charSet('A-Z', 'a-z', '0-9', '!#$%&*+-./:=?@^_~')
const stopSet = charSet('.:')

/** The quote behind blanks and a prefix of a literal. */
function quoteAt(text: string, from: number): number {
  const i = runEnd(text, skipSpace(text, from), backslashSet, backslashesMax)
  return inSet(letterSet, codeAt(text, i)) && inSet(stringQuoteSet, codeAt(text, i + 1)) ? i + 1 : i
}

/** The literal before the expression that ends in the name: `assertEquals("...", user.getPassword())`. */
function before(text: string, at: number): Match | undefined {
  const end = runEnd(text, at, nameSet, nameTailMax)
  if (codeAt(text, text.startsWith('()', end) ? end + 2 : end) !== 41) return undefined
  const start = runStart(text, at, memberSet, chainUnitsMax)
  let i = start
  while (i > 0 && start - i < 24 && text.charCodeAt(i - 1) <= 32) i--
  if (codeAt(text, i - 1) !== 44 || !inSet(stringQuoteSet, codeAt(text, i - 2))) return undefined
  const open = openOf(text, i - 2)
  return open >= 0 && isAsserted(text, open) ? judgedValue(text, open + 1, i - 2, at) : undefined
}

/** Whether the call around `at` compares its arguments. */
function isAsserted(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - calleeUnitsMax), at)
  const statement = line.slice(line.lastIndexOf(';') + 1).toLowerCase()
  return assertions.some((word) => statement.includes(word))
}
const calleeUnitsMax = 64
const assertions = ['assert', 'equal', 'compare', 'expect', 'same', 'verify', 'check', 'strcmp', '(eq ']
const memberSet = charSet('A-Z', 'a-z', '0-9', '_.$>-?!&*:')

/** The quote that opens the literal which closes at `close`, if its length fits a secret; otherwise -1. */
function openOf(text: string, close: number): number {
  const from = Math.max(0, close - valueUnitsMax)
  const open = text.slice(from, close).lastIndexOf(text.charAt(close))
  return open < 0 || close - from - open <= valueUnitsMin ? -1 : from + open
}
const valueUnitsMin = 4

/** The literal on the left of a comparison: `"..." == password`, `"...".equals(form.getPassword())`. */
function compared(text: string, close: number, from: number): Match | undefined {
  const open = openOf(text, close)
  if (open < 0) return undefined
  const end = runEnd(text, from, chainSet, chainUnitsMax)
  const expression = text.slice(from, end).toLowerCase()
  for (const name of comparedNames) {
    const word = expression.lastIndexOf(name)
    const found = word < 0 ? undefined : judgedValue(text, open + 1, close, from + word + headUnits(expression, word))
    if (found !== undefined) return found
  }
  return undefined
}
const comparedNames = [...shortNames, ...names]

export const comparedSecretDetectors: readonly Detector[] = [
  {
    id: 'compared_secret',
    label: 'PASSWORD',
    title: 'password or token that a program compares',
    group: 'secret',
    tier: 'medium',
    lengthMin: 12,
    anchors: [
      ...names.map((literal) => ({ literal, fold: true as const, guard })),
      ...shortNames.map((literal) => ({ literal, fold: true as const, guard: unpackGuard })),
      ...comparisons.map((literal) => ({ literal }))
    ],
    match(text, at, { textNumber }) {
      if (!inSet(stringQuoteSet, codeAt(text, at))) {
        const pairs = names.some((name) => standsAt(text, at, name)) ? closing : unpacking
        if (!standsBehindName(text, at, pairs, textNumber)) return undefined
        const word = at + headUnits(text, at)
        return behind(text, word, textNumber) ?? before(text, word)
      }
      const comparison = comparisons.find((one) => text.startsWith(one, at))
      return comparison === undefined ? undefined : compared(text, at, at + comparison.length)
    },
    hits: () => [
      `assertEquals("${filler(14)}42", user.getPassword());`,
      `expect(cfg.password).toBe('${['violet', '8841'].join('')}')`,
      `assert_eq!(config.api_token, "${filler(32)}");`,
      `if (!"${filler(14)}42".equals(request.getParameter("password"))) {`,
      `if "${filler(14)}42" == os.Getenv("ADMIN_PASSWORD") {`,
      `switch (password) {\n  case "${filler(14)}42":\n    return grant();`,
      `if (strcmp(pass, "${filler(14)}42") == 0)`,
      `connect(host, std::env::var("PASS").unwrap_or("${filler(14)}42".into()))`,
      `std::string Client::token() const {\n  return "${filler(32)}";\n}`,
      `password = os.environ["DB_PW"]  # on staging: ${filler(14)}42`,
      `fun apiKey() = "${filler(32)}"`,
      `fn token() -> &'static str { "${filler(32)}" }`,
      `getToken = () => "${filler(32)}"`,
      `user, password = "ops", "${filler(14)}42"`,
      `const [user, pass] = ['ops', '${filler(14)}42']`,
      `assert_eq!(config.api_token, \\"${filler(32)}\\");`,
      `fun apiKey() = \\"${filler(32)}\\"`,
      `if \\"${filler(14)}42\\" == os.Getenv(\\"ADMIN_PASSWORD\\") {`,
      `user, password = \\"ops\\", \\"${filler(14)}42\\"`
    ],
    misses: () => [
      `@skipUnless(hasattr(pwd, 'getpwuqid'), "needs pwd")`,
      'assertEquals("Abc", user.getName());',
      'assertEquals("wrong password", error.getPassword());',
      `new Transport(self.USER, self.PASSWORD, "eu-west-1", null)`,
      `expect(token).toHaveProperty("x5t${filler(6)}")`,
      `Tempfile.new("${filler(12)}42", Dir.pwd, encoding)`,
      `new Gateway(login: "${filler(12)}42", password)`,
      'if ("admin" == password) return',
      'password = os.environ["DB_PW"]  # see JIRA-1234 and https://acme.dev/x9Zk2LqWx8',
      `if (token() && name == "${filler(32)}") {`,
      `const token = getToken()\nuse(name, "${filler(32)}")`,
      `def token(self):\n    value = 1; return "${filler(32)}"`,
      `if (url.encodedPassword() == "c%3A%01%40%2F")`,
      `user, password = load("${filler(12)}42"), ask()`
    ],
    source: 'How programs and their tests compare; the name beside is the evidence.'
  }
]
