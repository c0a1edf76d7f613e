/** The numbers of a private RSA key as .NET writes them: elements of `RSAKeyValue`, or members of an object. */
import { charSet, codeAt, inSet, paddedBase64Set, runEnd, runStart, wordSet } from '../../text/chars.ts'
import { chained, type Detector, type Match } from '../../detector.ts'
import { guarded } from '../../keys/fixed-key.ts'
import { base64Letters, filler } from '../../sample-text.ts'

/** Every private key has this number, and no public key. The name occurs nowhere else. */
const mark = 'nverseQ'
/** The numbers of a key of 8192 bits on either side, with their names. */
const keyUnitsMax = 6000
/** Half of the smallest key in use, of 512 bits, is 43 units. */
const numberUnitsMin = 40
const privateNames = new Set(['p', 'q', 'dp', 'dq', 'inverseq', 'd'])
const nameUnitsMax = 10
/** Characters between a name and its value in JSON, also in JSON within JSON. */
const frameSet = charSet(' "\\')

/** The private numbers of the object or element around the mark at `at`, which both ends of it and other marks end. */
function privateNumbers(text: string, at: number): Match | undefined {
  let from = at
  for (const limit = Math.max(0, at - keyUnitsMax); from > limit; from--)
    if (isBrace(codeAt(text, from - 1)) || isMark(text, from - 1)) break
  const found: Match[] = []
  for (let i = from; i < at + keyUnitsMax && i < text.length; i++) {
    const code = codeAt(text, i)
    if (isBrace(code) || (i > at && isMark(text, i))) break
    if (code !== 62 && code !== 58) continue
    const start = code === 62 ? i + 1 : runEnd(text, i + 1, frameSet, 4)
    const end = runEnd(text, start, paddedBase64Set, keyUnitsMax)
    const isClosed = code === 62 ? codeAt(text, end) === 60 : start > i + 1 && inSet(closeSet, codeAt(text, end))
    if (isClosed && end - start >= numberUnitsMin && isPrivate(text, i, code === 62)) {
      const match = guarded(text, { start, end, confidence: 'certain', byContext: true })
      if (match !== undefined) found.push(match)
    }
    i = Math.max(i, end - 1)
  }
  return chained(found)
}
const closeSet = charSet('"\\')

const isBrace = (code: number): boolean => code === 123 || code === 125
/** Whether the mark at `at` begins the name of a tag or member. */
const isOpened = (text: string, at: number): boolean => inSet(openSet, codeAt(text, at - 2))
const openSet = charSet('<"')
const isMark = (text: string, at: number): boolean =>
  codeAt(text, at) === 110 && text.startsWith(mark, at) && isOpened(text, at)

/** Whether the name of a private number ends before the bracket of its tag, or the colon, at `at`. */
function isPrivate(text: string, at: number, isTag: boolean): boolean {
  const end = isTag ? at : runStart(text, at, frameSet, 4)
  const start = runStart(text, end, wordSet, nameUnitsMax)
  if (isTag && codeAt(text, start - 1) !== 60) return false
  return privateNames.has(text.slice(start, end).toLowerCase())
}

/** Numbers of a key of 1024 bits. */
const numberOf = (units: number, seed: number): string => `${filler(units, base64Letters, seed)}=`
const half = (seed: number): string => numberOf(87, seed)
const whole = (seed: number): string => numberOf(171, seed)

export const rsaParameterDetectors: readonly Detector[] = [
  {
    id: 'rsa_private_parameters',
    label: 'RSA_PRIVATE_KEY',
    lengthMin: 100,
    title: 'numbers of a private RSA key',
    group: 'secret',
    tier: 'high',
    anchors: [{ literal: mark }],
    match: (text, at) => (isOpened(text, at) ? privateNumbers(text, at) : undefined),
    hits: () => [
      `{"d":"${whole(1)}","dp":"${half(2)}","exponent":"AQAB","inverseQ":"${half(3)}","modulus":"${whole(4)}"}`,
      `<RSAKeyValue><P>${half(1)}</P><InverseQ>${half(2)}</InverseQ><D>${whole(3)}</D></RSAKeyValue>`
    ],
    misses: () => [
      `<RSAKeyValue><Modulus>${whole(1)}</Modulus><Exponent>AQAB</Exponent></RSAKeyValue>`,
      '<P>...</P><InverseQ>...</InverseQ><D>...</D>',
      `{"inverseQ": "${half(1)}"`.slice(0, 30)
    ],
    source: '.NET documentation, RSA.ToXmlString and RSAParameters.'
  }
]
