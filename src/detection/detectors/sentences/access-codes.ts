/** Numbers that open something, stated in a message: PINs and codes. */
import { NameIndex } from '../../text/name-index.ts'
import { type Anchor, contextMatch, type Detector, type Match } from '../../detector.ts'
import type { Guard } from '../../anchor-guard.ts'
import {
  charSet,
  codeAt,
  digitSet,
  inSet,
  leftClear,
  letterSet,
  lowerSet,
  placeOf,
  plainBlankSet,
  runEnd,
  runStart,
  stringQuoteSet,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { numbersLine } from '../../text/rows.ts'
import { WordList } from '../../text/word-list.ts'
import { hasChangeVerb } from './change-verbs.ts'
import { codeLeads, codeNames } from './access-code-names.ts'
import { digitsMax, isSeries, numberEnd } from './access-code-numbers.ts'
import { codePhraseAnchors, codeOfPhrase, stopSet } from './access-code-phrases.ts'

const index = new NameIndex(codeNames.map((name) => [name, true]))
const behindNameSet = charSet(' :,=)*?\n')
const nameGuard: Guard = { notBefore: letterSet, orCapital: true, behind: behindNameSet, behindUnits: 1 }

/** In other scripts the number may follow directly, or behind a copula. */
const localGuard: Guard = { notBefore: letterSet }
const anchorOf = (literal: string): Anchor => ({
  literal,
  fold: true,
  guard: literal.charCodeAt(literal.length - 1) < 128 ? nameGuard : localGuard
})

const reachUnits = 64
/** Characters between the word that announces a number and the number. */
const gapSet = charSet(' "\'`*(')
const leadUnitsMax = Math.max(...codeLeads.map((lead) => lead.length))
/** `change the pin to 2093` sets a PIN, and is not about pinning a version. */
const changeUnitsMax = 48
const nameUnitsMax = 24

/** The number behind the name at `at`. */
function namedCode(text: string, at: number): Match | undefined {
  const name = index.at(text, at)
  if (name === undefined) return undefined
  if (name[0] === 'tan' && !text.startsWith('TAN', at)) return undefined
  // Part of another word, or a heading: `code base`, `###### Login code (1070013)`.
  if (text.startsWith(' base', at + name[0].length) || isHeading(text, at)) return undefined
  const isWhole = leftClear(text, at, wordSet)
  if (!isWhole && !endsName(text, at)) return undefined
  const from = at + name[0].length
  if (name[0].charCodeAt(name[0].length - 1) < 128 && !inSet(behindNameSet, codeAt(text, from))) return undefined
  const limit = Math.min(text.length, from + reachUnits)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    // The accessors of a property stand between its name and its value.
    const accessors = code === 123 && text.startsWith(' get; ', i + 1) ? placeOf(text, 125, i, limit - i) : -1
    if (accessors > 0) i = accessors + 1
    else if (isWhole && inSet(askEndSet, code)) return answered(text, at, i)
    else if (isWhole && code === 46 && codeAt(text, i + 1) === 10) return answered(text, at, i + 1)
    else if (inSet(stopSet, code) || (code === 46 && codeAt(text, i + 1) <= 32)) return undefined
    // `"Pin the images", pr_number: 24538`: the string ends.
    if (code === 34 && codeAt(text, i + 1) === 44) return undefined
    // `puk == (30030, 7)` is a comparison.
    if (
      code === 61 &&
      codeAt(text, i + 1) === 61 &&
      !inSet(stringQuoteSet, codeAt(text, runEnd(text, i, equalsSet, 4)))
    )
      return undefined
    if (!inSet(digitSet, code)) continue
    const end = numberEnd(text, i)
    if (!isWhole && !(inSet(stringQuoteSet, codeAt(text, i - 1)) && codeAt(text, end) === codeAt(text, i - 1)))
      return undefined
    return end > i && isLed(text, i, at) && !isSeries(text, i, end) ? contextMatch(i, end) : undefined
  }
  return undefined
}

/** Whether the line of `at` is a heading of the third level or below, in Markdown. */
function isHeading(text: string, at: number): boolean {
  const from = Math.max(0, at - headingUnitsMax)
  return text.startsWith('###', from + text.slice(from, at).lastIndexOf('\n') + 1)
}

const headingUnitsMax = 80

/** The answer on the next line, behind its speaker: `which pin do I need for the storage?` and `[09:42] Dan: 864104`. */
function answered(text: string, at: number, to: number): Match | undefined {
  const line = codeAt(text, to) === 63 ? placeOf(text, 10, to, 3) : to
  if (line < 0) return undefined
  const question = text.slice(Math.max(0, at - askUnitsMax), at).toLowerCase()
  const own = question.slice(question.lastIndexOf('\n') + 1)
  if (line === to && !questions.some((word) => own.includes(word))) return undefined
  const stamp = runEnd(text, line + 1, stampSet, speakerUnitsMax)
  const speaker = runEnd(text, codeAt(text, stamp) === 93 ? stamp : line + 1, speakerSet, speakerUnitsMax)
  for (const start of [line + 1, speaker]) {
    const from = runEnd(text, start, openSet, gapUnitsMax)
    const end = numberEnd(text, from)
    if (numbersLine(text, end)) return undefined
    const isSaid = start === line + 1 || inSet(saidSet, codeAt(text, runStart(text, from, plainBlankSet, 4) - 1))
    if (end > from && isSaid && !isSeries(text, from, end)) return contextMatch(from, end)
  }
  return undefined
}
const askEndSet = charSet('?\n')
const askUnitsMax = 64
const questions = [
  'what',
  'which',
  'who has',
  'who knows',
  'anyone',
  'anybody',
  'remember',
  'welche',
  'was ist',
  'quel',
  'cuál',
  'please',
  'i need',
  'we need',
  'can you',
  'could you',
  'send me',
  'give me',
  'tell me',
  'bitte'
]
/** Characters of a timestamp and a speaker, and around them: `[09:42] Dan: `, `> `, `**dan** `. */
const speakerSet = charSet('A-Z', 'a-z', ' :[]<>*_.-')
const saidSet = charSet(':>*]')
const stampSet = charSet('0-9', '[:. /,-')
const speakerUnitsMax = 32
const openSet = charSet(' >*"\'`')

const equalsSet = charSet('= ')
/**
 * Whether `at` begins the last word of an identifier: `bankPin = "..."`, `card_pin: '...'`. Pins of chips and maps have
 * numbers without quotes.
 */
function endsName(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  return before === 95 || (inSet(lowerSet, before) && inSet(upperSet, codeAt(text, at)))
}

/** Whether the name ends at `to`. A lower-case `pin` does not count, since chips have numbered pins. */
function isRightBehind(text: string, nameAt: number, to: number): boolean {
  const name = to - nameAt <= nameUnitsMax ? index.at(text, nameAt)?.[0] : undefined
  return (
    name !== undefined &&
    name.length === to - nameAt &&
    (name !== 'pin' || text.startsWith('PIN', nameAt) || isOwnPin(text, nameAt))
  )
}

/**
 * Whether `pin` is at the start of part of a sentence, or follows something that has a PIN: `tankkort, pin 3668`,
 * `sim pin 8372`.
 */
function isOwnPin(text: string, nameAt: number): boolean {
  const to = runStart(text, nameAt, plainBlankSet, gapUnitsMax)
  if (inSet(partSet, codeAt(text, to - 1))) return to < nameAt
  // On a line of its own, below a user and a password.
  if (codeAt(text, to - 1) === 10) return signs.standsIn(text, Math.max(0, to - signsUnitsMax), to)
  return to < nameAt && pinned.has(text.slice(runStart(text, to, letterSet, nameUnitsMax), to).toLowerCase())
}
const signs = new WordList(['passw', 'login', 'email', 'username', 'account', 'card'])
const signsUnitsMax = 120
const partSet = charSet(',;(')
const pinned = new Set(
  'card sim kort karte tarjeta carte carta voicemail mailbox conference bank phone tablet my our door alarm access host guest meeting gate'.split(
    ' '
  )
)

/** Whether the number at `start` is announced behind the name at `nameAt`. */
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
  const lead = codeLeads.find((one) => before.endsWith(one))
  // `pin code of Mumbai is 400001`.
  if (lead !== undefined && isPostal(text, nameAt, start)) return false
  if (lead !== ' to') return lead !== undefined
  const around = text.slice(Math.max(0, nameAt - changeUnitsMax), start).toLowerCase()
  return hasChangeVerb(around)
}

/** The most units between a name and a number directly behind it: a blank, a bracket, Markdown. */
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

/** Whether it is an Indian postal code, which is called PIN, behind an address: `Bengaluru, Karnataka, PIN 560034`. */
function isPostal(text: string, nameAt: number, start: number): boolean {
  if (codeAt(text, start) === 48 || runEnd(text, start, digitSet, digitsMax) !== start + postalDigits) return false
  return indianPlaces.standsIn(text, Math.max(0, nameAt - addressUnitsMax), start)
}

const pin = ['48', '27'].join('')
const code = ['482', '913'].join('')

export const accessCodeDetectors: readonly Detector[] = [
  {
    id: 'told_code',
    label: 'CODE',
    title: 'PIN or code in a sentence',
    group: 'secret',
    tier: 'medium',
    lengthMin: 8,
    anchors: [...codeNames.map(anchorOf), ...codePhraseAnchors],
    match: (text, at) => namedCode(text, at) ?? codeOfPhrase(text, at),
    hits: () => [
      `The PIN of the SIM in the gateway is ${code}, the PUK is on the card.`,
      `i changed my laptop pin to ${pin} and now it asks`,
      `what's the PIN?\n${pin}\t\n`,
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
      `Your Banco Azul code is ${code}. Never share it with anyone.`,
      `Le code de la porte est le ${pin}, au fond.`,
      `支付密码${code}，交易被拒`,
      `도어락 ${code}, 호수`,
      `Le digicode de l'immeuble, c'est ${pin} puis la touche verte.`,
      `Schlüsselsafe-Code ${pin}, Müll mittwochs`,
      `My bank sent me the code ${code} by SMS, where do I type it?`,
      `My bank sent me the code ${code.slice(0, 3)} ${code.slice(3)}`,
      `voici votre nouveau code d'accès : ${pin}`,
      `meine PIN ist ${pin}`,
      `mon code PIN est ${pin}`,
      `Ihr Bestätigungscode lautet ${code}`,
      `Tu código de verificación es ${code}`,
      `您的验证码是 ${code}，请勿泄露`,
      `код от двери ${pin}`,
      `Meine TAN ist ${code}`,
      `if (pin === '${pin}') open()`,
      `padlock code ${pin}`,
      `Agent: To verify the account I need your telephone PIN please.\nCustomer: ${pin}`,
      `please type the 6-digit code we just sent to your phone\nYou: ${code}`,
      `您的验证码为 ${code},5分钟内有效。`,
      `認証番号は ${code} です`,
      `Il codice della cassaforte è ${code}, quello dell'allarme ${pin}.`,
      `De pincode van de alarmcentrale is ${pin} en de onderhoudscode ${code}.`,
      `Alarmanlage unscharf mit ${pin}, dann die Tür öffnen.`,
      `Der Tresor im Büro geht mit ${code} auf.`,
      `Key box is next to the door, code ${pin}.`,
      `my locker at the gym is 118 and the combination is ${code}.`,
      `the code to the office is ${pin}`,
      `the code is ${code}`,
      `The safe opens with ${pin}.`,
      `the combination of the safe is ${['12', '34', '18'].join('-')}`,
      `Use ${code} as your verification code`,
      `G-${code} is your Google verification code.`,
      `${code} is the code I got`,
      `which pin do I need for the storage room?\n${pin} on the keypad, then left`,
      `[09:41] Priya: does anyone have the webinar host key\n[09:42] Dan: ${code}`,
      `fuel card, pin ${pin}`,
      `email qa@acme.dev\npassword see vault\npin ${pin}\n`,
      `OTP ${code}`,
      `the code for the bike cellar will be ${pin} and the one for the server room ${code}.`
    ],
    misses: () => [
      'see\n\n  1810\tWhat: the letter on which the PIN of the card is printed.\n  1811\t\n  1812\t\n',
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
      `the code is 4827 bytes long`,
      `the code is ${pin} now, see the change`,
      `a combination of the safe rule is 12-34`,
      `file opens with ${pin} at its head`,
      `which pin is next?\nline ${pin}\n`,
      `the tan ${pin} and the pin ${pin} of the chip`,
      `Use ${code} as your seed`,
      `the zip code for the new office is ${code.slice(1)} and the one for the storage ${code.slice(0, 5)}`,
      `the product code for the door handle is ${code}`,
      'the HTTP status code for the locked room is 4230',
      'const pin = codes[4827]',
      'pin code of Mumbai is 400067',
      `Please pin the version of the code.\nline ${pin}`,
      `file is missing, code ${pin}`,
      `the code of the product is ${code}, codice del prodotto ${code}`,
      `the combination is ${code} of them`,
      `PIN must be 4-8 digits`,
      `2026 is your year`,
      'So why is your verification code late?',
      `${code} is your order number`
    ],
    source: 'How people write it; the messages that services send for a sign-in.'
  }
]
