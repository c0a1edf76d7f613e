/** Words with which people talk about access, and a measure of how much of that surrounds a place in a text. */
import { NameIndex } from '../../text/name-index.ts'
import type { Guard } from '../../anchor-guard.ts'
import {
  allBut,
  charSet,
  codeAt,
  inSet,
  leftClear,
  letterSet,
  rightClear,
  runEnd,
  wordSet,
  type CharSet
} from '../../text/chars.ts'
import { Places } from '../../text/places.ts'
import { isOwnPlaceholder } from '../../values/placeholders.ts'

/** Names of passwords and keys, as prefixes of words; those in {@link wholes} must be whole words. */
const names = [
  'password passwd passwort passphrase passcode passwrd pasword paswrd pw pws pwd pass creds cred credential credentials login log-in logon sign-in bearer secret psk',
  'kennwort zugangsdaten zugangscode contraseña contrasena clave mdp identifiants senha wachtwoord lösenord passord adgangskode',
  'salasana salsana heslo hasło hasła jelszó parola şifre sandi парол κωδικ סיסמ पासवर्ड รหัสผ่าน 密码 密碼 口令 비밀번호 암호 비번 パスワード 暗証'
]
const namesOfWords = [
  'how strong is',
  'how secure is',
  'how safe is',
  'preshared key',
  'pre-shared key',
  'mot de passe',
  'mật khẩu',
  'كلمة المرور',
  'كلمة السر',
  'api key',
  'api token',
  'access token'
]

/** What is done with passwords, and what they open; as prefixes. */
const acts = [
  'authenticat lockout unlock signin 2fa mfa totp otp vpn wifi wi-fi wlan ssid wpa2 hotspot ssh sftp rdp idrac ilo sudo token forbidden unauthorized',
  'keepass bitlocker keystore mistype misspel case-sensitive einlogg eingelogg anmeld angemeldet reinkomm zugang gesperrt connexion connecter',
  'logins konten comptes cuentas inloggen connecte anmelde autentisering kirjaud identifiant acced entrar inlogg ingelogd zaloguj logow логин войти вход доступ 登录 登陆 登入 账号 帳號 ログイン 認証 로그인 계정 giriş masuk',
  'התחבר להיכנס लॉगिन'
]
const actsOfWords = [
  ...[
    'log in',
    'log into',
    'log on',
    'logs in',
    'logs on',
    'logged in',
    'logging in',
    'log me in',
    'logs into',
    'logged into'
  ],
  ...['logging into', 'sign in', 'sign into', 'signed in', 'signing in', 'let me in', 'lets me in', 'get in', 'got in'],
  ...[
    'locked out',
    'lock out',
    'access denied',
    'lost access',
    'has access',
    'have access',
    'get access',
    'read access'
  ],
  ...[
    'write access',
    'gave access',
    'give access',
    'opens with',
    'opened with',
    'unlocks with',
    'basic auth',
    'connect as',
    'remote desktop',
    'service account'
  ],
  ...[
    'caps lock',
    'guest network',
    'snmp community',
    'case sensitive',
    'capital letter',
    'capital first',
    'hit enter',
    'press enter',
    'majuscule au',
    'mayúscula',
    'fritzbox',
    'iniciar sesi',
    'đăng nhập',
    'تسجيل الدخول'
  ]
]

/** What one may have access to or be refused. They add points beside the others, but trigger no look of their own. */
const places = [
  'account admin administrator root sa username user router firewall switch portal bastion nas printer bios camera console panel dashboard',
  'safe vault database server box reset rotat expired sandbox api access auth 401 403 guest initial temporary wallet email e-mail mail',
  'mailbox netflix bank pppoe smtp imap ldap ftp konto benutzer compte cuenta usuario conta utente gebruiker аккаунт сервер användare'
]

const split = (lists: readonly string[]): string[] => lists.flatMap((list) => list.split(' '))

/** Words that must be whole, because other words begin with them. */
const wholes = new Set(
  split(['pw pws pwd pass cred psk sa ssh sftp rdp ilo otp nas box api auth root user safe login ftp 401 403'])
)

const nameUnits = 2
const actUnits = 1
const placeUnits = 0.5
const index = new NameIndex<number>([
  ...split(places).map((word) => [word, placeUnits] as const),
  ...[...split(acts), ...actsOfWords].map((word) => [word, actUnits] as const),
  ...[...split(names), ...namesOfWords].map((word) => [word, nameUnits] as const)
])

/** Characters around names in program text. In a message, names stand between blanks and punctuation. */
const before = allBut(' \t\n\r(*>')
const behind = charSet('0-9', '_=([{)}]<>;/\\|&$#@+:"`')
/** Requires a digit nearby: only words with a digit are considered as passwords. */
const guard: Guard = { notBefore: before, notBehind: behind, nearDigit: true }
const guardOfWhole: Guard = { ...guard, notBehind: charSet('A-Z', 'a-z', '0-9', '_=([{)}]<>;/\\|&$#@+:"`') }

/** Names too common in program text to be anchors. */
const unasked = new Set([
  'pass',
  'cred',
  'token',
  'secret',
  'credential',
  'api key',
  'api token',
  'access token',
  'service account'
])
/** Places so common in talk about access that they are anchors. */
const asked = [
  'account',
  'accounts',
  'admin',
  'root',
  'username',
  'user is',
  'user and',
  'user called',
  'user with',
  'my user',
  'auth'
]
const calling = [...split(names), ...namesOfWords, ...split(acts), ...actsOfWords, ...asked]
  .filter((word) => !unasked.has(word))
  .map((word) => [word, wholes.has(word) || asked.includes(word) ? guardOfWhole : guard] as const)
const callingIndex = new NameIndex<Guard>(calling)

/** The anchors of `unnamed_password`. */
export const topicAnchors = calling.map(([literal, own]) => ({ literal, fold: true as const, guard: own }))

const changeSet = charSet('+-')

/** Whether a topic word that is an anchor stands at `at`; it repeats the check of the anchor's guard. */
export function isTopic(text: string, at: number): boolean {
  const [word, own] = callingIndex.at(text, at) ?? []
  if (word === undefined || own === undefined || !leftClear(text, at, own.notBefore as CharSet)) return false
  // `leftClear` accepts the sign of an added or removed line; the guard, which does not see lines, rejects it.
  if (inSet(changeSet, codeAt(text, at - 1))) return false
  return rightClear(text, at + word.length, own.notBehind as CharSet)
}

/** How far before and behind a value topic words count, in code units (measured in decision 137). */
const unitsBefore = 240
const unitsBehind = 140
const pointsOfName = 2
const pointsOfNames = 2.5
const pointsOfActsMax = 2

/** A topic word: itself, and its points. */
type Topic = readonly [word: string, points: number]

/** The topic word that begins at `at`. */
function topicAt(text: string, at: number): Topic | undefined {
  if (inSet(wordSet, codeAt(text, at - 1))) return undefined
  const found = index.at(text, at)
  if (found === undefined || !isWhole(text, at, found[0])) return undefined
  // A placeholder that an earlier scan wrote is no more evidence of access than the password it replaced.
  return isOwnPlaceholder(text, at, runEnd(text, at, wordSet, placeholderUnitsMax)) ? undefined : found
}

const topics = new Places(topicAt)

/**
 * How much the text around `[start, end)` is about access, from 0 to 4.5 points: each distinct word counts once, names
 * 2 (several 2.5), acts 1 and places 0.5 (together at most 2).
 * @param textNumber identifies the text, so that its words are found once; 0 for none
 */
export function topicAround(text: string, start: number, end: number, textNumber: number): number {
  const seen = new Set<string>()
  let points = 0
  let named = 0
  const from = Math.max(0, start - unitsBefore)
  const to = Math.min(text.length, end + unitsBehind)
  // No word begins before this place: within the word before it, or within the value.
  let next = from
  for (let i = topics.read(text, from, to, textNumber); i < topics.count && topics.place(i) < to; i++) {
    const place = topics.place(i)
    if (next <= start && place >= start) next = end
    if (place < next) continue
    const [word, worth] = topics.found(i)
    next = place
    if (seen.has(word)) continue
    seen.add(word)
    if (worth === nameUnits) named++
    else points += worth
    next = place + word.length
  }
  return Math.min(pointsOfActsMax, points) + (named > 1 ? pointsOfNames : named === 1 ? pointsOfName : 0)
}

const placeholderUnitsMax = 81

function isWhole(text: string, at: number, word: string): boolean {
  return !wholes.has(word) || !inSet(letterSet, codeAt(text, at + word.length))
}
