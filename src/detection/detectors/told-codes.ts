/** Numbers that open something: PINs and codes that a message tells. */
import { NameIndex, standsAt } from '../arguments/name-index.ts'
import type { Detector, Match } from '../detector.ts'
import type { Guard } from '../engine/anchor-guard.ts'
import {
  charSet,
  codeAt,
  digitSet,
  inSet,
  leftClear,
  letterSet,
  lowerSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { lineEnd } from '../text/rows.ts'
import { WordList } from '../text/word-list.ts'

/** What a number opens, and what is sent for a single sign-in. */
const names = [
  ...['pin', 'puk', 'pin code', 'alarm code', 'door code', 'gate code', 'access code'],
  ...[
    'unlock code',
    'lock code',
    'safe code',
    'keypad code',
    'installer code',
    'installercode',
    'master code',
    'mastercode',
    'garage code',
    'disarm code',
    'pairing code',
    'your code'
  ],
  ...['verification code', 'one-time code', 'one-time password', 'one-time passcode', 'login code', 'sign-in code'],
  ...['alarm_code', 'door_code', 'gate_code', 'lock_code', 'unlock_code', 'access_code', 'doorcode', 'gatecode'],
  ...['alarmcode', 'lockcode', 'unlockcode', 'accesscode', 'sim_pin', "code d'accès", 'código de acceso'],
  ...['code de vérification', 'código de verificación', 'bestätigungscode', 'código de verificação'],
  ...['security code', 'confirmation code', 'sms code', '2fa code', 'mfa code', 'otp code', 'otp']
]
const index = new NameIndex(names.map((name) => [name, true]))
const behindNameSet = charSet(' :,=)*')
const nameGuard: Guard = { notBefore: letterSet, orCapital: true, behind: behindNameSet, behindUnits: 1 }

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
  if (name === undefined) return undefined
  const isWhole = leftClear(text, at, wordSet)
  if (!isWhole && !endsName(text, at)) return undefined
  const from = at + name[0].length
  if (!inSet(behindNameSet, codeAt(text, from))) return undefined
  const limit = Math.min(text.length, from + reachUnits)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    // The accessors of a property stand between its name and its value.
    if (code === 123 && text.startsWith(' get; ', i + 1) && text.indexOf('}', i) < limit) i = text.indexOf('}', i) + 1
    else if (inSet(stopSet, code) || (code === 46 && codeAt(text, i + 1) <= 32)) return undefined
    // `"Pin the images", pr_number: 24538`: the text is over.
    if (code === 34 && codeAt(text, i + 1) === 44) return undefined
    // `puk == (30030, 7)` compares.
    if (code === 61 && codeAt(text, i + 1) === 61) return undefined
    if (!inSet(digitSet, code)) continue
    const end = numberEnd(text, i)
    if (!isWhole && !(inSet(quoteSet, codeAt(text, i - 1)) && codeAt(text, end) === codeAt(text, i - 1)))
      return undefined
    return end > i && isLed(text, i, at) && !isSeries(text, i, end) ? told(i, end) : undefined
  }
  return undefined
}

const quoteSet = charSet('"\'')
/** `bankPin = "..."`, `card_pin: '...'`: pins of chips and of maps have numbers without quotes. */
function endsName(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  return before === 95 || (inSet(lowerSet, before) && inSet(upperSet, codeAt(text, at)))
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
    'commits users requests points percent px passed failed skipped errors warnings findings nodes'
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

/** What a word before `code` makes of it that opens nothing. */
const openCodes = new Set(
  (
    'area zip post postal postcode country dial dialing status error exit return response reason product item article part model ' +
    'color colour paint promo discount coupon booking source language currency tax cost account site test'
  ).split(' ')
)

function isOpenCode(text: string, at: number): boolean {
  const to = at - 1
  return codeAt(text, to) === 32 && openCodes.has(text.slice(runStart(text, to, letterSet, 12), to).toLowerCase())
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
  // A column of its own: `VERIFICATION CODE                 03160200`.
  if (isRightBehind(text, nameAt, to)) return start - to <= gapUnitsMax && !isPostal(text, nameAt, start)
  // `Pin numpy (:pr:`8041`)`.
  if (
    codeAt(text, start - 1) === 96 &&
    codeAt(text, to - 1) === 58 &&
    codeAt(text, runStart(text, to - 1, letterSet, 8) - 1) === 58
  )
    return false
  const lead = leads.find((one) => before.endsWith(one))
  if (lead !== ' to') return lead !== undefined
  const around = text.slice(Math.max(0, nameAt - changeUnitsMax), start).toLowerCase()
  return changes.some((change) => around.includes(change))
}

/** Most of what stands between a name and a number right behind it: a blank, a bracket, signs of Markdown. */
const gapUnitsMax = 8
const addressUnitsMax = 64
const postalDigits = 6
const indianPlaces = new WordList(
  (
    'india,bharat,delhi,mumbai,bombay,kolkata,chennai,bengaluru,bangalore,hyderabad,pune,ahmedabad,jaipur,lucknow,kochi,noida,gurgaon,' +
    'gurugram,karnataka,maharashtra,tamil nadu,kerala,telangana,andhra,gujarat,rajasthan,punjab,haryana,bihar,odisha,assam,goa,' +
    'madhya pradesh,uttar pradesh,west bengal,jharkhand,nagar,taluk,district,post office,road,street,marg,colony,sector'
  ).split(',')
)

/** `Bengaluru, Karnataka, PIN 560034`: six digits behind an address of India, which calls its postal codes so. */
function isPostal(text: string, nameAt: number, start: number): boolean {
  if (codeAt(text, start) === 48 || runEnd(text, start, digitSet, digitsMax) !== start + postalDigits) return false
  return indianPlaces.standsIn(text, Math.max(0, nameAt - addressUnitsMax), nameAt)
}

/** `1234`, `0000`, `4321`, and the years of this time: documents write them, and few people have one of them. */
export function isSeries(text: string, start: number, end: number): boolean {
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
  const from = at + yours.length
  const to = lineEnd(text, from, reachUnits)
  return sentNames.standsIn(text, from, to < 0 ? from + reachUnits : to) ? told(start, end) : undefined
}
const sentNames = new WordList(names)
const yours = ' is your '

const pin = ['48', '27'].join('')
const code = ['482', '913'].join('')

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
      { literal: theCode, fold: true, guard: { notBefore: wordSet, behind: digitSet, behindUnits: 3 } },
      { literal: codeFor, fold: true, guard: { notBefore: wordSet } }
    ],
    match(text, at) {
      if (text.startsWith(yours, at)) return sentNumber(text, at)
      if (standsAt(text, at, theCode)) return leftClear(text, at, wordSet) ? receivedNumber(text, at) : undefined
      const isPlace = standsAt(text, at, codeFor)
      if (isPlace && (isOpenCode(text, at) || !leftClear(text, at, wordSet))) return undefined
      if (isPlace) return lockNumber(text, at + codeFor.length, true)
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
      `public string CardPin { get; init; } = "${pin}";`,
      `const bankPin = "${pin}"`,
      `{ card_pin: '${code}', accessCode: 4 }`,
      `use PIN ${pin} at the door`,
      `Her SIM PIN (${pin}) still works`,
      `Your code is ${code}`,
      `My bank sent me the code ${code} by SMS, where do I type it?`,
      `My bank sent me the code ${code.slice(0, 3)} ${code.slice(3)}`,
      `voici votre nouveau code d'accès : ${pin}`,
      `the code for the bike cellar will be ${pin} and the one for the server room ${code}.`
    ],
    misses: () => [
      'assert puk == (30030, 7)',
      'The PIN is 1234, the door code is 0000',
      '"description":"Pin the images by digest", "pr_number": 24538',
      '- Pin numpydoc  (:pr:`8041`)',
      'FALL THROUGH TO VERIFICATION CODE                 03160200',
      '12 MG Road, Bengaluru, Karnataka, PIN 560034',
      `gpio_pin = ${pin}, ledPin: ${pin}`,
      'GPIO pin is 13, connect pin 4827 to ground',
      'we pin to 4827 commits',
      'the pin was set in 2019',
      'your code in line 4827, your code is 4827 lines',
      'the spin is 4827',
      'pin: 48.27.1',
      'PIN: 4827-AB',
      'the access code is of 4827 bytes',
      'Your code works: 4827 passed, 0 failed',
      'otp: required, 6 digits',
      'the code for the response is 4048, the error code for the room service is missing',
      'the exit code for the build is 4827',
      'the code 4827 is at fault',
      `the zip code for the new office is ${code.slice(1)} and the one for the storage ${code.slice(0, 5)}`,
      `the product code for the door handle is ${code}`,
      'the HTTP status code for the locked room is 4230',
      'const pin = codes[4827]',
      `PIN must be 4-8 digits`,
      `2026 is your year`,
      'So why is your verification code late?',
      `${code} is your order number`
    ],
    source: 'How people write it; the messages that services send for a sign-in.'
  }
]
