/** Passwords passed to a format string, recognised by their position: `sprintf("user=%s password=%s", "ops", "...")`. */
import { Call } from '../../arguments/call.ts'
import { contextMatch, type Detector, type Match, type TextContext } from '../../detector.ts'
import { filler } from '../../sample-text.ts'
import {
  backslashSet,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  inSet,
  letterSet,
  quoteSet,
  runStart,
  standsAt
} from '../../text/chars.ts'
import { Places } from '../../text/places.ts'
import { passwordName } from '../../values/key-names.ts'
import { isSecretValue } from '../../values/generic-value.ts'

const call = new Call()

/** What precedes the directive for a password: the name of a property, or the user in a URL. */
const names = ['password=', 'passwd=', 'pwd=', "password='", "identified by '"]
const places = ['%s', '%v', '{}']
const numbered = ['{0}', '{1}', '{2}', '{3}', '{4}', '{5}']
const pairs = ['%s:%s@', '{}:{}@', '%v:%v@', '{0}:{1}@']
/** The user is written out: `postgres://app:{}@db`. */
const behindUser = places.map((place) => `:${place}@`)
const anchors = [
  ...names.flatMap((name) => [...places, ...numbered].map((place) => name + place)),
  ...pairs,
  ...behindUser
]

const formatUnitsMax = 240

/** Line breaks, and the quotes that may open a string: many names may stand in one. */
const openings = new Places((text, at) => {
  const code = text.charCodeAt(at)
  if (code === lineBreak) return code
  if (!inSet(quoteSet, code)) return undefined
  // A quote behind an equals sign belongs to the string: `password='%s'`.
  const isWithin = code === 39 && (codeAt(text, at - 1) === 61 || codeAt(text, at - 1) === 32)
  return isWithin ? undefined : code
})
const lineBreak = 10

/** The quote that opens the string around `at` on the same line; -1 if there is none. */
function openingQuote(text: string, at: number, textNumber: number): number {
  const last = openings.readLast(text, Math.max(0, at - formatUnitsMax + 1), at, textNumber)
  return last < 0 || openings.found(last) === lineBreak ? -1 : openings.place(last)
}

/** The number of format directives in `[from, to)`. */
function placesIn(text: string, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    const next = codeAt(text, i + 1)
    if (code === 37 && next === 37) i++
    else if ((code === 37 && inSet(letterSet, next)) || (code === 123 && next === 125)) count++
  }
  return count
}

/** What may stand between the format string and its arguments. */
const joints = [', ', ' % (', '.format(', ',\n', '.formatted(', ' %(']

/** Where the first argument begins behind the closing quote of the format string; -1 if there is none. */
function argumentsFrom(text: string, at: number, quote: number): number {
  const limit = Math.min(text.length, at + formatUnitsMax)
  let close = at
  while (close < limit && text.charCodeAt(close) !== quote && text.charCodeAt(close) !== 10) close++
  if (codeAt(text, close) !== quote) return -1
  const joint = joints.find((one) => text.startsWith(one, close + 1))
  return joint === undefined ? -1 : close + 1 + joint.length
}

function filledIn(text: string, at: number, { textNumber }: TextContext): Match | undefined {
  const open = openingQuote(text, at, textNumber)
  if (open < 0) return undefined
  const mark = anchors.find((one) => standsAt(text, at, one))
  if (mark === undefined) return undefined
  const isPair = pairs.includes(mark)
  const sign = isPair ? mark.indexOf(':') + 1 : Math.max(mark.indexOf('%'), mark.indexOf('{'))
  const digit = mark.charCodeAt(sign + 1)
  const place = inSet(digitSet, digit) ? digit - 48 : placesIn(text, open + 1, at + sign)
  const escapes = open - runStart(text, open, backslashSet, 4)
  const from = argumentsFrom(text, at + mark.length, escapes > 0 ? 92 : text.charCodeAt(open))
  if (from < 0) return undefined
  call.read(text, from)
  return place < call.count && call.sort(place) === 'text' ? judged(text, call.start(place)) : undefined
}

function judged(text: string, at: number): Match | undefined {
  const quote = inSet(quoteSet, codeAt(text, at)) ? at : at + 1
  const close = text.indexOf(text.charAt(quote), quote + 1)
  const start = quote + 1
  const isFound =
    close - start <= formatUnitsMax &&
    consistsOf(text, start, close, valueSet) &&
    countOf(text, start, close, digitSet) > 0 &&
    isSecretValue(text, start, close, passwordName, { quoted: true, doubtful: false })
  return isFound ? contextMatch(start, close) : undefined
}
const valueSet = charSet('A-Z', 'a-z', '0-9', '!#%&()*+,-./:;<=>?@[]^_{|}~$')

export const formatPasswordDetectors: readonly Detector[] = [
  {
    id: 'format_password',
    label: 'PASSWORD',
    title: 'password that a program fills into a text',
    group: 'secret',
    tier: 'medium',
    lengthMin: 20,
    anchors: anchors.map((literal) => ({ literal, fold: true })),
    match: filledIn,
    hits: () => [
      `fmt.Sprintf("host=%s user=%s password=%s dbname=%s", host, "shop", "${filler(12)}", "shop")`,
      `dsn := fmt.Sprintf("%s:%s@tcp(%s)/%s", "root", "${filler(12)}", "db:3306", "shop")`,
      `url = "postgresql://{}:{}@{}/{}".format("shop", "${filler(12)}", "db", "shop")`,
      `conn = "host=%s password=%s" % ("db", "${filler(12)}")`,
      `let url = format!("postgres://app:{}@db/shop", "${filler(12)}");`,
      `string.Format("Server={0};User Id={1};Password={2}", server, "sa", "${filler(12)}")`
    ],
    misses: () => [
      'fmt.Sprintf("host=%s password=%s", host, password)',
      'fmt.Sprintf("%s:%s@tcp(%s)/%s", user, password, "10.0.0.12:3306", "shop")',
      'log.Printf("password=%s", "required")',
      'format!("postgres://app:{}@db/shop", password)',
      `log.Printf("password=%s", mask(p), "${filler(12)}")`,
      'println!("{}:{}@{}", "root", "secret", host)'
    ],
    source: 'The manuals of printf(3), Go (fmt), Python (str.format) and .NET (String.Format).'
  }
]
