/**
 * Passwords and keys without a name, passed to a call, type or list whose name grants access:
 * `new ErpClient(host, "svc", "...")` (decision 138).
 */
import {
  type Access,
  accessOf,
  accessWords,
  bracketAt,
  isAccessWord,
  isOtherField,
  listOf,
  listWords,
  memberAnchors
} from '../../values/access-names.ts'
import { LiteralList } from '../../arguments/literals.ts'
import { NameIndex } from '../../text/name-index.ts'
import { sharedAssignment as assignment } from '../../assignments/assignments.ts'
import { behindAssigned } from '../../assignments/lexing.ts'
import { nameParts, nameStart } from '../../values/key-names.ts'
import { type Anchor, contextMatch, type Detector, type Match, withNext } from '../../detector.ts'
import { type Guard, type Pairs, standsBehindName } from '../../anchor-guard.ts'
import { filler, hexLetters } from '../../sample-text.ts'
import {
  allBut,
  assignSet,
  blankSet,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  inSet,
  leftClear,
  letterSet,
  lowerHexSet,
  lowerSet,
  nameSet,
  openBracketSet,
  runEnd,
  runStart,
  upperSet
} from '../../text/chars.ts'
import { WordSet } from '../../text/word-set.ts'
import { accessLook, type ValueLook } from '../../values/access-value.ts'
import { isHostLike, isMailLike } from '../../values/non-secret-arguments.ts'
import { passwordOfPair } from './written-pairs.ts'

const literals = new LiteralList()
/** What may follow the name of a call or type: a bracket that does not close at once, perhaps behind `!` or `?`. */
const calls: Pairs = [
  [charSet('('), allBut(')')],
  [charSet('{'), allBut('}')],
  [charSet('!?'), charSet('({!?_-', 'A-Z', 'a-z', '0-9')]
]
const guard: Guard = { behindName: calls, holdsText: true }
const memberGuard: Guard = { notBehind: charSet(')'), holdsText: true }
const endSet = charSet(',)]};.')
const nameTailSet = charSet('A-Z', 'a-z', '0-9', '_-!?')
/** How far the name of a call may continue behind the word that triggered, in code units. */
const nameTailMax = 28

/** The call that was read last: several anchors in one name lead to the same call. */
const seen = { textNumber: 0, nameTo: 0 }

function argumentIn(text: string, nameTo: number, textNumber: number): Match | undefined {
  if (textNumber === seen.textNumber && nameTo === seen.nameTo) return undefined
  seen.textNumber = textNumber
  seen.nameTo = nameTo
  literals.read(text, nameTo + 1)
  let access: Access | undefined
  let found: Match | undefined
  for (let i = literals.count - 1; i >= 0; i--) {
    if (literals.depth(i) !== 1 || !isElement(text, i, nameTo)) continue
    const look = lookOf(text, i)
    if (look === 'none') continue
    access ??= accessOf(text, nameTo)
    if (access === 'none') return undefined
    if (isGiven(text, i, look, access, nameTo)) found = matchOf(i, found)
  }
  return found
}

/**
 * What literal `i` looks like. A word that is the name of something in a program, such as `session-2024`, looks like
 * nothing.
 */
function lookOf(text: string, i: number): ValueLook {
  const start = literals.start(i)
  const end = literals.endOf(i)
  const look = accessLook(text, start, end)
  if (look === 'generated' && isNameOfParts(text, start, end)) return 'none'
  return look === 'word' && nameParts(text, start, end).some(isAccessWord) ? 'none' : look
}

/** Whether it is a name made of names that begin alike: `BFs0c_BFs0i_BFu0ll`. */
function isNameOfParts(text: string, start: number, end: number): boolean {
  const parts = text.slice(start, end).split('_')
  const head = (parts.at(-1) as string).slice(0, partHeadUnits)
  const alike = parts.length > 2 ? parts.slice(1) : parts
  return parts.length > 1 && head.length === partHeadUnits && alike.every((part) => part.startsWith(head))
}
const partHeadUnits = 2

function matchOf(i: number, next: Match | undefined): Match {
  return withNext(contextMatch(literals.start(i), literals.endOf(i)), next)
}

/** Whether a literal with such a look is the secret, by what the name of the call says of its arguments. */
function isGiven(text: string, i: number, look: ValueLook, access: Access, nameTo: number): boolean {
  if (look === 'phrase') return access === 'unlocks'
  if (look === 'generated' && isCiphertext(text, i, nameTo)) return false
  // Another literal, the user, stands before the password.
  if (look === 'word' && literals.place(i) === 0 && literals.count > 1) return false
  return access !== 'serves' || isServed(text, i, look, listOf(text, nameStart(text, nameTo), nameTo) === 'people')
}

/**
 * Whether it is the only argument of a call that decrypts it, and longer than the password that opens a file, so that it
 * is encrypted itself: `decrypt("AQICAHh...")`. `decryptWithKey` is given a key.
 */
function isCiphertext(text: string, i: number, nameTo: number): boolean {
  if (literals.endOf(i) - literals.start(i) < cipherUnitsMin) return false
  if (literals.place(i) !== 0 || literals.signAfter(i) !== 41) return false
  return nameParts(text, nameStart(text, nameTo), nameTo).at(-1) === 'decrypt'
}

/** Two blocks of AES with their initial value, in base64. */
const cipherUnitsMin = 40

/** Whether the literal is a whole argument. */
function isElement(text: string, i: number, nameTo: number): boolean {
  const before = literals.signBefore(i)
  if (!inSet(endSet, literals.signAfter(i))) return false
  if (before === 40 || before === 44 || before === 123) return true
  // A field of a type has a name, which says what it is.
  return codeAt(text, nameTo) === 40 && inSet(assignSet, before) && !isOtherKey(text, literals.signAt(i))
}

/** Whether the bracket at `at` begins the type of a field that is something else: `PublicKey: []byte("...")`. */
function isConvertedField(text: string, at: number): boolean {
  if (!text.startsWith('[]byte', at)) return false
  const sign = runStart(text, at, blankSet, gapUnitsMax) - 1
  return inSet(assignSet, codeAt(text, sign)) && isOtherKey(text, sign)
}

/** Whether the key or label before the sign at `sign` says that the value is something else. */
function isOtherKey(text: string, sign: number): boolean {
  const end = runStart(text, sign, keyGapSet, gapUnitsMax)
  return isOtherField(text, runStart(text, end, nameSet, keyUnitsMax), end)
}
const gapUnitsMax = 32
const keyGapSet = charSet(' "\'`=])')
const keyUnitsMax = 48

const longUnits = 20
/** Hexadecimal digits in the name of a commit. */
const commitUnits = 40

/** Whether a literal is the secret of a call that takes other arguments before it: an address, a name, a port. */
function isServed(text: string, i: number, look: ValueLook, isPerson: boolean): boolean {
  const units = literals.endOf(i) - literals.start(i)
  if (literals.place(i) === 0) return look === 'generated' && units >= longUnits
  if (look === 'digest') return units !== commitUnits && !isOneOfDigests(text, i)
  if (look !== 'word') return true
  if (literals.place(i) === 1 && literals.count === 2 && literals.place(0) === 0) return isPerson
  for (let k = 0; k < i; k++)
    if (literals.depth(k) === 1 && isAddress(text, literals.start(k), literals.endOf(k))) return true
  return false
}
/** Whether another argument has as many hexadecimal digits, as the checksums of several files have. */
function isOneOfDigests(text: string, i: number): boolean {
  const units = literals.endOf(i) - literals.start(i)
  for (let k = 0; k < literals.count; k++) {
    const start = literals.start(k)
    if (k !== i && literals.endOf(k) - start === units && runEnd(text, start, lowerHexSet, units) === start + units)
      return true
  }
  return false
}

/** Whether it is a host, an address, or a service account. */
function isAddress(text: string, start: number, end: number): boolean {
  if (isHostLike(text, start, end) || isMailLike(text, start, end)) return true
  const word = runEnd(text, start, letterSet, userUnitsMax)
  return text.startsWith('://', word) || users.has(text.slice(start, word))
}
const userUnitsMax = 12
const users = new Set('localhost svc app admin root sa ops deploy bot user service AUTH LOGIN'.split(' '))

const lists: Pairs = [
  [blankSet, assignSet],
  [assignSet, charSet(' =[{(')],
  [charSet('['), charSet(']', '0-9')]
]
/**
 * Anchors for names of lists and half names, with the guard for what they name. As names of calls they are treated like
 * any access word.
 */
const anchorsOf = (names: readonly string[], own: Guard): Anchor[] =>
  names.flatMap((literal) => {
    // A name that begins with an access word is already triggered by that word.
    const isCalled = accessWords.some((word) => literal.startsWith(word))
    return [...(isCalled ? [own] : [own, guard])].map((one) => ({ literal, fold: true, guard: one }))
  })
const headUnitsMax = 72

/**
 * The secrets in a list or map whose name promises them: `creds := map[string]string{"ci": "..."}`,
 * `accounts = [("ana", "...")]`.
 */
function listedIn(text: string, at: number, from: number): Match | undefined {
  if (!inSet(listEndSet, codeAt(text, from))) return undefined
  let isAssigned = false
  const limit = Math.min(text.length, from + headUnitsMax)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 61 || code === 58) isAssigned = true
    else if (inSet(headEndSet, code)) return undefined
    if (!inSet(openBracketSet, code)) continue
    literals.read(text, i + 1)
    if (literals.count > 0) return isAssigned ? elementsOf(text, nameStart(text, at), from) : undefined
    if (literals.end < 0) return undefined
    i = literals.end - 1
  }
  return undefined
}
const listEndSet = charSet(' \t:=[')
/** Characters that end the head of a list before its bracket. */
const headEndSet = charSet('\n;"\',')

function elementsOf(text: string, nameFrom: number, nameTo: number): Match | undefined {
  let list: ReturnType<typeof listOf> | undefined
  let found: Match | undefined
  for (let i = literals.count - 1; i >= 0; i--) {
    if (!inSet(endSet, literals.signAfter(i)) && literals.signAfter(i) !== 34) continue
    const isSigned = inSet(assignSet, literals.signBefore(i)) || literals.signBefore(i) === 62
    // `"ana" to "..."` in Kotlin.
    const isKeyed =
      isSigned || (literals.place(i) === literals.place(i - 1) && literals.depth(i) === literals.depth(i - 1))
    if (isSigned && (literals.depth(i) > 1 || isOtherKey(text, literals.signAt(i)))) continue
    if (isConvertedField(text, literals.signAt(i))) continue
    const look = lookOf(text, i)
    if (look === 'none' || look === 'phrase') continue
    list ??= listOf(text, nameFrom, nameTo)
    if (list === 'none') return undefined
    const isPair = literals.count === 2 && countOf(text, literals.start(0), literals.endOf(0), digitSet) === 0
    const isSecond = literals.place(i) > 0 && (literals.depth(i) > 1 || isPair)
    if (list === 'people' && (look === 'digest' || !(isKeyed || isSecond))) continue
    found = matchOf(i, found)
  }
  return found
}

/** Names that sometimes hold a secret, and as often a way to sign in or the person who does. */
const halfNames = ['auth', 'login', 'hmac', 'community']
/** Names of a single string with a user and a password in it. */
const pairNames = ['creds', 'credentials', 'credential', 'userpass', 'userpwd', 'pair', 'basic']
/** Those of them that are not names of lists as well. */
const soloPairNames = pairNames.filter((word) => !listWords.includes(word))
/** A list may stand further behind the name than what is assigned to it. */
const behindHalfName: Pairs = [[blankSet], ...behindAssigned]
/** They must begin a word of the name: `pair`, not `repair`. */
const halfGuard: Guard = { notBefore: letterSet, orCapital: true, behindName: behindHalfName }
const beginsPart = (text: string, at: number): boolean =>
  leftClear(text, at, letterSet) || (inSet(lowerSet, codeAt(text, at - 1)) && inSet(upperSet, codeAt(text, at)))
const halfUnitsMax = 11

/**
 * A value beside a name that only half promises a secret, if it shows by itself that it is one: `upstream_auth: "..."`,
 * `SONAR_LOGIN = "..."`.
 */
function besideHalfName(text: string, at: number, wordEnd: number, end: number, textNumber: number): Match | undefined {
  if (end - at > halfUnitsMax) return undefined
  // Another word with the same beginning: `authority`.
  if (wordEnd < end && consistsOf(text, wordEnd, end, lowerSet)) return undefined
  // The name of a package: `"@acme/esm-basic": "catalog:react18"`.
  if (codeAt(text, nameStart(text, at) - 1) === 47) return undefined
  if (!assignment.read(text, at, 3, () => true, textNumber) || !assignment.quoted) return undefined
  const parts = nameParts(text, nameStart(text, at), end)
  const last = parts.at(-1) as string
  const isHalf = halfNames.includes(last)
  if (!(isHalf || pairNames.includes(last)) || parts.some((part) => otherHeads.has(part))) return undefined
  const { start, end: to } = assignment
  const pair = passwordOfPair(text, start, to)
  if (pair !== undefined || !isHalf) return pair
  const look = accessLook(text, start, to)
  // A login in a record is a user name, and a MAC there is computed.
  const isPassword =
    last === 'login' ? look === 'generated' && to - start >= longUnits : look === 'chosen' || look === 'generated'
  const isFound = isPassword && !((last === 'login' || last === 'hmac') && assignment.nameQuoted)
  return isFound ? contextMatch(start, to) : undefined
}
/** What may follow the names of lists, and names that may be lists and much else. */
const pairsOf = new NameIndex<Pairs>([
  ...listWords.map((word) => [word, lists] as const),
  ...[...halfNames, ...soloPairNames].map((word) => [word, behindHalfName] as const)
])
const otherHeads = new WordSet('no is has expected type method mode'.split(' '))

export const accessLiteralDetectors: readonly Detector[] = [
  {
    id: 'access_literal',
    label: 'PASSWORD',
    title: 'password or key handed to what opens something',
    group: 'secret',
    tier: 'medium',
    lengthMin: 12,
    anchors: [
      ...accessWords.map((literal) => ({ literal, fold: true as const, guard })),
      ...memberAnchors.map((literal) => ({ literal, fold: true as const, guard: memberGuard })),
      ...anchorsOf(listWords, { behindName: lists }),
      ...anchorsOf([...halfNames, ...soloPairNames], halfGuard)
    ],
    match(text, at, { textNumber }) {
      const isMember = !inSet(letterSet, codeAt(text, at))
      const end = isMember ? text.indexOf('(', at) : runEnd(text, at, nameTailSet, nameTailMax)
      if (bracketAt(text, end)) return argumentIn(text, end, textNumber)
      const [word, pairs] = (isMember ? undefined : pairsOf.at(text, at)) ?? []
      if (word === undefined || pairs === undefined || !standsBehindName(text, at, pairs, textNumber)) return undefined
      if (pairs === behindHalfName && !beginsPart(text, at)) return undefined
      return listedIn(text, at, end) ?? besideHalfName(text, at, at + word.length, end, textNumber)
    },
    hits: () => [
      `jedis.auth("${filler(14)}");`,
      `ssh.connect("10.1.2.3", 22, "root", "${filler(12)}")`,
      `new BasicAWSCredentials(keyId, "${filler(40)}")`,
      `credentials += Credentials("Nexus", "repo.acme.dev", "sbt", "${filler(12)}42")`,
      `new ErpClient(host, "svc", "${filler(14)}42")`,
      `    session = ApiSession.open(\n        "https://erp.acme.dev",\n        "integration",\n        "${filler(14)}42",\n    )`,
      `srv := NewSMTPRelay("mail.lan", 587, "noreply", "${['violet', '-canyon', '-41'].join('')}")`,
      `{ok, Pid} = epgsql:start_link("db.lan", "app", "${filler(14)}42", []).`,
      `let wallet = Wallet::open("main.dat", "${['violet', 'canyon', 'lantern', 'pepper'].join('-')}")?;`,
      `return Config{"db.lan", 5432, "app", "${['Lantern', '47', '+'].join('')}"}`,
      `Gateway gw = new Gateway("merchant-77", "${filler(32, hexLetters)}", Environment.PRODUCTION);`,
      `signer = HMACSigner("${filler(40)}42")`,
      `tester.login_as("ana", with: "${filler(14)}42")`,
      `store.unlock(\\"${filler(14)}42\\")`,
      `CREDS = [("alice", "${filler(14)}42"), ("bob", "${['violet', '8841'].join('')}")]`,
      `val users = mapOf("ana" to "${filler(14)}42", "bo" to "${filler(14, undefined, 3)}42")`,
      `accounts := map[string]string{\n\t"reader": "${filler(14)}42",\n}`,
      `TOKENS = {\n  'ci' => '${filler(32)}',\n}`,
      `upstream_auth: "${['Lantern', '47', '+'].join('')}".to_string(),`,
      `ROUTERS = { "edge-1" => {"10.0.0.1", "${filler(14)}42"} }`,
      `$pair = 'merchant-77:${filler(14)}42'`,
      `{host: "10.3.1.3", version: "v2c", community: "${['Lantern', '47', '+'].join('')}"}`,
      `sms.initialize("acme", "${filler(40)}42")`,
      `decryptWithKey("${filler(48)}")`,
      `$pair = 'merchant-77:${filler(14)}/42'`,
      `api("svc.acme:${filler(12, 'bcdfghjkmpqrstvwxz23456789')}:8841")`
    ],
    misses: () => [
      '@Config(application = HiltApplication::class, qualifiers = "w1000dp-h1000dp-480dpi")',
      'api("org.qxf4k:jul-to-qxf4k:2.0.18")',
      `const plain = decrypt('${filler(48)}')`,
      'c := cloudapi.NewClient(nil, "qx-token", ts.URL, "qx6cloud/v0.4", time.Second)',
      "def_API('Z3_mk_fpq_to_fp_float', AST)",
      'createDevice(2, "EndDevice", "0xe2e2e2e2e2e2e2e2", 0x0002, "_TYZB01_kvwqujy9", "Battery")',
      'addToRegistry(handle, "Counting_Sem_1")',
      'init_simple_test("BFs0c_BFs0c_BFs0i_BFu0ll");',
      'init_simple_test("aBFs7ll_BFs7ll_BFu7ll_BFs7ll");',
      'socket.connect("10.1.2.3", 8080)',
      'db.connect("localhost", "shop", "utf8mb4")',
      'new ErpClient(host, "svc", "release-v2")',
      'client.connect("broker", 1883, "session-2024")',
      'ssh.connect("bastion", "deploy-02")',
      'new Session("sess-4711", "Chrome120")',
      'hotkeys.bind("ctrl+shift+4")',
      'new ErpClient("https://erp.acme.dev/v2", "eu-west-1", "application/json")',
      `client.customers.get("${filler(24)}")`,
      'imap.tryAuth(ctx, "XOAUTH2", "A128GCM")',
      'const key = await generateKey("PBKDF2WithHmacSHA1")',
      `new Secret("${filler(40, '0123456789ABCDEF')}", "thumbprint")`,
      `git.connect(repository, "${filler(40, hexLetters)}")`.replace('connect', 'clientOf'),
      'assertTrue(encoder.isPasswordHashed("$2a$06$m0Crh"))',
      "client.auth(enabled = True, metric_name                 = 'LimitRequests100', x = 1)",
      `credentials: Credentials{ID: []byte("${filler(24)}42"), PublicKey:   []byte("${filler(60)}42")}`,
      'settings.register("xpack.geoip.downloader.poll.interval", "24h")',
      'users = ["ana1984", "karim2001"]',
      `users: [{ id: "${filler(32, hexLetters)}", name: "ana" }]`,
      `credentials: { xsappname: "${filler(14)}", url: "https://acme.dev" }`,
      `"user": { "login": "${['Captain', '8771'].join('')}" }`,
      'ftp.login("customer4471", password)',
      'hosts = [("10.0.0.1", "node-01"), ("10.0.0.2", "node-02")]',
      'community: "public", "community": "open-source"',
      '"dependencies": { "@acme/esm-basic": "catalog:react18" }',
      `addDriverBuild(535, 129, "${filler(64, hexLetters)}", "${filler(64, hexLetters, 3)}", v535)`
    ],
    source: 'How libraries are called; the names of calls and types are the evidence.'
  }
]
