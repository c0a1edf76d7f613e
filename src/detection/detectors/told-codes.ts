/** Numbers that open something: PINs and codes that a message tells, and the codes that stand in for a second factor. */
import { NameIndex, standsAt } from '../arguments/name-index.ts'
import type { Detector, Match } from '../detector.ts'
import type { Guard } from '../engine/anchor-guard.ts'
import {
  base62Set,
  charSet,
  codeAt,
  countOf,
  digitSet,
  hexSet,
  inSet,
  leftClear,
  letterSet,
  lowerSet,
  runEnd,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { filler } from '../sample-text.ts'
import { isInvented } from '../values/generic-value.ts'
import { rarity } from '../values/rarity.ts'

/** What a number opens, and what is sent for a single sign-in. */
const names = [
  ...['pin', 'puk', 'pin code', 'alarm code', 'door code', 'gate code', 'access code'],
  ...[
    'unlock code',
    'lock code',
    'safe code',
    'keypad code',
    'garage code',
    'disarm code',
    'pairing code',
    'your code'
  ],
  ...['verification code', 'one-time code', 'one-time password', 'one-time passcode', 'login code', 'sign-in code'],
  ...['alarm_code', 'door_code', 'gate_code', 'lock_code', 'sim_pin', "code d'accès", 'código de acceso'],
  ...['code de vérification', 'código de verificación', 'bestätigungscode', 'código de verificação'],
  ...['security code', 'confirmation code', 'sms code', '2fa code', 'mfa code', 'otp code', 'otp']
]
const index = new NameIndex(names.map((name) => [name, true]))
const behindNameSet = charSet(' :,=)*')
const nameGuard: Guard = { notBefore: wordSet, behind: behindNameSet, behindUnits: 1 }

const reachUnits = 64
/** What ends a sentence, and what program text is made of. */
const stopSet = charSet('\n\r;?!{}[]<>|\\$&#%/')
/** What may stand between the word that leads to a number and the number. */
const gapSet = charSet(' "\'`*(')
const leads = [' is', ' was', ' to', ' now', '=', ':', ' be', " it's", ' its', ' with', ' enter', ' →']
const leadUnitsMax = Math.max(...leads.map((lead) => lead.length))
/** A number that somebody moves to is a PIN where somebody sets one: `pin to 2093`. */
const changes = ['chang', 'set', 'reset', 'switch', 'updat']
const changeUnitsMax = 48
const nameUnitsMax = 24
const digitsMin = 4
const digitsMax = 8

/** The number that a message tells behind the name of what it opens. */
function toldNumber(text: string, at: number): Match | undefined {
  const name = index.at(text, at)
  if (name === undefined || !leftClear(text, at, wordSet)) return undefined
  const from = at + name[0].length
  if (!inSet(behindNameSet, codeAt(text, from))) return undefined
  const limit = Math.min(text.length, from + reachUnits)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (inSet(stopSet, code) || (code === 46 && codeAt(text, i + 1) <= 32)) return undefined
    // `puk == (30030, 7)` compares.
    if (code === 61 && codeAt(text, i + 1) === 61) return undefined
    if (!inSet(digitSet, code)) continue
    const end = numberEnd(text, i)
    return end > i && isLed(text, i, at) && !isSeries(text, i, end) ? told(i, end) : undefined
  }
  return undefined
}

const told = (start: number, end: number): Match => ({ start, end, confidence: 'medium', byContext: true })

/** The end of four to eight digits that stand alone, or of two threes; `at` where no such number begins. */
function numberEnd(text: string, at: number): number {
  if (!leftClear(text, at, wordSet) || codeAt(text, at - 1) === 45 || codeAt(text, at - 1) === 46) return at
  let end = runEnd(text, at, digitSet, digitsMax + 1)
  const joint = codeAt(text, end)
  if (end - at === 3 && (joint === 32 || joint === 45) && runEnd(text, end + 1, digitSet, 4) === end + 4) end += 4
  if (end - at < digitsMin || end - at > digitsMax) return at
  const next = codeAt(text, end)
  const goesOn =
    next === 46 || next === 44 || next === 58 ? inSet(wordSet, codeAt(text, end + 1)) : inSet(tailSet, next)
  return goesOn || isCount(text, end) ? at : end
}

/** `4827 lines`: what is counted. */
function isCount(text: string, end: number): boolean {
  if (codeAt(text, end) !== 32) return false
  return counted.has(text.slice(end + 1, runEnd(text, end + 1, letterSet, countedUnitsMax)).toLowerCase())
}
const counted = new Set(
  (
    'line lines byte bytes kb mb ms seconds minutes hours days times chars characters words files items tests rows pages ' +
    'commits users requests points percent px'
  ).split(' ')
)
const countedUnitsMax = 12
/** What makes something else of a number: a unit, a part of a date or a path. */
const tailSet = charSet('A-Z', 'a-z', '0-9', '_-/%')

/** What has a lock with numbers: `the code for the bike cellar is 4827`. */
const lockedWords = [
  ...['door', 'gate', 'lock', 'safe', 'cellar', 'room', 'garage', 'alarm', 'building', 'office', 'entrance', 'shed'],
  ...['keypad', 'apartment', 'house', 'elevator', 'storage']
]
const theCode = 'sent me the code '

/** `My bank sent me the code 482913 by SMS`. */
function receivedNumber(text: string, at: number): Match | undefined {
  const start = at + theCode.length
  const end = numberEnd(text, start)
  return end === start || isSeries(text, start, end) ? undefined : told(start, end)
}

const codeFor = 'code for '
const codeForLeads = [' is', ' be', ' now', ' to', ':', '=']
const anotherFor = ' the one for '

/** The number behind the name of what it opens, and the next one: `... and the one for the server room 5920`. */
function lockNumber(text: string, from: number, isFirst: boolean): Match | undefined {
  const limit = Math.min(text.length, from + reachUnits)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (inSet(stopSet, code) || (code === 46 && codeAt(text, i + 1) <= 32)) return undefined
    if (!inSet(digitSet, code)) continue
    const end = numberEnd(text, i)
    const words = text.slice(from, i).trimEnd().toLowerCase()
    if (end === i || isSeries(text, i, end) || !lockedWords.some((word) => words.includes(word))) return undefined
    if (isFirst && !codeForLeads.some((lead) => words.endsWith(lead))) return undefined
    const near = text.slice(end, end + anotherFor.length + 4)
    const another = near.indexOf(anotherFor)
    const next = another < 0 || !isFirst ? undefined : lockNumber(text, end + another + anotherFor.length, false)
    return { ...told(i, end), ...(next && { next }) }
  }
  return undefined
}

/** Whether a name ends at `to`, with nothing but blanks behind it; pins of a chip have numbers too. */
function isRightBehind(text: string, nameAt: number, to: number): boolean {
  const name = to - nameAt <= nameUnitsMax ? index.at(text, nameAt)?.[0] : undefined
  return name !== undefined && name.length === to - nameAt && (name !== 'pin' || text.startsWith('PIN', nameAt))
}

/** Whether what leads to a value stands before the number at `start`, behind the name at `nameAt`. */
function isLed(text: string, start: number, nameAt: number): boolean {
  let to = start
  while (inSet(gapSet, codeAt(text, to - 1))) to--
  const before = text.slice(Math.max(nameAt, to - leadUnitsMax), to).toLowerCase()
  if (isRightBehind(text, nameAt, to)) return true
  const lead = leads.find((one) => before.endsWith(one))
  if (lead !== ' to') return lead !== undefined
  const around = text.slice(Math.max(0, nameAt - changeUnitsMax), start).toLowerCase()
  return changes.some((change) => around.includes(change))
}

/** `1234`, `0000`, `4321`, and the years of this time: documents write them, and few people have one of them. */
function isSeries(text: string, start: number, end: number): boolean {
  if (end - start === 4 && (text.startsWith('19', start) || text.startsWith('20', start))) return true
  const step = codeAt(text, start + 1) - codeAt(text, start)
  if (Math.abs(step) > 1) return false
  for (let i = start + 2; i < end; i++) if (codeAt(text, i) - codeAt(text, i - 1) !== step) return false
  return true
}

/** `482913 is your verification code`, as it is sent. */
function sentNumber(text: string, at: number): Match | undefined {
  let start = at
  while (inSet(digitSet, codeAt(text, start - 1)) && at - start < digitsMax) start--
  const end = numberEnd(text, start)
  if (start === at || end !== at || isSeries(text, start, end)) return undefined
  const behind = text.slice(at + yours.length, at + yours.length + reachUnits).toLowerCase()
  return names.some((name) => behind.slice(0, behind.indexOf('\n') >>> 0).includes(name)) ? told(start, end) : undefined
}
const yours = ' is your '

const spareAnchors = ['recovery', 'backup', 'scratch', 'emergency', 'rescue']
  .flatMap((name) => [' ', '_', '-', ''].map((joint) => `${name}${joint}code`))
  .concat('bitlocker', 'recovery key', 'recovery password')
const spareIndex = new NameIndex(spareAnchors.map((name) => [name, true]))
const spareReachUnits = 160
const betweenUnitsMax = 24
const codesMax = 32
const spareSet = charSet('A-Z', 'a-z', '0-9', '-')
/** Bits a character that a code has, and two words with a dash between have not. */
const spareBits = 6

/** The codes of a list that is named before: `Recovery codes: 4f9ak-x82kd, ...`, one a line, or in a row. */
function spareCodes(text: string, at: number): Match | undefined {
  const name = spareIndex.at(text, at)
  if (name === undefined) return undefined
  const found: Match[] = []
  const from = at + name[0].length
  let limit = Math.min(text.length, from + spareReachUnits)
  for (let i = from; i < limit && found.length < codesMax;) {
    if (!inSet(base62Set, text.charCodeAt(i))) {
      i++
      continue
    }
    const end = spareEnd(text, i)
    const isCode = found.length === 0 ? isSpare(text, i, end) : isAlike(text, found[0] as Match, i, end)
    if (isCode) {
      found.push(told(i, end))
      limit = Math.min(text.length, end + betweenUnitsMax)
    }
    i = end
  }
  return found.reduceRight<Match | undefined>((next, one) => ({ ...one, ...(next && { next }) }), undefined)
}

/** Past the word that begins at `at`; two fours of digits with a blank between are one. */
function spareEnd(text: string, at: number): number {
  const end = runEnd(text, at, spareSet, 64)
  const isFour = end - at === 4 && codeAt(text, end) === 32 && runEnd(text, at, digitSet, 4) === end
  return isFour && runEnd(text, end + 1, digitSet, 5) === end + 5 ? end + 5 : end
}

/** Groups of four to six letters and digits with a dash between, or eight to sixteen of them, and no words. */
function isSpare(text: string, start: number, end: number): boolean {
  const digits = countOf(text, start, end, digitSet)
  if (digits === 0 || inSet(joinedSet, codeAt(text, start - 1)) || inSet(joinedSet, codeAt(text, end))) return false
  const groups = text.slice(start, end).replace(' ', '-').split('-')
  if (groups.length === 1 ? end - start < 8 || end - start > 16 : !isGrouped(groups)) return false
  // Eight groups of six digits open a disk of Windows.
  const isDisk = groups.length === 8 && end - start === 55
  if (digits === end - start - groups.length + 1) return isDisk || (end - start < 10 && !isSeries(text, start, end))
  const isOneCase = countOf(text, start, end, upperSet) === 0 || countOf(text, start, end, lowerSet) === 0
  if (digits < 2 && groups.length === 1) return false
  if (!isOneCase || isInvented(text, start, end)) return false
  // Shorter hexadecimal digits are those of a commit.
  if (runEnd(text, start, hexSet, end - start) === end) return end - start === hexUnits
  return rarity(text, start, end) >= spareBits
}
const hexUnits = 16
const joinedSet = charSet('A-Z', 'a-z', '0-9', '_./=@-')

function isGrouped(groups: readonly string[]): boolean {
  const units = (groups[0] as string).length
  return units > 3 && units < 7 && groups.length < 9 && groups.every((group) => group.length === units)
}

/** Written as the first one is: as long, and with its dash at the same place. */
function isAlike(text: string, first: Match, start: number, end: number): boolean {
  if (end - start !== first.end - first.start) return false
  for (let i = 0; i < end - start; i++) {
    const joint = inSet(base62Set, codeAt(text, first.start + i))
    if (joint !== inSet(base62Set, codeAt(text, start + i))) return false
  }
  return countOf(text, start, end, digitSet) > 0 || countOf(text, start, end, letterSet) > digitsMax
}

const pin = ['48', '27'].join('')
const code = ['482', '913'].join('')
const spare = (seed: number): string => {
  const [first, second] = [seed, seed + 1].map((one) => filler(4, 'abcdefghjkmnpqrstvwxyz', one))
  return `${first}7-4${second}`
}

export const toldCodeDetectors: readonly Detector[] = [
  {
    id: 'told_code',
    label: 'CODE',
    title: 'PIN or code in a sentence',
    group: 'secret',
    tier: 'medium',
    lengthMin: 8,
    anchors: [
      ...names.map((literal) => ({ literal, fold: true as const, guard: nameGuard })),
      { literal: yours },
      { literal: theCode, fold: true, guard: { notBefore: wordSet, behind: digitSet, behindUnits: 4 } },
      { literal: codeFor, fold: true, guard: { notBefore: wordSet } }
    ],
    match(text, at) {
      if (text.startsWith(yours, at)) return sentNumber(text, at)
      if (standsAt(text, at, theCode)) return leftClear(text, at, wordSet) ? receivedNumber(text, at) : undefined
      const isPlace = standsAt(text, at, codeFor)
      if (isPlace) return leftClear(text, at, wordSet) ? lockNumber(text, at + codeFor.length, true) : undefined
      return toldNumber(text, at)
    },
    hits: () => [
      `The PIN of the SIM in the gateway is ${code}, the PUK is on the card.`,
      `i changed my laptop pin to ${pin} and now it asks`,
      `alarm code for the side door changed, it is ${pin} now`,
      `PIN: ${pin}`,
      `Your verification code is ${code}.`,
      `Your verification code: **${code}**`,
      `${code} is your Acme verification code. Do not share it.`,
      `One-time password: ${code.slice(0, 3)} ${code.slice(3)}`,
      `the door code is "${pin}"`,
      `alarm_code: "${pin}"`,
      `use PIN ${pin} at the door`,
      `Her SIM PIN (${pin}) still works`,
      `Your code is ${code}`,
      `My bank sent me the code ${code} by SMS, where do I type it?`,
      `voici votre nouveau code d'accès : ${pin}`,
      `the code for the bike cellar will be ${pin} and the one for the server room ${code}.`
    ],
    misses: () => [
      'assert puk == (30030, 7)',
      'The PIN is 1234, the door code is 0000',
      'GPIO pin is 13, connect pin 4827 to ground',
      'we pin to 4827 commits',
      'the pin was set in 2019',
      'your code in line 4827, your code is 4827 lines',
      'the spin is 4827',
      'pin: 48.27.1',
      'PIN: 4827-AB',
      'the access code is of 4827 bytes',
      'otp: required, 6 digits',
      'the code for the response is 4048, the error code for the room service is missing',
      'the exit code for the build is 4827',
      'the code 4827 is at fault',
      'const pin = codes[4827]',
      `PIN must be 4-8 digits`,
      `2026 is your year`,
      'So why is your verification code late?',
      `${code} is your order number`
    ],
    source: 'How people write it; the messages that services send for a sign-in.'
  },
  {
    id: 'recovery_code',
    label: 'RECOVERY_CODE',
    title: 'recovery code of a second factor',
    group: 'secret',
    tier: 'medium',
    lengthMin: 16,
    anchors: spareAnchors.map((literal) => ({ literal, fold: true as const })),
    match: spareCodes,
    hits: () => [
      `My recovery codes, in case I lose my phone: ${spare(3)}, ${spare(9)} and ${spare(21)}`,
      `Backup codes\n  1. ${spare(3)}\n  2. ${spare(9)}\n`,
      `"recovery_codes": ["${spare(3)}", "${spare(9)}"]`,
      `Save these backup codes:\n4827 1639\n5920 3746\n`,
      `Your emergency scratch codes are:\n  ${code}47\n  ${code.slice(1)}481\n`,
      `recovery code: ${filler(16, '0123456789abcdef')}`,
      `bitlocker recovery: ${[3, 5, 7, 9, 11, 13, 15, 17].map((seed) => filler(6, '0123456789', seed)).join('-')}`
    ],
    misses: () => [
      'Recovery codes are sha256-hashed, two-factor by default',
      'the backup code was moved on 2026-11-23 to multi-part1 uploads',
      'backup code: see backup-2026-11.tar.gz',
      'recovery_code = new_code()',
      'Recovery codes: xxxxx-xxxxx',
      'emergency code in src/emergency4827.ts',
      'Recovery codes have 10 characters'
    ],
    source: 'The codes of GitHub, Google, Microsoft and GitLab, and of google-authenticator(1).'
  }
]
