/** Passwords that people tell in sentences and messages: "my password is ...", "Passwort: ...", "login x / y". */
import type { Guard } from '../engine/anchor-guard.ts'
import { NameIndex, standsAt } from '../arguments/name-index.ts'
import { Assignment } from '../assignments/assignments.ts'
import { isEscapedText } from '../assignments/misread.ts'
import { charSet, codeAt, countOf, digitSet, inSet, leftClear, letterSet, runEnd, wordSet } from '../text/chars.ts'
import type { Detector, Match } from '../detector.ts'
import { isUuid } from '../values/friends.ts'
import { isSecretValue } from '../values/generic-value.ts'
import { faintName, isNamePart, likelyName, nameEnd, noName, plainName, type NameRating } from '../values/key-names.ts'
import { isPassphrase } from '../values/passphrases.ts'
import { rarity } from '../values/rarity.ts'
import { base62Letters, filler, fillerUuid, hexLetters } from '../sample-text.ts'
import { isConcatenated, isTold } from '../values/told-value.ts'
import { wholeEnd } from '../assignments/value-end.ts'
import { besideName, besidePassword, changed, isKeyText, isKeyWord, ratingAt } from './told-beside.ts'
import { toldBehind } from './told-nearby.ts'
import { wordTold } from './told-words.ts'
import { endsSentence, lastWordAt, namesAtEnd, toldBefore } from './told-before.ts'
import { isPairWord, isRole, pairTold, roleAnchors, roleTold } from './told-pairs.ts'
import { foreignAnchors, foreignToldAt, isForeignWord } from './foreign-passwords.ts'

const assignment = new Assignment()

const englishWords = [
  'password',
  'passwd',
  'passcode',
  'passphrase',
  'pwd',
  'passwort',
  'token',
  'secret',
  'key',
  'credentials',
  'creds',
  'login',
  'pw ',
  'pass ',
  'passwrd',
  'log in ',
  'sign in ',
  'sudo with ',
  'cred for '
]

/** A sentence goes on behind the word, and a message behind a colon. */
const guard: Guard = { behindName: [[charSet(' :')]] }

/** `pw` and `pass` are parts of many words. */
const shortGuard: Guard = { notBefore: wordSet }

/** What a password begins with. */
const roleGuard: Guard = { behind: charSet('A-Z', 'a-z', '0-9', '!@#$%^&*_.+-'), behindUnits: 5 }

/** What is shorter names a token, and is none. */
const tokenUnitsMin = 8

/** What an English message tells of the name whose anchor stands at `at`. */
function told(text: string, at: number, textNumber: number): Match | undefined {
  if (!inSet(letterSet, text.charCodeAt(at))) {
    if (!endsSentence(text, at)) return undefined
    return toldBefore(text, at + 1) ?? toldBehind(text, lastWordAt(text, at), textNumber)
  }
  if (isShortName(text, at)) return leftClear(text, at, wordSet) ? toldShortly(text, at, textNumber) : undefined
  if (isRole(text, at)) return roleTold(text, at)
  const end = nameEnd(text, at)
  const next = codeAt(text, end)
  if (next !== 32 && next !== 58) return undefined
  return toldOf(text, at, end, next === 58) ?? toldBehind(text, at, textNumber) ?? plainTold(text, at, end)
}

/** A plain word, behind the names that only passwords have. */
function plainTold(text: string, at: number, end: number): Match | undefined {
  // `log in with bob / X`.
  if (text.startsWith(' in with ', end)) return pairTold(text, end + inUnits)
  if ((codeAt(text, at) | 32) !== 112) return undefined
  const match = wordTold(text, at, end)
  return match !== undefined && ratingAt(text, at, end) === plainName ? match : undefined
}
const inUnits = ' in'.length

/** The same of `pw` or `pass`, which a blank follows. */
function toldShortly(text: string, at: number, textNumber: number): Match | undefined {
  const match =
    codeAt(text, at + 4) === 32
      ? passTold(text, at)
      : (toldAs(text, at + 3, 'is ') ?? toldAs(text, at + 3, 'to ') ?? besidePassword(text, at + 2))
  return (
    match ??
    toldBehind(text, at, textNumber) ??
    toldBefore(text, at) ??
    (codeAt(text, at + 2) === 32 ? wordTold(text, at, at + 2) : undefined)
  )
}

/** What a sentence tells of the name in `[at, end)`, before which a blank or a colon stands. */
function toldOf(text: string, at: number, end: number, isLabel: boolean): Match | undefined {
  if (isPairWord(text, at))
    return end - at <= 11 && runEnd(text, at, wordSet, end - at) === end ? pairTold(text, end) : undefined
  if (isLabel) return undefined
  if (assignment.readTold(text, at, end)) {
    const { start, end: valueEnd, quoted } = assignment
    // "Convert the key to PKCS#8", "exchange the token to X for one of Y".
    if (!quoted && text.startsWith(' to ', end) && !isKeyText(text, start, valueEnd))
      if (isKeyWord(text, at) || !isSet(text, at)) return undefined
    const name = ratingAt(text, at, end)
    if (quoted && name === plainName && isPassphrase(text, start, valueEnd)) return matchOf(text, start, valueEnd)
    return rarity(text, start, valueEnd) < bitsMin ? undefined : judged(text, name, quoted)
  }
  const from = phraseEnd(text, end)
  if (from === 0) return besideName(text, at, end) ?? changed(text, at, end) ?? toldBefore(text, at)
  if (!assignment.readValue(text, from) || rarity(text, assignment.start, assignment.end) < bitsMin) return undefined
  const name = ratingAt(text, at, end)
  return name === faintName ? undefined : judged(text, name, assignment.quoted)
}

/** `pw` and `pass` before a blank. */
function isShortName(text: string, at: number): boolean {
  if ((codeAt(text, at) | 32) !== 112) return false
  return codeAt(text, at + 2) === 32 || (codeAt(text, at + 4) === 32 && (codeAt(text, at + 1) | 32) === 97)
}

/** Whether somebody gives the password its value. */
function isSet(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - setUnitsMax), at).toLowerCase()
  return setWords.some((one) => before.includes(one))
}
const setUnitsMax = 48
const setWords = ['set ', 'setting ', 'chang', 'updat', 'rotat', 'switch', 'default']

/** What is less rare is a word, whatever stands before it. */
const bitsMin = 3.4

function judged(text: string, name: NameRating, quoted: boolean): Match | undefined {
  const { start, end } = assignment
  if (name === noName || isConcatenated(text, start) || isEscapedText(text, start, end)) return undefined
  // "The output token is WETH9", "the signing key is P-256".
  if (name !== plainName && !quoted && end - start < tokenUnitsMin) return undefined
  if (name !== plainName && isPackage(text, start, end)) return undefined
  // "Passwort ist abgelaufen", "wachtwoord is opnieuw ingesteld".
  if (!quoted && isForeignCopula(text, start) && isForeignWord(text, start, end)) return undefined
  const found =
    name === plainName
      ? isTold(text, start, end) || isUuid(text, start, end) || (!quoted && isTold(text, start, wholeEnd(text, end)))
      : isSecretValue(text, start, end, name, { quoted, doubtful: name === faintName, uuids: name === likelyName })
  return found ? matchOf(text, start, end) : undefined
}

/** `corretto@11`: a package and its version. */
function isPackage(text: string, start: number, end: number): boolean {
  const name = runEnd(text, start, packageSet, end - start)
  return name > start && codeAt(text, name) === 64 && runEnd(text, name + 1, versionSet, end - name) === end
}
const packageSet = charSet('a-z', '-')
const versionSet = charSet('0-9', '.')

/** Whether a value follows on a word of German or Dutch for a password, and a copula. */
function isForeignCopula(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 14), start).toLowerCase()
  return before.endsWith(' ist ') || before.endsWith('wachtwoord is ')
}

/** The value that was read last, with the signs in it at which reading stopped. */
function matchOf(text: string, start: number, end: number): Match {
  return { start, end: assignment.quoted ? end : wholeEnd(text, end), confidence: 'medium', byContext: true }
}

/** `pw is X`: the word is too short to be an anchor without the blanks around it. */
function toldAs(text: string, from: number, copula: string): Match | undefined {
  if (!text.startsWith(copula, from) || !assignment.readValue(text, from + copula.length)) return undefined
  return judged(text, plainName, true)
}

const passDigitsMin = 2
const passBits = 6

/** `the db pass is X`: passes are many things, so the value must be one that nothing else is. */
function passTold(text: string, at: number): Match | undefined {
  if (!text.startsWith('is ', at + 5) && !text.startsWith('to ', at + 5)) return undefined
  if (!assignment.readValue(text, at + 8)) return undefined
  const { start, end } = assignment
  if (end - start < 8 || countOf(text, start, end, digitSet) < passDigitsMin) return undefined
  return rarity(text, start, end) < passBits ? undefined : judged(text, plainName, assignment.quoted)
}

const phraseUnitsMax = 48
const phraseStarts = [
  ...['for ', 'to ', 'of ', 'on ', 'i ', "i'm ", 'we ', 'you ', 'in ', 'from '],
  ...['für ', 'fuer ', 'zum ', 'zur ', 'von ', 'vom ', 'auf ']
]
const phraseIndex = new NameIndex(phraseStarts.map((start) => [start, true]))
const phraseCopulas = [' is ', ' ist ', ' lautet ']

/** Past `for the staging box is`, `I am using is`, `for db:`; 0 where no such phrase follows on the name. */
function phraseEnd(text: string, from: number): number {
  if (phraseIndex.at(text, from + 1) === undefined) return 0
  const limit = Math.min(text.length, from + 1 + phraseUnitsMax)
  for (let i = from + 2; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 || code === 46 || code === 44 || code === 59) return 0
    // An address: `from ::ffff:66.38.192.238`.
    if (code === 58) return codeAt(text, i + 1) === 58 ? 0 : i + 1
    const next = code === 32 ? codeAt(text, i + 1) | 32 : 0
    if (next !== 105 && next !== 108) continue
    const copula = phraseCopulas.find((one) => standsAt(text, i, one))
    if (copula !== undefined) return i + copula.length
  }
  return 0
}

export const prosePasswordDetectors: readonly Detector[] = [
  {
    id: 'password_in_prose',
    label: 'PASSWORD',
    title: 'password in a sentence',
    group: 'secret',
    tier: 'medium',
    lengthMin: 7,
    anchors: [
      ...englishWords.map((literal) => ({
        literal,
        fold: true as const,
        guard: isNamePart(literal) ? guard : literal.length < 6 ? shortGuard : undefined
      })),
      ...namesAtEnd,
      ...roleAnchors.map((literal) => ({ literal, fold: true as const, guard: roleGuard })),
      ...foreignAnchors.map((literal) => ({ literal, fold: true as const }))
    ],
    match(text, at, { textNumber }) {
      const foreign = foreignToldAt(text, at, textNumber)
      if (foreign !== undefined || text.charCodeAt(at) >= 128) return foreign
      return told(text, at, textNumber)
    },
    hits: () => [
      'my password is ' + filler(9),
      `The password is now "${filler(10)}".`,
      'el usuario es ana y la contraseña es ' + filler(8),
      'Das Kennwort lautet ' + filler(10),
      'mot de passe : ' + filler(10),
      'пароль: ' + filler(9),
      '密码是' + filler(9),
      '비밀번호: ' + filler(9),
      'パスワードは' + filler(9),
      `密码是${filler(9)}，请登录`,
      'hasło do bazy: ' + filler(9),
      'mật khẩu là ' + filler(9),
      'Şifreniz: ' + filler(9),
      'Ο κωδικός είναι ' + filler(9),
      'סיסמה: ' + filler(9),
      'كلمة المرور: ' + filler(9),
      'логин admin пароль ' + filler(10) + '42',
      'la password è ' + filler(10),
      `ssh ops@host (pw ${filler(9)}42)`,
      'my api key is ' + filler(32),
      'the password for the staging box is ' + filler(10),
      'login: admin / ' + filler(10),
      'please use token ' + filler(24),
      'please use token ' + `${filler(9, base62Letters.slice(0, 52))}4${filler(9, base62Letters.slice(0, 52), 3)}7`,
      `set X-Api-Key to ${filler(24)}`,
      `the root password (${filler(5)}42${filler(5)}) works`,
      `API key - ${filler(24)}`,
      `the api token – '${filler(32)}'`,
      `Set the API key to \`${filler(24)}\` first.`,
      `wifi password - ${filler(9)}42`,
      `the db pass is ${filler(6)}42${filler(5)} for now`,
      `Set the root pass to "${filler(6)}42${filler(5)}" please`,
      `the password is ${['Violet', 'Canyon', 'Lantern73'].join('.')}`,
      `the password is ${fillerUuid()}`,
      `ssh ops@host # password ${filler(4)}42${filler(6)}`,
      `hey, ${['violet', '8841'].join('')} is the new root password`,
      `it rejects \`${filler(9)}42\` as the password, why?`,
      `we use ${filler(14)}42${filler(14)} as bearer token in staging`,
      `I changed the root password from ${filler(9)}42 to ${filler(8, base62Letters, 3)}42 today`,
      `Das Passwort für den Server lautet ${filler(9)}42`,
      `admin:${filler(9)}42 works`,
      `the admin pw, it's ${filler(9)}42!`,
      `I typed the password you gave me (${filler(9)}4K2)`,
      `root password of the switches is now ${['violet', '8841'].join('')}. Same for all`,
      `> What's the passcode again?\n\n${filler(9)}4K2, but ask first`,
      `my api key leaked, it was ${filler(32)}`,
      `I changed his login to ${['violet', '8841'].join('')} today`,
      `creds for jenkins: jenkins/${filler(9)}42`,
      `I typed the pw you gave me (${filler(4)}7${filler(9, base62Letters.slice(0, 52), 3)}) and it says no`,
      `החלפתי את מפתח ה-API ל-${filler(32)} ועדיין`,
      `the db password got changed last night from ${['amber', '-falcon-', '43'].join('')} to ${['raven', '-tango-', '72'].join('')}, why?`,
      `they need to sign in to the shop, take buyer1@shop.test and ${filler(9)}4K2, then pay`,
      `I rotated the HMAC key. Old: ${filler(64, hexLetters)} New: ${filler(64, hexLetters, 3)} Please deploy.`,
      `except the printer (admin // ${filler(9)}42)`,
      `Please rotate the following credentials: DB ${filler(9)}42, SMTP ${filler(9, base62Letters, 3)}42`,
      `Passwort ist jetzt ${['Violet', '2031', '!'].join('')}`,
      `my password is ${['sun', 'shine'].join('')}`,
      `Our wifi password is ${['fluffy', 'kitten'].join('')}.`,
      `my password is ${['ti', 'ger'].join('')}, can you log in for me?`,
      `the admin password is "${['pen', 'guin'].join('')}"`,
      `I changed the password to ${['rose', 'bud'].join('')} yesterday`,
      `my passphrase is ${['purple', 'elephant'].join(' ')}`,
      `the NAS: user bob, password ${['blue', 'berry'].join('')}`,
      `zip password: ${['blue', 'berry'].join('')}`,
      `login: bob / ${['sun', 'shine'].join('')}`,
      `you can log in with bob / ${['blue', 'berry'].join('')}`,
      `Das WLAN-Passwort lautet ${['Regen', 'bogen'].join('')}`,
      `mein Passwort ist ${['Sonnen', 'schein'].join('')}`,
      `mi contraseña es ${['mari', 'posa'].join('')}`,
      `我的密码是${['woa', 'ini'].join('')}`,
      `log into my router (192.168.1.1, admin/${filler(9)}42) and open a port`,
      `lmk if ${filler(9)}42 doesn't work as the password`,
      `ввожу ${filler(9)}42 как пароль, пишет доступ запрещён`,
      `can you send me the credentials for the printer?\n>\n> labels@shop.test\n> ${['violet', '8841'].join('')}\n`
    ],
    misses: () => [
      'the password is required',
      'my password is wrong',
      'my password is used.',
      'The password is expired, and was rejected',
      'the password is hashed',
      'the password is case-sensitive.',
      'The default password is blank.',
      'the password is stored in the vault',
      'my password is not working',
      'my password is completely wrong',
      'the default password is admin',
      'I changed the password to comply',
      'reset the password to continue',
      'Enter the username and password fields.',
      'a leaked username and password pair, or more',
      'with password managers.',
      'credentials (azure/subscription)',
      'login / register',
      'login: email / password',
      'default credentials: install / install',
      'mein Passwort ist abgelaufen',
      'la contraseña es incorrecta',
      'mijn wachtwoord is verlopen',
      'moje hasło jest nieprawidłowe',
      "our wifi password is Bob's",
      'admin password: string',
      `Access denied for user 'app'@'db' (using password: YES)\n2024-11-01 ${filler(12)}4 x`,
      `PASS OK\n1730419200\t${filler(12)}42\t10.0.0.1`,
      'a login with a key using curve25519 as the algorithm',
      '_auth and _password are base64-encoded per npm convention',
      'Check the characters of the password. Thanks @jo552uk.',
      'Your password is too short.',
      'the token is invalid',
      'password is incorrect!',
      'mot de passe oublié ?',
      'пароль должен быть длиннее',
      'пароль Windows 11 23H2',
      'Parola: gerekli',
      'hasło jest wymagane',
      '"Heslo znovu", "Parola Değiştir"',
      '请输入密码：必填',
      'the secret is out',
      'password for the admin is required',
      'login: admin / guest',
      'Please log in to jenkins02 and restart it',
      'pass the ball to Player10',
      'my pass is for section B12 of Stadium2024',
      'we moved the login from Okta2023 to the new one',
      'the password column became varchar255 in migration 42',
      'chown -R admin:staff2024 build/',
      'Creds: ask ops-team-42',
      'the key to success is patience',
      'Convert the private key to PKCS#8 format',
      'password (sha512crypt) of the user',
      'password - base64encoded',
      'API key - required, 32 characters',
      'the token - a string of the form 8-4-4',
      'the first pass is 2x-faster on v8',
      'Base64Url is the default token.',
      'a mapping of keys to hedraL12 values',
      'The password hash is computed with PBKDF2WithHmacSHA256, see RFC2898.',
      'login on host batch-prod-03 and run step12 of JIRA-1234',
      'const password = derive(user, salt); const x9Zk2LqWx8 = 3',
      'sha256 is used as password hash, and md5 was the old password',
      'the value of field1234 is the password field of the form',
      'root:x:0:0:root:/root:/bin/bash',
      `admin: ${filler(9)}42, https://x.dev/admin:${filler(9)}42`,
      'kubectl create clusterrolebinding admin:view',
      'we changed the password from plain text to hashes',
      'the arguments that we pass to `renderPass2D`',
      `add the upstream signing key ${filler(40, '0123456789ABCDEF')}`,
      `log('my password is ' + reader(9),`,
      `say('пароль: ' + reader(9),`,
      'Invalid login sequence while waiting for "334 VXNlcm5hbWU6"',
      'root_password: set below\n  pgsql_14:\n',
      'and the **token address** is `0x6B175474E89094C44Da98b954EedeAC495271d0F`.',
      'Ihr Passwort ist abgelaufen, ändern Sie es jetzt!',
      'Lösenordet är felaktigt.',
      'Heslo je zřejmě příliš slabé.',
      'Parool on liiga nõrk.',
      'Het wachtwoord is opnieuw ingesteld!',
      'parola este gre\\u0219it\\u0103',
      'Passordet er ikkje gyldig.',
      'In this case our desired output token is WETH9, so that swap happens first',
      'convert the access token to XOAuth2 token',
      'replicates a secret to eu-west-3. The replica',
      'Therefore, we convert the password to UTF-8.',
      'sshd[11437]: Failed password for illegal user test123 from ::ffff:66.38.192.238 port 51381 ssh2',
      'wu-ftpd[18760]: failed login from hj-145-173-a8.bta.net.cn [202.108.145.173]',
      'FAIL LOGIN: Client "fe80::baac:6fff:fe7d:d2e0"',
      `The account whose credentials were used.\nAccount Name:  WIN-${filler(9, 'BCDFGHJKLMNP')}42$\n`,
      'see (admin/users2024.json, root/v2beta14/x) for both',
      'sign in to build-host-07 and look at getX509Certificate',
      'except AttributeError:\n    pass\n\nhandler507 = views.handler507\n',
      'return false;\n}\n\nSecret DhIetf1024Sha256Aes128CbcPkqx7::encrypt(const Secret& input)',
      "reset an account's password.    Subject:   Security ID:  S-1-5-18   Account Name:  WIN-5SB1I3G0V7U$   Domain",
      'days after password expires\n  ansible.builtin.user:\n    name: jimhqlden2016\n',
      'title: Access to Chrome login data\nauthor: frqck113\n',
      'This passphrase has not been changed%%0Asince %.4s-%.2s-%.2s.',
      'password: str\nguesses_log10: float\n',
      'msgid "Please enter the passphrase to%0Aprotect your new key"',
      'some random pass\n------WebKitFormBoundaryTB2MiQ36fnSJlrhY\n',
      'For Corretto, pinned to version 11, the token is `corretto@11`, while',
      '331 Password required for kxnde4471\nPASS ',
      'Uppercase values will not pass - use `uuid_rfx4122` instead.',
      'PS C:\\> Export-DbaLogin -SqlInstance sqlserver2008 -Login x',
      'Gdy tworzysz token, jest widoczny raz. Token jest r\\u00f3wnie\\u017c d\\u0142ugi.'
    ],
    source: 'How people write it; the words for a password in the larger languages.'
  }
]
