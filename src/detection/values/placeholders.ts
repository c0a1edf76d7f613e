/**
 * Values that stand for something else: Sluice's own placeholders, inventions of documentation, samples published by
 * vendors.
 */
import {
  base32Set,
  charSet,
  consistsOf,
  constantSet,
  countOf,
  foldCode,
  identifierSet,
  inSet,
  letterSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { WordList } from '../text/word-list.ts'

const keyLength = 10
const placeholderUnitsMin = keyLength + 2

/** Whether all of `[start, end)` is one of Sluice's placeholders: a label, an underscore, ten base32 characters. */
export function isOwnPlaceholder(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length < placeholderUnitsMin || length > 80 || text.charCodeAt(end - keyLength - 1) !== 95) return false
  if (!inSet(upperSet, text.charCodeAt(start))) return false
  const key = end - keyLength
  return runEnd(text, key, base32Set, keyLength) === end && consistsOf(text, start, key, constantSet)
}

const equals = 61

/**
 * Whether a value is one of our placeholders with what an earlier scan left around it: the end of a name and an equals
 * sign (`TOKEN=LAUNCHDARKLY_KEY_…`), or base64 padding.
 */
export function isOwnPlaceholderValue(text: string, start: number, end: number): boolean {
  if (end - start < placeholderUnitsMin) return false
  let to = end
  while (to > start && end - to < 2 && text.charCodeAt(to - 1) === equals) to--
  let from = to
  while (from > start && to - from < 80 && inSet(constantSet, text.charCodeAt(from - 1))) from--
  if (from > start && text.charCodeAt(from - 1) !== equals) return false
  for (let i = start; i < from - 1; i++) if (!inSet(identifierSet, text.charCodeAt(i)) || i - start > 80) return false
  return isOwnPlaceholder(text, from, to)
}

/** Whether one of Sluice's placeholders stands in `[start, end)` or reaches into it. */
export function touchesOwnPlaceholder(text: string, start: number, end: number): boolean {
  let i = start
  while (i > 0 && start - i < 80 && wordSet[text.charCodeAt(i - 1)] === 1) i--
  for (; i < end; i++) {
    if (wordSet[text.charCodeAt(i)] !== 1) continue
    let stop = i
    while (stop < text.length && stop - i <= 80 && wordSet[text.charCodeAt(stop)] === 1) stop++
    if (text.charCodeAt(stop - keyLength - 1) === 95 && isOwnPlaceholder(text, labelStart(text, i, stop), stop))
      return true
    i = stop
  }
  return false
}

/**
 * Where the label begins with which a word ends, behind the prefix of a key that an earlier scan left:
 * `waka_SERVICE_KEY_…`.
 */
function labelStart(text: string, from: number, to: number): number {
  let start = runStart(text, to, constantSet, to - from)
  while (start > from && start < to && text.charCodeAt(start) === 95) start++
  return start
}

/** `EXAMPLE` and `example` in base64, at each offset, and the middle of the secret key in the manuals of AWS. */
const sampleParts = ['rvhbtvbmr', 'vyqu1qte', 'fwefnuexf', 'zxhhbxbsz', 'v4yw1wbg', 'legftcgxl', 'k7mdeng']
const sampleWords = new WordList(sampleParts)
const dummyWords = new WordList([
  'example',
  ...sampleParts,
  'sample',
  'dummy',
  'changeme',
  'change_me',
  'placeholder',
  'redacted',
  'xxxx',
  'your_',
  'your-',
  'foobar',
  'notreal',
  'not_real',
  'not-real',
  'insert',
  'replace',
  'secret_here',
  'key_here',
  'fake',
  'deadbeef',
  // An empty cell in markup, a gap in a translation tool, form labels.
  '&nbsp;',
  'crwdns',
  'wachtwoord',
  'palavra-passe'
])

/** How much of a value is examined, in code units; longer ones were not typed by hand. */
const guardUnitsMax = 256

/**
 * Whether a part of published samples stands in the value, which happens in no long one by chance. Shorter words do
 * stand in some, and people label their keys with others, and with names such as `example-corp`.
 */
export function holdsSamplePart(text: string, start: number, end: number): boolean {
  const to = Math.min(end, start + guardUnitsMax)
  return sampleWords.standsIn(text, start, to) || text.slice(start, to).includes('EXAMPLE')
}

/**
 * Whether a value reads as if made up for documentation: a typical word, one character five times in a row, six
 * characters counting up, an ellipsis. It only lowers a confidence, since a real key may look like this by chance.
 */
export function looksLikeDummy(text: string, start: number, end: number): boolean {
  const to = Math.min(end, start + guardUnitsMax)
  if (dummyWords.standsIn(text, start, to)) return true
  let same = 1
  let rising = 1
  let runs = 0
  let last = foldCode(text.charCodeAt(start))
  for (let i = start + 1; i < to; i++) {
    const code = foldCode(text.charCodeAt(i))
    const step = code - last
    last = code
    same = step === 0 ? same + 1 : 1
    rising = step === 1 ? rising + 1 : 1
    // `aaaabbbb-cccc-dddd-eeee`.
    if (same === runUnits && letterSet[code] === 1) runs++
    if (runs >= runsMin) return true
    // The sign for what was left out: `eyJraW\u2026vSqrH1Q`.
    if (same >= 5 || rising >= 6 || code === ellipsis) return true
  }
  return false
}

/**
 * Whether a key says that it is a sample, or what to put in its place: `AKIA...EXAMPLE`, `sha256~XXX_PUT_YOUR_TOKEN_HERE_`,
 * `xoxp-1-AccessTokenHere`. None of these occurs in a random one by chance.
 */
export function namesGap(text: string, start: number, end: number): boolean {
  if (text.startsWith('EXAMPLE', end - 'EXAMPLE'.length)) return true
  const value = text.slice(start, Math.min(end, start + guardUnitsMax))
  return gapWords.some((word) => value.includes(word))
}
const gapWords = ['YOUR_', 'your_', 'TokenHere', 'KeyHere', 'SecretHere', 'TOKEN_HERE', 'KEY_HERE']

/**
 * Whether most of a key is the one or two characters in its middle, as in `ghp_xxxxxxxx...`, `AKIAXXXXXXXX...` and
 * `ghp_abababab...`: somebody filled the form of a key, and no key is there.
 */
export function isFilled(text: string, start: number, end: number): boolean {
  const length = end - start
  const middle = start + (length >> 1)
  const one = foldCode(text.charCodeAt(middle))
  if (!inSet(fillSet, one)) return false
  const other = foldCode(text.charCodeAt(middle + 1))
  let ones = 0
  let others = 0
  for (let i = start; i < end; i++) {
    const code = foldCode(text.charCodeAt(i))
    if (code === one) ones++
    else if (code === other) others++
  }
  return length >= filledUnitsMin && (ones * 5 >= length * 3 || (ones + others) * 4 >= length * 3)
}
/** Characters with which people fill a form. In some alphabets others are zeros: `Q` in that of age. */
const fillSet = charSet('0-9', 'a-f', 'x-z')
const filledUnitsMin = 16

const ellipsis = 0x2026
const runUnits = 4
const runsMin = 3

/** RFC 2606 and RFC 6761: domains for documentation. */
export const documentationDomains: readonly string[] = ['example.com', 'example.org', 'example.net']

/** The keys of the first accounts of the phrase that development nodes of Ethereum begin with (BIP 44), in halves. */
const developmentKeys = [
  'ac0974bec39a17e36ba4a6b4d238ff94 4bacb478cbed5efcae784d7bf4f2ff80',
  '59c6995e998f97a5a0044966f0945389 dc9e86dae88c7a8412f4603b6b78690d',
  '5de4111afa1a4b94908f83103eb1f170 6367c2e68ca870fc3fb9a804cdab365a',
  '7c852118294e51e653712a81e05800f4 19141751be58f605c371e15141b007a6',
  '47e179ec197488593b187f80a00eb0da 91f1b9d0b13f8733639f19c30a34926a',
  '8b3a350cf5c34c9194ca85829a2df0ec 3153be0318b5e2d3348e872092edffba',
  '92db14e403b83dfe3df233f83dfa3a0d 7096f21ca9b0d6d6b8d88b2b4ec1564e',
  '4bbbf85ce3377467afe5d46f804f2218 13b2bb87f24d81f60f1fcdbf7cbf4356',
  'dbda1821b80551c9d65939329250298a a3472ba22feea921c0cf5d620ea67b97',
  '2a871d0798f97d79848a013d4936a73b f4cc922c825d33c1cf7073dff6d409c6'
]

/**
 * Values that vendors and standards publish as samples. Half of all documentation contains them, so they are not
 * reported; values that merely look like them are. In pieces, so that no scanner takes this file for a leak.
 */
export const publishedSamples: ReadonlySet<string> = new Set([
  ['AKIA', 'IOSFODNN7', 'EXAMPLE'].join(''),
  ['wJalrXUtnFEMI', '/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'].join(''),
  [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
    'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ',
    'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c'
  ].join('.'),
  [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
    'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWUsImlhdCI6MTUxNjIzOTAyMn0',
    'KMUFsIDTnFmyG3nMiGM6H9FNFUROf3wh7SmqJp-QV30'
  ].join('.'),
  // The prompts of a mail server: `Username:` and `Password:` in base64.
  ['VXNlcm5h', 'bWU6'].join(''),
  ['UGFzc3dv', 'cmQ6'].join(''),
  // Keys, tokens and credentials in the examples of RFC 6455, 6749, 6750 and 7617.
  ['dGhlIHNhbXBs', 'ZSBub25jZQ=='].join(''),
  ['x3JJHMbDL1Ez', 'Lkh9GBhXDw=='].join(''),
  ['QWxhZGRpbjpv', 'cGVuIHNlc2FtZQ=='].join(''),
  ['czZCaGRSa3F0', 'MzpnWDFmQmF0M2JW'].join(''),
  ['czZCaGRSa3F0', 'Mzo3RmpmcDBa', 'QnIxS3REUmJuZlZkbUl3'].join(''),
  ['2YotnFZFEjr', '1zCsicMWpAA'].join(''),
  ['tGzv3JOkF0X', 'G5Qx2TlKWIA'].join(''),
  ['mF_9.B5f', '-4.1JqM'].join(''),
  ['SplxlOBe', 'ZQQYbYS6WxSbIA'].join(''),
  ['7Fjfp0ZBr1', 'KtDRbnfVdmIw'].join(''),
  // The first token shown on jwt.io.
  [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
    'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWV9',
    'TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ'
  ].join('.'),
  // The accounts of the Azure Storage and Cosmos DB emulators.
  ['Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6', 'IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='].join(''),
  ['C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2n', 'Q9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='].join(''),
  // The hashes of an empty password in Windows: LM and NT.
  ['aad3b435b514', '04eeaad3b435b514', '04ee'].join(''),
  ['31d6cfe0d16a', 'e931b73c59d7e0c0', '89c0'].join(''),
  // What Anvil, Hardhat and Ganache print at their start, with the remark that everybody knows it.
  [...Array<string>(11).fill('test'), 'junk'].join(' '),
  ...developmentKeys.map((key) => `0x${key.split(' ').join('')}`),
  // The Docker API reference.
  ['SWMTKN-1-3pu6hszjas19xyp7ghgosyx9k8atbfcr8p2is99znpy26u2lkl', '7p73s1dx5in4tatdymyhg9hu2'].join('-'),
  ['SWMTKN-1-3pu6hszjas19xyp7ghgosyx9k8atbfcr8p2is99znpy26u2lkl', '1awxwuwd3z9j1z3puu7rcgdbx'].join('-'),
  ['SWMTKN-1-1h8aps2yszaiqmz2l3oc5392pgk8e49qhx2aj3nyv0ui0hez2a', '6qmn92w6bu3jdvnglku58u11a'].join('-'),
  ['SWMTKN-1-1h8aps2yszaiqmz2l3oc5392pgk8e49qhx2aj3nyv0ui0hez2a', '8llk83c4wm9lwioey2s316r9l'].join('-'),
  ['SWMKEY-1', '7c37Cc8654o6p38HnroywCi19pllOnGtbdZEgtKxZu8'].join('-'),
  // The manual of GitHub, "Authorizing OAuth apps".
  ['gho_16C7e42F292c', '6912E7710c838347Ae178B4a'].join(''),
  ['4111', '1111', '1111', '1111'].join(''),
  ['4242', '4242', '4242', '4242'].join(''),
  ['078', '05', '1120'].join(''),
  ['971013', '9019902'].join(''),
  ['4909', '1850'].join(''),
  ['DE89', '37040044', '0532013000'].join(''),
  ['GB82', 'WEST', '12345698765432'].join('')
])
const sampleUnitsMax = 256
/** First characters and lengths of the samples, which rule out nearly all values. */
const sampleHeads = new Set(Array.from(publishedSamples, (sample) => headOf(sample.charCodeAt(0), sample.length)))

function headOf(first: number, length: number): number {
  return first * (sampleUnitsMax + 1) + length
}
const punctuationSet = charSet(' -')

/** Whether `[start, end)` is exactly a published sample; blanks and dashes between groups of a number are ignored. */
export function isPublishedSample(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length > sampleUnitsMax) return false
  const first = text.charCodeAt(start)
  if (sampleHeads.has(headOf(first, length)) && publishedSamples.has(text.slice(start, end))) return true
  if (length > 48) return false
  const left = length - countOf(text, start, end, punctuationSet)
  if (left === length || (!inSet(punctuationSet, first) && !sampleHeads.has(headOf(first, left)))) return false
  const value = text.slice(start, end)
  let compact = ''
  for (let i = 0; i < value.length; i++) if (!inSet(punctuationSet, value.charCodeAt(i))) compact += value.charAt(i)
  return publishedSamples.has(compact)
}

/** Characters that programs and pages show in place of a password: asterisks, bullets, discs, blocks and dots. */
const coverSigns = '*\u2022\u25cf\u2588\u2217\u00b7'

/**
 * Whether a value is covered, entirely or except for its end: `**`, or three such characters in a row and what follows
 * them.
 */
export function isCovered(value: string): boolean {
  let covered = 0
  for (let i = 0; i < value.length && covered < 3; i++) covered = coverSigns.includes(value.charAt(i)) ? covered + 1 : 0
  return covered === 3 || covered === value.length
}
