/** Passwords in pairs with a user: "login: admin / X", "creds for jenkins: jenkins/X", "admin:X". */
import { NameIndex } from '../../text/name-index.ts'
import { Assignment } from '../../assignments/assignments.ts'
import { contextMatch, type Match, withNext } from '../../detector.ts'
import type { Guard } from '../../anchor-guard.ts'
import {
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  inSet,
  labelSet,
  leftClear,
  letterSet,
  lowerSet,
  plainBlankSet,
  runEnd,
  runStart,
  standsAt,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { WordSet } from '../../text/word-set.ts'
import { isChosenPassword } from '../../values/chosen-passwords.ts'
import { isDummyValue } from '../../values/generic-value.ts'
import { isTicket } from '../../values/program-identifiers.ts'
import { rarity } from '../../values/rarity.ts'
import { isDescriptiveWord } from '../../values/descriptive-words.ts'
import { isStatedSecret, isAdjacentSecret, mixesCase, statedSet, statedTailSet } from '../../values/stated-value.ts'
import { weakAt, wordAt } from './clause-words.ts'
import { wholeEnd } from '../../assignments/value-end.ts'

const assignment = new Assignment()

/** Whether `login` or `credentials` stands at `at`, which announce a pair. */
export function isPairWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32
  return code === 108 || (code === 99 && !inSet(letterSet, codeAt(text, at - 1)))
}

/** Characters between such a word and its pair, including the end of emphasis and a bracket. */
const pairHeadSet = charSet(': *(')
const signsMax = 5

/** Announcements of a pair in two words. */
const pairLabels = [
  ...['user/pass', 'user/password', 'username/password', 'login/password', 'login/pass', 'user/pw', 'un/pw'],
  ...[
    'user / pass',
    'user / password',
    'username / password',
    'login / password',
    'user & pass',
    'username & password'
  ],
  ...['user:pass', 'usuario/contraseña', 'benutzer/passwort', 'логин/пароль', 'логин / пароль']
]
/** Words before pairs of a network or user and its password, in which a name may precede the colon. */
const loose = [
  ...['u/p', 'wi-fi', 'wifi', 'wlan', 'zugangsdaten', 'identifiants', 'accesos', 'credenciales', 'credenziali'],
  ...['credenciais', 'inloggegevens', 'dane logowania']
]
const accounts = [...loose, 'account used', 'test user', 'demo user', 'basic auth', ...pairLabels]
const accountIndex = new NameIndex(accounts.map((name) => [name, true]))
const accountGuard: Guard = { notBefore: wordSet, behind: pairHeadSet, behindUnits: 1 }
export const accountAnchors = accounts.map((literal) => ({ literal, fold: true as const, guard: accountGuard }))

/** `Account used: qa_04 / X`, `basic auth (ops:X)`. */
export function passwordOfAccount(text: string, at: number, textNumber: number): Match | undefined {
  const name = accountIndex.at(text, at)
  if (name === undefined || !leftClear(text, at, wordSet)) return undefined
  const end = at + name[0].length
  if (!inSet(pairHeadSet, codeAt(text, end))) return undefined
  if (!loose.includes(name[0])) return passwordOfUserPair(text, end, textNumber)
  const match = passwordOfUserPair(text, namedEnd(text, end), textNumber)
  // An ordinary word behind a slash is another name: `Wi-Fi: Home / Office`.
  return match?.byContext === true ? match : undefined
}

/** At the colon, or the copula, behind a few words: `Zugangsdaten Testshop: `, `u/p for the camera is `. */
function namedEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + subjectUnitsMax)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 58 || (code === 32 && text.startsWith(' is ', i))) return i
    if (code !== 32 && !inSet(userSet, code)) break
  }
  return from
}

const mailEnds = ['.com', '.org', '.net', '.io', '.dev', '.de', '.fr', '.test']
const mailSigns = [':', ' / ', '  ']
/** Further domains, of countries and internal networks, behind which a colon often means something else. */
const furtherEnds =
  '.at .ch .nl .es .it .pl .se .no .dk .fi .cz .be .uk .eu .ru .ua .br .pt .jp .kr .cn .au .ca .us .app .ai .info .example .local .internal .corp .lan'.split(
    ' '
  )
/** The end of a mail address, and what separates it from a password. */
export const mailPairAnchors = [
  ...mailEnds.flatMap((end) => mailSigns.map((sign) => end + sign)),
  ...furtherEnds.flatMap((end) => mailSigns.slice(1).map((sign) => end + sign))
].map((literal) => ({ literal }))
const endUnitsMax = 8
const columnGapMax = 40
const copyUnits = 48
/** Commands that name a place on another host in this form. */
const copies = ['scp', 'rsync', 'git', 'ssh', 'sftp', 'hg ', 'clone', 'remote']

/** The password behind the mail address whose end stands at `at`: `jo@acme.dev:X`, `jo@acme.dev / X`. */
export function passwordOfMailPair(text: string, at: number): Match | undefined {
  const from = runStart(text, at, userSet, 64)
  const sign = runEnd(text, at + 1, letterSet, endUnitsMax)
  const isColumn = text.startsWith('  ', sign)
  const start = isColumn ? runEnd(text, sign, plainBlankSet, columnGapMax) : sign + (codeAt(text, sign) === 58 ? 1 : 3)
  let end = runEnd(text, start, statedSet, 64)
  const behind = codeAt(text, end)
  if (behind === 58 || behind === 47 || behind === 40 || behind === 61) return undefined
  while (end > start && inSet(statedTailSet, text.charCodeAt(end - 1))) end--
  if (codeAt(text, sign) === 32 && isTitle(text, start, end)) return undefined
  // The last column is that of the passwords.
  if (isColumn && end < text.length && behind !== 10 && behind !== 13) return undefined
  if (!isAdjacentSecret(text, start, end) || text.slice(from, at).indexOf('@') < 1) return undefined
  const before = text.slice(Math.max(0, from - copyUnits), from).toLowerCase()
  return copies.some((copy) => before.includes(copy)) || text.startsWith('git@', from)
    ? undefined
    : contextMatch(start, end)
}

/** Whether it is a job title behind the slash: `Team-Lead2`. */
function isTitle(text: string, start: number, end: number): boolean {
  return consistsOf(text, start, end, labelSet) && countOf(text, start, end, digitSet) < 2
}

/** First characters of the separators. */
const pairSignSet = charSet('/:, ')
const userSet = charSet('A-Z', 'a-z', '0-9', '._@+-')
const pairCopulas = ['is ', 'are ', 'with ', 'as ', 'sont ', 'son ', 'sono ', 'sind ', 'lauten ']
const pairCopulaHeadSet = charSet(
  ...pairCopulas.flatMap((copula) => [copula.charAt(0), copula.charAt(0).toUpperCase()])
)
/** Words before a user or host in log lines about logins. */
const peers = new WordSet('from for client failed by at on user ask see in via to using'.split(' '))
/** What joins any two words. */
const joiningWords = [' and ', ' et ', ' y ', ' e ', ' und ', ' & ']
const pairSeparators = [' / ', '/', ' : ', ':', ' , ', ', ', ...joiningWords, ' ']

/** `login: admin / X`, `credentials are admin:X`. */
export function passwordOfUserPair(text: string, from: number, textNumber: number): Match | undefined {
  let i = subjectEnd(text, from)
  const signsTo = i + signsMax
  while (i < signsTo && inSet(pairHeadSet, codeAt(text, i))) i++
  if (inSet(pairCopulaHeadSet, codeAt(text, i)))
    for (const copula of pairCopulas) if (standsAt(text, i, copula)) i += copula.length
  const user = runEnd(text, i, userSet, 64)
  // An option of a command: `-SqlInstance`.
  if (user - i < 2 || (codeAt(text, i) === 45 && user - i > 2) || peers.stands(text, i, user)) return undefined
  if (!inSet(pairSignSet, codeAt(text, user))) return undefined
  const separator = pairSeparators.find((one) => text.startsWith(one, user))
  if (separator === undefined || !assignment.readValue(text, user + separator.length, textNumber)) return undefined
  const { start, end } = assignment
  // An issue: `ory/cloud#148`.
  if (separator === '/' && codeAt(text, start - 2) !== 32 && isIssue(text, start, end)) return undefined
  // `Scripting in Login functionality (ACME-2024-128)`.
  if (isTicket(text, start, end)) return undefined
  // Two ways to sign in: `Login with ADFS/Office365`.
  if (separator === '/' && providers.stands(text, i, user)) return undefined
  if (isChosenPassword(text, start, end)) return isDummyValue(text, start, end) ? undefined : pairMatch(text)
  if (end - start < 8 || !isMixed(text, start, end)) return plainPair(text, from, i, user, separator)
  if (isStatedSecret(text, start, end) && rarity(text, start, end) >= 6) return pairMatch(text)
  return plainPair(text, from, i, user, separator)
}

/** An ordinary word behind the user, at the end of a clause: `login: bob / sunshine`, `credentials are bob:sunshine`. */
function plainPair(text: string, from: number, userAt: number, userTo: number, separator: string): Match | undefined {
  // `and` joins any two words, and so does a slash without blanks.
  const isJoined = joiningWords.includes(separator)
  if (codeAt(text, userAt - 1) !== 32 || !(isJoined || plainSeparators.has(separator))) return undefined
  const user = text.slice(userAt, userTo).toLowerCase()
  const lead = text.slice(Math.max(0, from - leadUnitsMax), from).toLowerCase()
  const announcesCredentials = lead.includes('cred') || pairLabels.some((label) => lead.endsWith(label))
  const isAnnounced = announcesCredentials && inSet(behindUserSet, codeAt(text, from)) && isCopula(text, from, userAt)
  if (isJoined && !isAnnounced && !isAddress(user)) return undefined
  // `login admin:Passw0rd!`.
  const secretAt = userTo + separator.length
  const isMeant = announcesCredentials || (lead.includes('log') && !samples.some((one) => lead.includes(one)))
  if (separator !== ' / ' && !isJoined && !announcesCredentials)
    return isMeant && separator !== '/' ? weakAt(text, secretAt) : undefined
  const match =
    isDescriptiveWord(user) || providers.stands(text, userAt, userTo)
      ? undefined
      : (wordAt(text, secretAt) ?? (isMeant ? weakAt(text, secretAt) : undefined))
  if (match === undefined || text.slice(match.start, match.end).toLowerCase() === user) return undefined
  // Two services: `Sign in with Lark / Feishu`.
  if (text.startsWith(' with ', userAt - 6) && isTitled(text, userAt) && isTitled(text, match.start)) return undefined
  return countOf(text, match.start, match.end, lowerSet) > 0 ? match : undefined
}
/** Identity providers, which also stand in pairs: `log in with Google / GitHub`. */
const providers = new WordSet(
  'google github gitlab facebook apple microsoft twitter linkedin oauth oauth2 saml oidc sso ldap okta adfs entra keycloak'.split(
    ' '
  )
)
const plainSeparators = new Set([' / ', '/', ':', ' : ', ' & '])
const leadUnitsMax = 24
/** What documentation writes before made-up accounts. */
const samples = ['default', 'demo', 'example', 'sample', 'test']
const behindUserSet = charSet(' :')

const isTitled = (text: string, at: number): boolean => inSet(upperSet, codeAt(text, at))

/** Whether a copula or colon precedes the pair: `creds are bob and X`, `username & password: bob & X`. */
function isCopula(text: string, from: number, to: number): boolean {
  const between = text.slice(from, to)
  return between.includes(':') || between === ' are ' || between === ' is '
}

/** Whether it is a user rather than a way to sign in: `bob@acme.dev`. */
function isAddress(user: string): boolean {
  return user.indexOf('@') > 0
}

function isIssue(text: string, start: number, end: number): boolean {
  const sign = runEnd(text, start, letterSet, end - start)
  return codeAt(text, sign) === 35 && runEnd(text, sign + 1, digitSet, end - sign) === end
}

const subjectUnitsMax = 48

/** Past `for jenkins` before a colon. */
function subjectEnd(text: string, from: number): number {
  if (!text.startsWith(' for ', from)) return from
  for (let i = from; i < from + subjectUnitsMax; i++) {
    const code = codeAt(text, i)
    if (code === 58) return i
    if (code === 10) break
  }
  return from
}

/** Whether it has a digit, or capitals within a word and a symbol. */
function isMixed(text: string, start: number, end: number): boolean {
  return (
    countOf(text, start, end, digitSet) > 0 ||
    (mixesCase(text, start, end) && countOf(text, start, end, letterSet) < end - start)
  )
}

/** The value that was read last, including characters at which reading stopped, and the pairs that follow. */
function pairMatch(text: string): Match {
  const { start, end, quoted } = assignment
  const match = contextMatch(start, quoted ? end : wholeEnd(text, end))
  const next = nextPair(text, match.end, pairsMax)
  return withNext(match, next)
}

const pairsMax = 6

/**
 * The next pairs of a list, each a name and a password: `DB X, SMTP Y`.
 * @param left the most pairs that may follow
 */
function nextPair(text: string, from: number, left: number): Match | undefined {
  const joint = left === 0 ? undefined : listJoints.find((one) => text.startsWith(one, from))
  if (joint === undefined) return undefined
  const user = from + joint.length
  const name = runEnd(text, user, userSet, 32)
  const sign = codeAt(text, name)
  if (name < user + 2 || (sign !== 32 && sign !== 47 && sign !== 58)) return undefined
  const start = name + (text.startsWith(' / ', name) ? 3 : 1)
  let end = runEnd(text, start, statedSet, 64)
  while (end > start && inSet(statedTailSet, text.charCodeAt(end - 1))) end--
  if (!isAdjacentSecret(text, start, end)) return undefined
  const next = nextPair(text, end, left - 1)
  return withNext(contextMatch(start, end), next)
}
const listJoints = [', ', ' und ', ' and ', ' et ', ' y ', ' e ', ' en ', ' oraz ', '; ']

/** Well-known accounts. A value joined to one by a separator is its password. */
export const roleAnchors = [
  ...['admin:', 'root:', 'administrator:', 'admin / ', 'admin // ', 'root / ', 'admin/', 'root/'],
  ...['admin, ', 'root, ']
]
const beforeRoleSet = charSet('A-Z', 'a-z', '0-9', '_-./@:$%\\')

const roleIndex = new NameIndex(roleAnchors.map((role) => [role, true]))

/** Whether one of the role anchors stands at `at`. */
export function isRole(text: string, at: number): boolean {
  const first = text.charCodeAt(at) | 32
  return (first === 97 || first === 114) && roleIndex.at(text, at) !== undefined
}

/** `admin:X` as a word of its own. */
export function passwordOfRole(text: string, at: number): Match | undefined {
  if (!leftClear(text, at, beforeRoleSet) || isOwner(text, at)) return undefined
  const start = passwordStart(text, runEnd(text, at, letterSet, 16))
  let end = runEnd(text, start, statedSet, 64)
  while (end > start && inSet(statedTailSet, text.charCodeAt(end - 1))) end--
  const behind = codeAt(text, end)
  if (behind === 58 || behind === 47 || behind === 40) return undefined
  if (codeAt(text, start - 2) === 44 && !isRow(text, at, end)) return undefined
  // A link in Markdown: `[admin/rofl-500](admin/rofl-500)`.
  if (behind === 41 ? text.startsWith('](', at - 2) : behind === 93 && codeAt(text, end + 1) === 40) return undefined
  // The kernel as `uname` of macOS prints it: `root:xnu-8019.41.5~1/RELEASE_ARM64_T6000`.
  if (text.startsWith('xnu-', start)) return undefined
  return isAdjacentSecret(text, start, end) ? contextMatch(start, end) : undefined
}

/** Whether a row of a list ends in the account and its password: `Router: admin, X`. */
function isRow(text: string, at: number, end: number): boolean {
  const next = codeAt(text, end)
  return text.startsWith(': ', at - 2) && (next === 0 || inSet(rowEndSet, next))
}

const rowEndSet = charSet('\r\n"\\')

/** Where the password begins: behind a colon or comma, or behind one or two slashes with blanks around them. */
function passwordStart(text: string, roleTo: number): number {
  if (codeAt(text, roleTo) === 44) return roleTo + 2
  if (codeAt(text, roleTo) !== 32) return roleTo + 1
  return roleTo + (text.startsWith(' // ', roleTo) ? 4 : 3)
}

/** Whether it is the owner and group of a file: `chown root:deploy24`. */
function isOwner(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - ownerUnitsMax), at)
  return ownerCommands.some((command) => before.slice(before.lastIndexOf('\n') + 1).includes(command))
}
const ownerCommands = ['chown', 'setfacl']
const ownerUnitsMax = 24
