/**
 * Passwords without a name, in messages about access: "it takes X on the phone", "the old one was X", a reply that is X
 * alone. Three things together reveal them: the shape of the word, what precedes it, and how much of the surrounding
 * text is about access. Each adds points, so the less one of them says, the more the others must (decision 137).
 */
import { contextMatch, type Detector, type Match, withNext } from '../../detector.ts'
import { filler, hexLetters } from '../../sample-text.ts'
import {
  anyPaddedBase64Set,
  charSet,
  codeAt,
  countOf,
  digitSet,
  inSet,
  letterSet,
  lowerDigitSet,
  lowerHexSet,
  runEnd,
  runStart
} from '../../text/chars.ts'
import { isGenerated } from '../../values/stated-value.ts'
import { WordList } from '../../text/word-list.ts'
import { WordSet } from '../../text/word-set.ts'
import { isDummyValue } from '../../values/generic-value.ts'
import { isProse, mayBeProse } from '../../text/prose.ts'
import { isNumber, isSpeaker, pointsOfShape } from '../../values/unnamed-value.ts'
import { isTopic, topicAnchors, topicAround } from './access-topics.ts'
import { pointsOfContext, excluded } from './unnamed-context.ts'
import { UnnamedCandidates } from './unnamed-candidates.ts'

/** How far a value may stand from the topic word that triggered, in code units. */
const unitsBefore = 180
const unitsBehind = 200

/** A point less finds nicknames and packages in talk about access; a point more loses a tenth of the passwords. */
const pointsMin = 5

const candidates = new UnnamedCandidates()

/** The passwords around the topic word at `at`. Each word of a text is judged once. */
function unnamedPassword(text: string, at: number, textNumber: number): Match | undefined {
  if (!mayBeProse(text, at) || !isTopic(text, at)) return undefined
  const to = Math.min(text.length, at + unitsBehind)
  let found: Match | undefined
  for (const { start, end } of candidates.within(text, Math.max(0, at - unitsBefore), to, textNumber)) {
    if (!isPassword(text, start, end, textNumber)) continue
    const match: Match = contextMatch(start, end)
    found = withNext(match, found)
  }
  return found
}

/**
 * Lengths of service keys: hexadecimal, base62, base64 of common sizes. Names in program text have any length, so
 * without this list each of them would be judged.
 */
const keyLengths = [24, 32, 36, 37, 40, 41, 43, 44, 48, 56, 64]
const keyUnitsMax = Math.max(...keyLengths)

/** What may stand before a key in a sentence: a blank, or a bracket or quote behind one, or a line break. */
const beforeKey = '\0\n (`"\''

/** A key has a digit among its first characters; names have their digits at the end. */
const earlyUnits = 16

/** A long key that a sentence hands over. It needs no topic around it. */
function handedKey(text: string, at: number): Match | undefined {
  if (!isBehindSentence(text, at)) return undefined
  const hexEnd = runEnd(text, at, lowerHexSet, keyUnitsMax + 1)
  const end = runEnd(text, hexEnd, anyPaddedBase64Set, keyUnitsMax + 1 - (hexEnd - at))
  const isHex = hexEnd === end
  // What stands right before hexadecimal digits costs less to read than all else, and tells most lines of them.
  if (isHex && pointsOfContext(text, at, end, hexLeadMin) < hexLeadMin && !isBesideKey(text, at)) return undefined
  if (
    (inSet(joinedSet, codeAt(text, end)) && codeAt(text, end + 1) > 32) ||
    countOf(text, at, end, digitSet) < keyDigitsMin
  )
    return undefined
  const isKey = isHex
    ? isHexKey(text, at, end)
    : isGenerated(text, at, end) &&
      pointsOfContext(text, at, end) !== excluded &&
      pointsOfShape(text, at, end) !== undefined
  if (!isKey || isOfRanks(text, at, end) || isLabelled(text, at, end) || !isProse(text, at, end)) return undefined
  if (isSpeaker(text, at, end)) return undefined
  return contextMatch(at, end)
}
const keyDigitsMin = 2
const hexLeadMin = 1

/**
 * Whether a word of a sentence, or nothing, precedes on this line: in most program text it is punctuation or an indent.
 */
function isBehindSentence(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  if (before === 10 || before === 0) return true
  if (before === 32) return inSet(sentenceSet, codeAt(text, at - 2)) || codeAt(text, at - 2) > 127
  return inSet(wrapSet, before) && codeAt(text, at - 2) === 32 && inSet(letterSet, codeAt(text, at - 3))
}
const wrapSet = charSet('(`"\'')
const sentenceSet = charSet('A-Z', 'a-z', '0-9', ',:.!?)*"\'')

const joinedSet = charSet('.:/@%&<>[]{}\\')

const hexUnitsMin = 32
const hexUnitsBefore = 120
const hexUnitsBehind = 60
/** Words near hexadecimal digits that say that they are a key; without one they are far more often a digest. */
const keyWords = new WordList(
  'key token secret psk signing bearer hmac schlüssel schluessel clé clave chave chiave klucz sleutel nyckel'.split(' ')
)
const digestWords = new WordList(
  (
    'commit sha hash digest checksum md5 fingerprint revision object blob tree image layer trace request uuid etag block transaction ' +
    'contract address public signature bcrypt scrypt crypt( merge branch revert rebase id: version'
  ).split(' ')
)

/**
 * Whether the words around the hexadecimal digits in `[start, end)` say that they are a key, and none that they are a
 * digest.
 */
function isHexKey(text: string, start: number, end: number): boolean {
  if (end - start < hexUnitsMin || isDummyValue(text, start, end)) return false
  const from = Math.max(0, start - hexUnitsBefore)
  if (!keyWords.standsIn(text, from, start) && !keyWords.standsIn(text, end, end + hexUnitsBehind)) return false
  return !digestWords.standsIn(text, from, start) && !digestWords.standsIn(text, end, end + hexUnitsBehind)
}

/** Whether a word for a key stands right before: `the encryption key (X)`, `with the key X`. */
function isBesideKey(text: string, at: number): boolean {
  const to = runStart(text, at, wrappedSet, 3)
  return to < at && besideWords.has(text.slice(runStart(text, to, letterSet, 8), to).toLowerCase())
}
const wrappedSet = charSet(' (`"\'')
const besideWords = new Set(['key', 'secret', 'token'])

/** Whether a label precedes, which says what the value is: `Sec-WebSocket-Accept: X`. */
function isLabelled(text: string, at: number, end: number): boolean {
  if (isOfLog(text, at, end)) return true
  if (codeAt(text, at - 1) !== 32 || codeAt(text, at - 2) !== 58) return false
  return (
    digestLabels.stands(text, runStart(text, at - 2, lowerDigitSet, digestUnits), at - 2) ||
    pointsOfContext(text, at, end, sentenceLead) < sentenceLead
  )
}
const digestLabels = new WordSet(['sha1', 'sha256', 'sha384', 'sha512', 'md5'])
const digestUnits = 6
const sentenceLead = 1.5

/** Whether it is the id of a message in the log of a server: `sendmail[5976]: 09DJDgOM005976: AUTH failure`. */
function isOfLog(text: string, at: number, end: number): boolean {
  return codeAt(text, end) === 58 && text.startsWith(']: ', at - 3)
}

/** Whether it is a path, or a chess position: `b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB`. */
function isOfRanks(text: string, start: number, end: number): boolean {
  return countOf(text, start, end, slashSet) >= ranksMin
}
const slashSet = charSet('/')
const ranksMin = 5

function isPassword(text: string, start: number, end: number, textNumber: number): boolean {
  // Most words with a digit are numbers, dates and digests.
  if (isNumber(text, start, end) || isOfLog(text, start, end)) return false
  const lead = pointsOfContext(text, start, end)
  if (lead === excluded) return false
  const shape = pointsOfShape(text, start, end)
  if (shape === undefined || shape + lead + topicAround(text, start, end, textNumber) < pointsMin) return false
  return isProse(text, start, end) && !isSpeaker(text, start, end)
}

const word = ['violet', '8841'].join('')
const marked = ['Violet', '47!'].join('')
const joined = ['amber', '-falcon-', '43'].join('')

export const unnamedPasswordDetectors: readonly Detector[] = [
  {
    id: 'unnamed_password',
    label: 'PASSWORD',
    title: 'password that a message does not name',
    group: 'secret',
    tier: 'medium',
    lengthMin: 16,
    anchors: [...topicAnchors, { token: keyLengths, before: beforeKey, digitWithin: earlyUnits }],
    match: (text, at, { by, textNumber }) =>
      by === 'token' ? handedKey(text, at) : unnamedPassword(text, at, textNumber),
    hits: () => [
      `Config says psk. The psk itself is ${filler(64, hexLetters)}. Is that long enough?`,
      `The encrypted zip opens with ${joined}. Script the extraction.`,
      `I keep getting kicked out of the vpn. It takes ${filler(9)}42 on the phone but not on the laptop`,
      `my account got locked out again, I am sure that I typed ${word} correctly`,
      `The old one stopped working after the reset of the admin account, it was ${marked} I think`,
      `if the nas asks you to authenticate then answer with ${joined} and hit enter twice`,
      `how do we get into the staging wiki, anybody who still has the login?\n> found it: ${filler(9)}42`,
      `Ich komme nicht mehr ins VPN rein, eingegeben habe ich ${filler(9)}42 wie immer, Anmeldung geht nicht`,
      `не могу войти на сервер, вводил ${filler(9)}42 и всё равно доступ запрещён`,
      `他让我用 ${filler(9)}42 登录，但是一直提示账号被锁定`,
      `what did you set for the service account in the end\n${word}\nthanks, that works for me`,
      `Did anybody change the Redis auth? It used to be ${filler(9)}42 and now it fails`,
      `new wifi in the office: SSID Lighthouse, key ${filler(9)}42. The old one goes away`,
      `our old dev hardcoded the encryption key (${filler(64, hexLetters)}) and used it for all tenants`,
      `Is it good? How strong is '${joined}'? I want to use it for my bank.`,
      `our PSK on both ends is set to ${joined}, phase 1 comes up, phase 2 does not`,
      `I have rotated the signing key yesterday. Before: ${filler(64, hexLetters)}, and now we wait`,
      `there are two logins on the demo:\n1) patient: demo.patient / ${word}\n2) doctor: demo.doctor / ${joined}`,
      `The one of May stopped working this morning. Use ${filler(20)}4${filler(11)} from now on.`
    ],
    misses: () => [
      `All that it says is this.\n * Public key ping-sha256: ${filler(43)}=\n * All OK. The server matched the certificate or the key that we pinned`,
      'the user who is denied access gets a 404, so that nobody can log in to the account:\n    render_404\n  end',
      'log in to the account again, where access takes min((proofSubset+1) * 128) of the vpn and the account',
      `login to the vpn with your password, account access over ssh\n    pubkey ${filler(43)}=`,
      'May 29 23:14:04 mail sendmail[5976]: 09DJDgOM005976: AUTH failure (login): authentication failure (-13) SASL(-13)',
      'RDP to dsp-gent-02\n* user: planner\n* pass: see the vault\n* map drive X: before you start',
      'id castle-1\nepd rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq -\nperft 1 28\n',
      'my account got locked out again after the release of v2beta14, see JIRA-1234 and batch-prod-03 for it',
      'sudo apt-get update\n  sudo apt-get install xvfb harbor python3-pyqt6\n\n  # the viewer is not up to date in the repos',
      'it works with Chrome131 but not with the other one, sign-in hangs',
      `what's the name of the admin account?\n${['svc', '_backup01'].join('')}\nthanks, that works for me`,
      'ask ana4821 who has access to the vpn, or log in to jenkins02 as deploy24',
      `<ana4821> I use the vpn\n<bo> then ana4821 has access to it, is that right, and who else has it now`,
      'you can log in with OAuth2 and the token is hashed with PBKDF2WithHmacSHA256 as RFC2898 says',
      'set up the login with type(uint160) and the field png_uint_32 of the account, then try Salsa20',
      'the vpn is broken, see lean#502 and dbus!54, and corretto@11 of the root account is no help',
      'the account has a group and its name is hsrp-vlan210-2104, and who has access to the vpn of it is on the wiki',
      'the account that is asked defaults to gemini-embedding-2505, or log in to choose another one of them',
      'it says ERR_CALLBACK_TIMEOUT_991 when I log in to my account, and rhbz512536 of the login is the same',
      `The id is case sensitive and of the account. For example, \`${filler(9)}42\` is one of those that you may have.`,
      `Subject: who has access to the vpn now\nThread-Index: ${filler(20)}42${filler(10)}\nHello all, I cannot log in to my account since then`,
      'log in to your account and then set the project global-432717 as the one that you use from now on',
      `the public key (${filler(64, hexLetters)}) of the node is in the log`,
      `the build of ${filler(40, hexLetters)} has a new key for the token, the commit before it had none at all`,
      `I would like to know whether the colour of that word here is ${filler(6)} or another`,
      `{"login": true, "id": "${filler(9)}42", "account": 5, "vpn": {"x": 1}, "wifi": "sign in"}`
    ],
    source: 'How people write it; measured on 550 MB of chats, mails, manuals and change logs.'
  }
]
