/** Values that refer to a secret instead of being one: variables, calls, templates, schemas and interface text. */
import {
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  dottedNameSet,
  identifierSet,
  inSet,
  letterSet,
  runEnd,
  wordSet
} from '../text/chars.ts'
import { rarity } from './rarity.ts'

/** Beginnings of expressions that no bare value has. */
const templateStarts = ['${', '$(', '$[', '{{', '{%', '<%', '#{', '%{', '@{', '%(', '*.', '&{', '[[', '@Value', '__']
const holderStarts = [
  'process.env',
  'import.meta',
  'os.environ',
  'os.getenv',
  'env.',
  'ENV[',
  'System.getenv',
  'secrets.',
  'vault:',
  'op://',
  'ssm:',
  'aws:',
  'arn:',
  'projects/',
  'file:',
  'unix:/',
  'unix:$',
  'env:',
  'var.',
  'local.',
  'data.',
  'self.',
  'this.',
  'config.',
  'kms:',
  'npm:',
  'workspace:',
  'patch:',
  'ENC[',
  'ENC(',
  'EV[1:',
  'encrypted:',
  // `docker build --secret id=npmrc,src=...`
  'id=',
  'src=',
  'source=',
  'type='
]

/** By their first code. Most values begin with none of them, or with that of one or two. */
const startsByCode = new Map<number, readonly string[]>()
for (const sign of [...templateStarts, ...holderStarts]) {
  const code = sign.charCodeAt(0)
  startsByCode.set(code, [...(startsByCode.get(code) ?? []), sign])
}
const firstSet = charSet(String.fromCharCode(...startsByCode.keys()))

/** Whether the value in `[start, end)` refers to something elsewhere, or frames a name to be filled in. */
export function isReference(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start)
  const last = text.charCodeAt(end - 1)
  if (first === 36 && (letterSet[text.charCodeAt(start + 1)] === 1 || text.charCodeAt(start + 1) === 95))
    return countOf(text, start, end, digitSet) < 6
  if (first === 60 && last === 62) return true
  if (first === 123 && last === 125 && isFormatField(text, start, end)) return true
  if (first === 123 && start > 0 && text.charCodeAt(start - 1) === 123) return true
  // `%[4]q` of Go, `($settings[`.
  if ((first === 37 && text.charCodeAt(start + 1) === 91) || (first === 40 && text.charCodeAt(start + 1) === 36))
    return true
  if (first === 37 && (last === 37 || isConversion(text, start, end))) return true
  // `!!binary` of YAML.
  if (first === 33 && text.charCodeAt(start + 1) === 33 && isTag(text, start + 2, end)) return true
  // `\\&handler` of Perl.
  if (first === 92 && text.charCodeAt(start + 1) === 38) return true
  if (first === 91 && last === 93) return true
  // A quote or bracket in markup: the `&quot` of `&quot;...&quot;`.
  if (first === 38 && text.charCodeAt(end) === 59 && runEnd(text, start + 1, letterSet, entityUnitsMax) === end)
    return true
  if (first === 64 && wordSet[text.charCodeAt(start + 1)] === 1 && isWordRun(text, start + 1, end))
    return countOf(text, start, end, digitSet) < memberDigitsMax
  if (first === 58 && isWordRun(text, start + 1, end)) return true
  const starts = inSet(firstSet, first) ? startsByCode.get(first) : undefined
  if (starts !== undefined) for (const sign of starts) if (text.startsWith(sign, start)) return true
  return hasTemplate(text, start, end)
}

const entityUnitsMax = 6

/** Whether it is the rest of a tag of YAML, which only letters follow, or the name of a type: `python/object:app.User`. */
function isTag(text: string, start: number, end: number): boolean {
  const name = runEnd(text, start, letterSet, end - start)
  return name === end || text.charCodeAt(name) === 47
}

/**
 * Whether it is a variable in braces, as strings of Python, C# and many templates name it: `{db_pw}`, `{cfg.pw}`,
 * `{oauth2_token}`. Digits within a word, and long words that nobody would write, are those of a password.
 */
function isFormatField(text: string, start: number, end: number): boolean {
  const last = end - 1
  if (end - start > fieldUnitsMax || (letterSet[text.charCodeAt(start + 1)] !== 1 && codeAt(text, start + 1) !== 95))
    return false
  for (let at = start + 1; at < last; at++) {
    const word = runEnd(text, at, identifierSet, last - at)
    at = runEnd(text, word, digitSet, fieldDigitsMax)
    if (at < last && text.charCodeAt(at) !== 46 && (at === word || text.charCodeAt(at) !== 95)) return false
  }
  return end - start < rareUnitsMin || rarity(text, start + 1, last) < rareBits
}
const fieldUnitsMax = 40
const fieldDigitsMax = 2
/** Short names are rare by chance: `{pg_pwd}`. */
const rareUnitsMin = 12
const rareBits = 7

/** Whether all of it is a conversion of printf: `%06lu`, `%-20s`. */
function isConversion(text: string, start: number, end: number): boolean {
  const length = runEnd(text, runEnd(text, start + 1, widthSet, end - start), sizeSet, end - start)
  return length === end - 1 && inSet(conversionSet, text.charCodeAt(length))
}
const widthSet = charSet('0-9', '.*+# -')
const sizeSet = charSet('hlzjtqL')
const conversionSet = charSet('diouxXeEfgGaAcspvTqb')

/** With this many digits, `@word` is neither a member nor an annotation. */
const memberDigitsMax = 3

function isWordRun(text: string, start: number, end: number): boolean {
  return consistsOf(text, start, end, wordSet)
}

/** Whether the value contains a template: `${x}`, `{{x}}`, `#{x}`, `<%= x %>`, `%(x)s`, `%s` and the like. */
function hasTemplate(text: string, start: number, end: number): boolean {
  for (let i = start; i < end - 1; i++) {
    const code = text.charCodeAt(i)
    const next = text.charCodeAt(i + 1)
    if (next === 123 && (code === 36 || code === 35 || code === 123 || code === 37) && closes(text, i + 2, end, 125))
      return true
    if (next === 40 && (code === 36 || code === 37) && closes(text, i + 2, end, 41)) return true
    if (code === 60 && next === 37 && text.charCodeAt(i + 2) !== 62) return true
    if (code === 37 && (next === 115 || next === 118 || next === 100) && wordSet[text.charCodeAt(i + 2)] !== 1)
      return true
    // `%1$s` of message catalogues.
    if (code === 37 && digitSet[next] === 1 && text.charCodeAt(i + 2) === 36 && letterSet[text.charCodeAt(i + 3)] === 1)
      return true
    // `0x%08X`.
    if (code === 37 && next === 48 && isPadded(text, i + 1, end)) return true
    // `%.4s` of C.
    if (code === 37 && next === 46 && text.charCodeAt(runEnd(text, i + 2, digitSet, 4)) === 115) return true
  }
  return false
}

/** Whether the rest of a conversion to digits of a fixed width stands at `at`: the `08X` of `%08X`. */
function isPadded(text: string, at: number, end: number): boolean {
  const size = runEnd(text, runEnd(text, at, digitSet, 3), sizeSet, 3)
  return size > at + 1 && size < end && inSet(integerSet, text.charCodeAt(size))
}
const integerSet = charSet('diuxX')

/** Whether a template that begins before `from` ends within the value, or is cut off with it. */
function closes(text: string, from: number, end: number, bracket: number): boolean {
  for (let i = from; i < end; i++) if (text.charCodeAt(i) === bracket) return true
  return inSet(wordSet, text.charCodeAt(from)) && consistsOf(text, from, end, dottedNameSet)
}

const pathSet = charSet('/', '.', '~', '\\')

/** Whether the value is a path, a file name, or a URL without a password. */
export function isPathLike(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start)
  if (inSet(pathSet, first) && (first !== 46 || end - start < 40) && countPaths(text, start, end) >= 2) return true
  for (let i = start; i < Math.min(end, start + 16); i++) if (text.startsWith('://', i)) return true
  const to = withoutLine(text, start, end)
  const dot = lastDot(text, start, to)
  return dot > start && fileTails.has(text.slice(dot + 1, to).toLowerCase())
}

function countPaths(text: string, start: number, end: number): number {
  let count = 0
  for (let i = start; i < end; i++) if (inSet(pathSet, text.charCodeAt(i))) count++
  return count
}

/** Where a path ends before the number of a line: `includes/forms.php:884`. */
function withoutLine(text: string, start: number, end: number): number {
  let to = end
  while (to > start && inSet(digitSet, text.charCodeAt(to - 1))) to--
  return to < end && text.charCodeAt(to - 1) === 58 ? to - 1 : end
}

function lastDot(text: string, start: number, end: number): number {
  for (let i = end - 1; i > start && i > end - 8; i--) if (text.charCodeAt(i) === 46) return i
  return -1
}

const fileTails = new Set(
  (
    'pem key crt cer der p12 pfx jks json yaml yml toml ini conf cfg txt md js ts tsx jsx py rb go rs java kt php html ' +
    'css xml properties env sh sql csv log lock png svg jpg gif pub asc gpg zip gz tgz bz2 xz 7z rar tar jar war ' +
    'local com net org io dev nib storyboardc plist strings dll dylib exe ps1 psm1 bat'
  ).split(' ')
)

/** Whether the value is a chain of plain names joined by dots or colons: `user.password`, `Foo::BAR`, `a->b`. */
export function isNameChain(text: string, start: number, end: number): boolean {
  let joints = 0
  let i = start
  while (i < end) {
    const code = text.charCodeAt(i)
    if (digitSet[code] === 1 || (letterSet[code] !== 1 && code !== 95)) return false
    i = runEnd(text, i, wordSet, end - i)
    if (i >= end) break
    const joint = text.charCodeAt(i)
    if (joint === 46) i++
    else if (joint === 58 && text.charCodeAt(i + 1) === 58) i += 2
    else if (joint === 45 && text.charCodeAt(i + 1) === 62) i += 2
    else return false
    joints++
  }
  return joints > 0
}
