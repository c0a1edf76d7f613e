/** Password hashes. Whoever has one can try passwords against it unnoticed. */
import {
  base64Set,
  base64UrlSet,
  charSet,
  digitSet,
  foldCode,
  hexSet,
  inSet,
  leftClear,
  lowerHexSet,
  paddedBase64Set,
  padSet,
  rightClear,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import { guarded } from '../../keys/fixed-key.ts'
import { partsEnd, type KeyPart } from '../../keys/key-shape.ts'
import { base64Letters, filler, hexLetters } from '../../sample-text.ts'

const openingSet = charSet(' "\'')

/** The base64 alphabet of crypt(3), which ends in a dot and a slash. */
const cryptSet = charSet('A-Z', 'a-z', '0-9', './')
const phcSet = charSet('A-Z', 'a-z', '0-9', '+/._-')
const optionSet = charSet('a-z', '0-9', '=,')

interface HashForm {
  readonly prefix: string
  readonly parts: readonly KeyPart[]
}

const cost: KeyPart = [digitSet, 2]
const salt: KeyPart = [cryptSet, 1, 16]
const shaForms = (prefix: string, units: number): HashForm[] => [
  { prefix, parts: [salt, '$', [cryptSet, units]] },
  { prefix, parts: ['rounds=', [digitSet, 1, 9], '$', salt, '$', [cryptSet, units]] }
]
const forms: readonly HashForm[] = [
  ...['$2a$', '$2b$', '$2x$', '$2y$'].map((prefix) => ({ prefix, parts: [cost, '$', [cryptSet, 53]] as const })),
  // In Compose files every dollar is written twice.
  ...['$$2a$$', '$$2b$$', '$$2y$$'].map((prefix) => ({ prefix, parts: [cost, '$$', [cryptSet, 53]] as const })),
  { prefix: '$$apr1$$', parts: [[cryptSet, 1, 8], '$$', [cryptSet, 22]] },
  { prefix: '$1$', parts: [[cryptSet, 1, 8], '$', [cryptSet, 22]] },
  { prefix: '$apr1$', parts: [[cryptSet, 1, 8], '$', [cryptSet, 22]] },
  ...shaForms('$5$', 43),
  ...shaForms('$6$', 86),
  { prefix: '$y$', parts: [[cryptSet, 1, 24], '$', [cryptSet, 1, 86], '$', [cryptSet, 43]] },
  { prefix: '$gy$', parts: [[cryptSet, 1, 24], '$', [cryptSet, 1, 86], '$', [cryptSet, 43]] },
  // Cisco, types 8 and 9.
  ...['$8$', '$9$'].map((prefix) => ({ prefix, parts: [[cryptSet, 14], '$', [cryptSet, 43]] as const })),
  { prefix: '$7$', parts: [[cryptSet, 11, 64], '$', [cryptSet, 43]] },
  ...['$P$', '$H$'].map((prefix) => ({ prefix, parts: [[cryptSet, 31]] as const })),
  ...['$argon2id$', '$argon2i$', '$argon2d$'].map((prefix) => ({
    prefix,
    parts: ['v=', [digitSet, 2], '$', [optionSet, 5, 60], '$', [phcSet, 11, 90], '$', [phcSet, 16, 180]] as const
  })),
  { prefix: '$scrypt$', parts: [[optionSet, 5, 60], '$', [phcSet, 11, 90], '$', [phcSet, 16, 180]] },
  ...['$pbkdf2$', '$pbkdf2-sha1$', '$pbkdf2-sha256$', '$pbkdf2-sha512$', 'pbkdf2_sha256$', 'pbkdf2_sha1$'].map(
    (prefix) => ({
      prefix,
      parts: [[optionSet, 3, 20], '$', [phcSet, 6, 90], '$', [charSet('A-Z', 'a-z', '0-9', '+/._=-'), 20, 180]] as const
    })
  ),
  // PostgreSQL, and the user list of PgBouncer.
  {
    prefix: 'SCRAM-SHA-256$',
    parts: [[digitSet, 1, 8], ':', [paddedBase64Set, 16, 90], '$', [paddedBase64Set, 44], ':', [paddedBase64Set, 44]]
  },
  { prefix: 'bcrypt_sha256$$2b$', parts: [cost, '$', [cryptSet, 53]] },
  // ASP.NET Core Identity: a marker, the function and the iterations as numbers, then a salt of 16 bytes and 32 of the key.
  ...['AQAAAAAA', 'AQAAAAEA', 'AQAAAAIA'].map((prefix) => ({
    prefix,
    parts: [[base64Set, 4], 'AAAAE', [base64Set, 65], '=='] as const
  })),
  { prefix: 'grub.pbkdf2.sha512.', parts: [[digitSet, 1, 8], '.', [hexSet, 32, 256], '.', [hexSet, 64, 256]] },
  { prefix: '$md5$', parts: [[cryptSet, 1, 16], '$', [cryptSet, 22]] },
  { prefix: '$md5,', parts: ['rounds=', [digitSet, 1, 10], '$', [cryptSet, 1, 16], '$$', [cryptSet, 22]] },
  { prefix: '$krb5asrep$23$', parts: [[hexSet, 32], '$', [hexSet, 64, 6000]] },
  {
    prefix: '$krb5asrep$23$',
    parts: [[charSet('A-Z', 'a-z', '0-9', '@._-'), 3, 120], ':', [hexSet, 32], '$', [hexSet, 64, 6000]]
  },
  // Cached domain credentials of Windows.
  {
    prefix: '$DCC2$',
    parts: [[digitSet, 1, 7], '#', [charSet('A-Z', 'a-z', '0-9', '._@-'), 1, 64], '#', [hexSet, 32]]
  },
  {
    prefix: '$krb5tgs$23$',
    parts: ['*', [charSet('A-Z', 'a-z', '0-9', '@._:$/~-'), 4, 200], '*$', [hexSet, 32], '$', [hexSet, 64, 6000]]
  }
]

/** LDAP: the scheme in braces, the hash in base64 behind it. */
const schemes = ['{ssha}', '{sha}', '{smd5}', '{ssha256}', '{sha256}', '{ssha512}', '{sha512}', '{pbkdf2']
const schemeUnitsMin = 24
const schemeUnitsMax = 400
/** Hexadecimal digits of a SHA-256 digest. */
const digestUnits = 64

function schemeHash(text: string, at: number): Match | undefined {
  const from = runEnd(text, at + 1, base64UrlSet, 20) + 1
  if (text.charCodeAt(from - 1) !== 125) return undefined
  const end = runEnd(text, from, base64Set, schemeUnitsMax)
  if (end - from < schemeUnitsMin || end - from > schemeUnitsMax - 2) return undefined
  // Puppet's digest of a file. Unlike a password's, it has no salt behind it.
  if (end - from === digestUnits && runEnd(text, from, hexSet, digestUnits) === end) return undefined
  return guarded(text, { start: from, end: runEnd(text, end, padSet, 2), confidence: 'strong' })
}

/**
 * The hash behind the `$` of a crypt form. `$1$` also begins a positional argument of a shell, which does not have two
 * parts.
 */
function cryptHash(text: string, at: number): Match | undefined {
  if (inSet(wordSet, text.charCodeAt(at - 1)) && !leftClear(text, at, wordSet)) return undefined
  for (const { prefix, parts } of forms) {
    if (!text.startsWith(prefix, at)) continue
    const end = partsEnd(text, at + prefix.length, parts)
    if (end > 0 && isOver(text, end)) return guarded(text, { start: at, end, confidence: 'strong' })
  }
  return undefined
}

/** Whether a hash does not go on at `end`. A full stop there ends the sentence. */
function isOver(text: string, end: number): boolean {
  const code = text.charCodeAt(end)
  return !inSet(cryptSet, code) || (code === 46 && !inSet(cryptSet, text.charCodeAt(end + 1)))
}

const crypt: Detector = {
  id: 'htpasswd_crypt_hash',
  label: 'PASSWORD_HASH',
  lengthMin: 30,
  title: 'hash of a password',
  group: 'secret',
  tier: 'medium',
  anchors: [
    ...[...new Set(forms.map(({ prefix }) => prefix))].map((literal) => ({ literal })),
    ...schemes.map((literal) => ({ literal, fold: true }) as const)
  ],
  match: (text, at) => (text.charCodeAt(at) === 123 ? schemeHash(text, at) : cryptHash(text, at)),
  hits: () => [
    `jo:$2y$10$${filler(53)}`,
    `root:$6$${filler(16)}$${filler(86)}:19000:0:99999:7:::`,
    `$5$rounds=5000$${filler(16)}$${filler(43)}`,
    `$1$${filler(8)}$${filler(22)}`,
    `It is $2b$12$${filler(53)}. Which user has it?`,
    `$apr1$${filler(8)}$${filler(22)}`,
    `$argon2id$v=19$m=65536,t=3,p=4$${filler(22)}$${filler(43)}`,
    `pbkdf2_sha256$600000$${filler(22)}$${filler(43)}=`,
    `userPassword: {SSHA}${filler(32)}`,
    `"app" "SCRAM-SHA-256$4096:${filler(22)}==$${filler(43)}=:${filler(43, undefined, 3)}="`,
    `$P$B${filler(30)}`,
    `PasswordHash = "AQAAAAEAACcQAAAAE${filler(65, base64Letters)}=="`,
    `$y$j9T$${filler(22)}$${filler(43)}`,
    `enable secret 9 $9$${filler(14)}$${filler(43)}`,
    `users=ops:$$2y$$05$$${filler(53)}`,
    `users=ops:$$apr1$$${filler(8)}$$${filler(22)}`,
    `ACME.DEV/ana:$DCC2$10240#ana#${filler(32, hexLetters)}`,
    `$krb5tgs$23$*sql$ACME.DEV$MSSQLSvc/db~1433*$${filler(32, hexLetters)}$${filler(64, hexLetters)}`
  ],
  misses: () => [
    `content => '{sha256}${filler(64, '0123456789abcdef')}'`,
    'echo $1$2',
    '$5$ for lunch',
    '$2a$10$short',
    '{sha}',
    "'$1$' + name",
    '$6$salt$...',
    `AQAAAAEAACcQAAAAE${filler(64, base64Letters)}==`
  ],
  source:
    'crypt(5); Password Hashing Competition string format; RFC 2307 schemes; Cisco IOS secrets of types 8 and 9; Apache htpasswd documentation; source of ASP.NET Core, PasswordHasher.cs.'
}

/** PostgreSQL's md5 hash of password and user name, which signs in like the password itself. */
const postgresHead = 'md5'
const postgresDigits = 32
const rowsUnitsMax = 600
const postgresWords = ['passw', 'shadow', 'authid', 'userlist']

function postgresHash(text: string, at: number): Match | undefined {
  const end = runEnd(text, at + postgresHead.length, lowerHexSet, postgresDigits + 1)
  if (end - at !== postgresHead.length + postgresDigits || inSet(pathSet, text.charCodeAt(end))) return undefined
  if (inSet(pathSet, text.charCodeAt(at - 1))) return undefined
  const before = text.slice(Math.max(0, at - rowsUnitsMax), at).toLowerCase()
  // In PgBouncer's user list, users and hashes are quoted: `"app" "md5..."`.
  const isListed = before.endsWith('" "')
  return isListed || postgresWords.some((word) => before.includes(word))
    ? guarded(text, { start: at, end, confidence: 'strong', byContext: true })
    : undefined
}
const pathSet = charSet('A-Z', 'a-z', '0-9', '_./-')

const postgres: Detector = {
  id: 'postgres_md5_hash',
  label: 'PASSWORD_HASH',
  title: 'hash of a password in PostgreSQL',
  group: 'secret',
  tier: 'medium',
  lengthMin: postgresHead.length + postgresDigits,
  anchors: [{ literal: postgresHead, guard: { behind: lowerHexSet, behindUnits: 1 } }],
  match: postgresHash,
  hits: () => [
    ` usename |               passwd\n---------+-------------------------------------\n app     | md5${filler(32, hexLetters)}\n`,
    `CREATE ROLE app PASSWORD 'md5${filler(32, hexLetters)}';`,
    `"app" "md5${filler(32, hexLetters)}"`
  ],
  misses: () => [
    `file md5${filler(32, hexLetters)}`,
    `password-tool/md5${filler(32, hexLetters)}.js`,
    `password md5${filler(31, hexLetters)}`,
    'password: md5cafe'
  ],
  source: 'PostgreSQL documentation, pg_authid: md5 and 32 hexadecimal digits; PgBouncer, auth_file.'
}

/** The LM hash of the empty password, which every dump of a current Windows contains. */
const emptyLm = 'aad3b435b514' + '04eeaad3b435b51404ee'
const dumpEnd = ':::'
const psexec = 'psexec'
const commandUnitsMax = 200

/** 32 digits, a colon, 32 digits. The NT hash behind the colon serves like the password itself. */
function dumpHash(text: string, end: number): Match | undefined {
  const start = runStart(text, end, hexSet, 33)
  const lmStart = runStart(text, start - 1, hexSet, 33)
  if (end - start !== 32 || start - 1 - lmStart !== 32 || text.charCodeAt(start - 1) !== 58) return undefined
  return { start: lmStart, end, confidence: 'strong' }
}

/** How the client's NTLMv2 message begins: its versions and reserved bytes. */
const answerMark = ':01010000' + '00000000'
const answerUnitsMax = 4096

/** `user::domain:challenge:proof:message`, around the message. Passwords can be tried against the proof. */
function answerHash(text: string, at: number): Match | undefined {
  const start = runStart(text, at, hexSet, 33)
  if (at - start !== 32 || text.charCodeAt(start - 1) !== 58) return undefined
  const challenge = runStart(text, start - 1, hexSet, 17)
  if (start - 1 - challenge !== 16 || text.charCodeAt(challenge - 1) !== 58) return undefined
  return { start, end: runEnd(text, at + 1, hexSet, answerUnitsMax), confidence: 'strong' }
}

/** What tools print before `user::domain:answer:answer:challenge`. */
const firstAnswer = 'ntlmv1'
const firstAnswerUnitsMax = 160

/** The two answers of NTLMv1, 48 digits each, before the challenge. Passwords can be tried against them. */
function firstAnswerHash(text: string, at: number): Match | undefined {
  const limit = Math.min(text.length, at + firstAnswerUnitsMax)
  for (let i = at; i < limit && text.charCodeAt(i) !== 10; i++) {
    if (text.charCodeAt(i) !== 58 || runEnd(text, i + 1, hexSet, 49) !== i + 49) continue
    const end = runEnd(text, i + 50, hexSet, 49)
    if (text.charCodeAt(i + 49) !== 58 || end !== i + 98 || text.charCodeAt(end) !== 58) continue
    return { start: i + 1, end, confidence: 'strong', byContext: true }
  }
  return undefined
}

/** `psexec \\host -u user -p password`. */
function commandPassword(text: string, at: number): Match | undefined {
  const limit = Math.min(text.length, at + commandUnitsMax)
  let named = false
  for (let i = at + psexec.length; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 || isPsexec(text, i)) return undefined
    if (code !== 45 || text.charCodeAt(i - 1) !== 32 || text.charCodeAt(i + 2) !== 32) continue
    const option = foldCode(text.charCodeAt(i + 1))
    if (option === 117) named = true
    if (option !== 112 || !named) continue
    const start = runEnd(text, i + 2, openingSet, 4)
    let end = start
    while (end < limit && !inSet(argumentEndSet, text.charCodeAt(end))) end++
    const first = text.charCodeAt(start)
    const isReference = first === 36 || first === 37 || first === 60 || first === 123
    return end - start < 3 || isReference
      ? undefined
      : guarded(text, { start, end, confidence: 'strong', byContext: true })
  }
  return undefined
}
const argumentEndSet = charSet(' \t\r\n"\'')

function isPsexec(text: string, at: number): boolean {
  return foldCode(text.charCodeAt(at)) === 112 && text.slice(at, at + psexec.length).toLowerCase() === psexec
}

const windows: Detector = {
  id: 'ntlm_hash_psexec',
  label: 'WINDOWS_CREDENTIAL',
  lengthMin: 18,
  title: 'Windows hash or password',
  group: 'secret',
  tier: 'medium',
  anchors: [
    ...[dumpEnd, answerMark, emptyLm + ':'].map((literal) => ({ literal })),
    ...[psexec, firstAnswer].map((literal) => ({ literal, fold: true as const }))
  ],
  match(text, at) {
    const code = text.charCodeAt(at)
    if (code === 58) return text.startsWith(answerMark, at) ? answerHash(text, at) : dumpHash(text, at)
    if (isPsexec(text, at)) return commandPassword(text, at)
    if (foldCode(code) === 110) return firstAnswerHash(text, at)
    const end = runEnd(text, at + 33, hexSet, 33)
    return end - at === 65 && rightClear(text, end, wordSet) && leftClear(text, at, hexSet)
      ? { start: at, end, confidence: 'strong' }
      : undefined
  },
  hits: () => [
    `jo:1001:${filler(32, hexLetters)}:${filler(32, hexLetters, 3)}:::`,
    `${emptyLm}:${filler(32, hexLetters)}`,
    `[SMB] NTLMv1-SSP Hash     : ana::ACME:${filler(48, hexLetters)}:${filler(48, hexLetters, 3)}:${filler(16, hexLetters)}`,
    `psexec \\\\10.1.2.3 -u admin -p ${filler(10)} cmd`,
    `ana::ACME:${filler(16, hexLetters)}:${filler(32, hexLetters)}${answerMark}${filler(60, hexLetters)}`
  ],
  misses: () => [
    'a:::b',
    `${filler(32, hexLetters)}:${filler(32, hexLetters, 3)}`,
    'psexec \\\\host -u admin -p %PASS% cmd',
    'psexec -s cmd.exe -p x',
    `a:${filler(32, hexLetters)}${answerMark}`
  ],
  source:
    'Format of pwdump and secretsdump; Sysinternals documentation, "PsExec"; MS-NLMP, section 2.2.2.7; example hashes of hashcat, mode 5600.'
}

export const hashDetectors: readonly Detector[] = [crypt, windows, postgres]
