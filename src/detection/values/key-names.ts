/**
 * What the name of a variable, field, header or option says about its value: `DB_PASSWORD` promises a password,
 * `passwordResetUrl` does not, `cacheKey` is no secret at all.
 */
import { digitSet, letterSet, lowerSet, nameSet, runEnd, runStart, upperSet } from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'
import { WordSet } from '../text/word-set.ts'

/**
 * What a name says about its value. `noName`: not a secret. `weakName`: `key`, `auth`, `salt`; only a value that is
 * certainly generated counts. `likelyName`: `token`, `secret`, `apiKey`. `passwordName`: a password, which people choose
 * themselves, so its value need not look random.
 */
export type NameRating = 0 | 1 | 2 | 3
export const noName = 0
export const weakName = 1
export const likelyName = 2
export const passwordName = 3

const nameUnitsMax = 64

/** The start of the name that extends to `to`. */
export function nameStart(text: string, to: number): number {
  return runStart(text, to, nameSet, nameUnitsMax)
}

/**
 * The end of the name around `from`.
 * @param textNumber identifies the text, so that a run of many names is read once; 0 for none
 */
export function nameEnd(text: string, from: number, textNumber = 0): number {
  if (textNumber === 0) return runEnd(text, from, nameSet, nameUnitsMax)
  return nameEnds.at(text, from, Math.min(text.length, from + nameUnitsMax), textNumber)
}
const nameEnds = new NextOf(nameSet, 'notIn')

/** Whether a word contains only characters of names. */
export function isNamePart(word: string): boolean {
  return nameEnd(word, 0) === word.length
}

/** The words of a name in snake_case, kebab-case, camelCase or a mixture, in lower case. Digits belong to no word. */
export function nameParts(text: string, start: number, end: number): string[] {
  const parts: string[] = []
  let from = start
  let hasUpper = false
  for (let i = start; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 0
    const isUpper = upperSet[code] === 1
    const letter = isUpper || lowerSet[code] === 1
    if (letter && !(isUpper && i > from && startsPart(text, i, end))) {
      hasUpper ||= isUpper
      continue
    }
    if (i > from) parts.push(hasUpper ? text.slice(from, i).toLowerCase() : text.slice(from, i))
    from = letter ? i : i + 1
    hasUpper = isUpper
  }
  return parts
}

/** Whether a capital at `i` begins a new word: `apiKey`, `APIKey`. */
function startsPart(text: string, i: number, end: number): boolean {
  if (upperSet[text.charCodeAt(i)] !== 1) return false
  if (lowerSet[text.charCodeAt(i - 1)] === 1) return true
  return (
    upperSet[text.charCodeAt(i - 1)] === 1 &&
    i + 1 < end &&
    lowerSet[text.charCodeAt(i + 1)] === 1 &&
    // The plural of an acronym, as in `URLs`, is one word.
    !(text.charCodeAt(i + 1) === 115 && (i + 2 === end || lowerSet[text.charCodeAt(i + 2)] !== 1))
  )
}

const words = (list: string): WordSet => new WordSet(list.split(' '))

const passwordWords = words(
  'password passwd passwort passphrase pwd pswd passcode passwords passwrd psw userpassword dbpassword ' +
    'rootpassword adminpassword mypassword mysqlpassword keypass storepass userpwd dbpwd dbpass userpass kennwort ' +
    'pw psk psswd pasword contrasena contrasenia senha wachtwoord motdepasse parola haslo heslo salasana jelszo parol ' +
    'sifre lozinka zaporka losenord matkhau katasandi slaptazodis adgangskode passord geslo ' +
    'srckeypass destkeypass requirepass masterauth sshpass pgpass smtppass mailpass ftppass adminpass rootpass mysqlpass ' +
    'authpass wifipass emailpass smbpass remotepass localpass bindpass imappass poppass proxypass sqlpass ldappass httppass ' +
    'loginpass vncpass svnpass serverpass hostpass clientpass relaypass accountpass'
)
const likelyWords = words(
  'secret secrets token tokens credential credentials apikey apikeys apitoken secretkey accesskey privatekey ' +
    'accesstoken refreshtoken authtoken clientsecret appsecret sharedsecret passkey authkey apisecret bearer jwt pat ' +
    'webhooksecret signingkey signingsecret consumersecret encryptionkey masterkey sharedkey usertoken secretid ' +
    'appkey licensekey skey passwordsalt pepper identitytoken registrytoken sessiontoken securitytoken'
)
/** Words before `key` that make it a secret. */
const keyQualifiers = words(
  'api access secret private signing encryption encrypt master auth authentication shared account storage ' +
    'service admin root deploy license session cipher aes des hmac jwt integration consumer client app application ' +
    'write read ingest server rest webhook crypto decryption decrypt symmetric wrapping data ssh user sdk dev prod ' +
    'network merchant production live test validation tsig rndc eab mac recovery backup bearer token connection'
)
/** Words behind a keyword that leave its promise unchanged. */
const neutralTails = words(
  'value val string str text prod production dev development test tests testing staging stage live old new current ' +
    'confirm confirmation repeat again plain plaintext raw data default base b hex enc encoded env real primary ' +
    'secondary backup admin root user db s v my key keys secret token phrase a b c d e bytes code in arg param parameter ' +
    'prop const constant literal main temp tmp local global my uppercase lowercase one two ' +
    // In other languages: of the database, user, administrator, mail, program.
    'bd bdd banco bazy datenbank usuario utilisateur benutzer gebruiker utente uzytkownika administrador ' +
    'administrateur admina correo courriel aplicacion aplicacao aplikacji anwendung antigua nueva nova alt neu'
)
/** Words behind `auth` that make it a secret: one-time results of a sign-in, and signatures of requests. */
const authTails = words('verifier code signature cookie ticket')
/** Words of remarks about a secret, such as `secret_do_not_commit`, which are not part of its meaning. */
const remarks = words('do dont not never used only for please remove rotate temporary old leaked')
/** Words before `token`, `key`, `secret` or `auth` that cancel the promise. */
const innocentHeads = words(
  'csrf xsrf page next prev previous cancel cancellation continuation continue sync syntax lexer parser stop eos bos ' +
    'pad unk mask max min num total input output prompt completion count per public pub primary foreign sort partition ' +
    'cache file unique index object row group event translation lookup react dict registry config item sub field column ' +
    'parent shortcut hot arrow composite natural surrogate idempotency dedupe dedup routing order search filter query ' +
    'property prop label i n locale message msg lang language no not is has have use uses with without forgot reset ' +
    'change update invalid missing bad wrong expected publishable site sitekey recaptcha_site subscription anti ' +
    'verification antiforgery forgery sequence stylesheet separator string number keyword identifier left right start end open close last ' +
    'websocket socket lock starting encrypted wrapped sealed existing progress resume authenticity first get delete remove find expired require required enter repeat_new type'
)
/** The same before `password`: questions and statements about one. */
const innocentPasswordHeads = words(
  'forgot reset change update invalid missing bad require required enter no has is empty'
)

/** The same before `pass`: passes of compilers, renderers and other processing, and where nginx passes a request on. */
const innocentPassHeads = words(
  'fastcgi uwsgi scgi function module loop region machine cgscc analysis codegen render shader post pre first second third single multi ' +
    'optimization opt build compiler transform lowering'
)

/** Words anywhere before that make the name interface text, or the public half of a key pair. */
const nonSecretHeads = words(
  'label mandatory msg message title tooltip placeholder hint error public pub amz of hashed i18n translation'
)

/** What a name promises whose keyword stands at `at`. */
export function rateName(text: string, first: number, end: number, at: number): NameRating {
  const start = pastDefine(text, first)
  if (end - start >= nameUnitsMax) return noName
  const from = nameParts(text, at, end)
  if (from.length === 0 || isOther(from)) return noName
  const before = nameParts(text, start, at)
  // The anchor may stand within a word: `authtoken`, `apikey`, `mypassword`.
  const joined = at > start && continuesPart(text, at)
  const word = (joined ? before.pop() : '') + (from[0] as string)
  if (from.length === 2 && (word === 'auth' || word === 'oauth') && authTails.has(from[1] as string)) return likelyName
  // With it, nodes of Erlang let each other run anything.
  if (from.length === 2 && (word === 'erlang' || word === 'release') && from[1] === 'cookie') return likelyName
  for (let i = 1; i < from.length; i++) {
    if (neutralTails.has(from[i] as string)) continue
    return word === 'secret' && remarks.has(from[i] as string) ? weakName : noName
  }
  const head = before.at(-1) ?? (joined ? '' : wordBefore(text, start, word))
  // A preshared key is chosen by people, like a password.
  if (word === 'key' && from.length === 1)
    if (networks.has(head) || head === 'preshared' || (head === 'shared' && before.at(-2) === 'pre'))
      return passwordName
  if (word !== 'signature') for (const part of before) if (nonSecretHeads.has(part)) return noName
  // `private_bootstrap_key`: whatever it is the key of, it is not the public one.
  if (word === 'key' && from.length === 1 && before.includes('private') && !innocentHeads.has(head)) return likelyName
  return rateWord(word, head, from)
}

/** Whether the words behind a keyword name something else, whichever word it is. */
function isOther(from: readonly string[]): boolean {
  for (let i = 1; i < from.length; i++) {
    const part = from[i] as string
    if (!neutralTails.has(part)) return !remarks.has(part) && !(from.length === 2 && authTails.has(part))
  }
  return false
}

/**
 * Words before a separate `key` that make it a secret, in headings and dotted names: `API key: ...`, `encryption.key=`.
 */
const spacedQualifiers = words(
  'api access secret private encryption master auth license account storage service shared public bind wifi wlan wpa fi'
)
/** Wireless networks, as words before `key`: `wifi_key`, `WLAN key`, `Wi-Fi key`. */
const networks = words('wifi wlan wpa fi')

/**
 * The qualifier before a name of one word, separated by a blank or a dot, as in `Second pass: ...`; otherwise an empty
 * string.
 */
function wordBefore(text: string, start: number, name: string): string {
  const joint = text.charCodeAt(start - 1)
  if (joint !== 32 && joint !== 46) return ''
  const from = pastDefine(text, runStart(text, start - 1, letterSet, qualifierUnitsMax))
  // `mot de passe` is a word of its own, which sentences are read for.
  if (name === 'passe' && text.slice(from, start - 1).toLowerCase() === 'de') return 'mot'
  const isQualifier =
    spacedQualifiers.stands(text, from, start - 1) ||
    (name === 'pass' && innocentPassHeads.stands(text, from, start - 1))
  return isQualifier ? text.slice(from, start - 1).toLowerCase() : ''
}

const qualifierUnitsMax = 12

/**
 * Past the letter with which Java and Gradle define a property: `-Dapi.key=...`, `-PapiKey=...`. A qualifier of a key
 * follows it, unlike the first letter of a parameter of PowerShell: `-PrivateKey`, `-PartitionKey`.
 */
function pastDefine(text: string, at: number): number {
  // A dash may be read as part of the name.
  const letter = text.charCodeAt(at) === 45 ? at + 1 : at
  const code = text.charCodeAt(letter)
  if ((code !== 68 && code !== 80) || text.charCodeAt(letter - 1) !== 45) return at
  return keyQualifiers.stands(text, letter + 1, runEnd(text, letter + 1, lowerSet, qualifierUnitsMax)) ? letter + 1 : at
}

function continuesPart(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const last = text.charCodeAt(at - 1)
  if (code === 95 || code === 45 || digitSet[last] === 1 || (lowerSet[last] !== 1 && upperSet[last] !== 1)) return false
  if (upperSet[code] !== 1) return true
  // `dbToken`, `COMToken`.
  return lowerSet[last] !== 1 && lowerSet[text.charCodeAt(at + 1)] !== 1
}

/** Words that make `pass` a text rather than a step: `passStr`. */
const textTails = words('str string txt value')

function rateWord(word: string, head: string, from: readonly string[]): NameRating {
  // The signature of a presigned URL, which grants access until it expires.
  if (word === 'signature') return head === 'amz' || head === 'goog' ? likelyName : noName
  if (word === 'pass') {
    if (from.length === 2 && from[1] === 'phrase') return passwordName
    const isOther =
      from.length > 2 ||
      (from.length === 2 && !textTails.has(from[1] as string)) ||
      innocentPasswordHeads.has(head) ||
      innocentPassHeads.has(head)
    return isOther ? noName : passwordName
  }
  if (word === 'passe') return head === 'de' || head === '' ? passwordName : noName
  // In Vietnamese and Indonesian, two words.
  if (word === 'khau') return head === 'mat' ? passwordName : noName
  if (word === 'sandi') return head === 'kata' ? passwordName : noName
  // In sudoers it means that no password is asked for.
  if (word === 'nopasswd') return noName
  if (passwordWords.has(word) || isPasswordCompound(word))
    return innocentPasswordHeads.has(head) ? noName : passwordName
  // Where a user signs in, people choose the secret.
  if (word === 'secret' && signInHeads.has(head)) return passwordName
  if ((word === 'credentials' || word === 'credential') && head === 'bind') return passwordName
  if (likelyWords.has(word)) return isInnocent(head, word) ? noName : likelyName
  if (word === 'key' || word === 'keys') {
    if (from.length > 1 && from[1] !== 'secret' && from[1] !== 'value') return noName
    return keyQualifiers.has(head) ? likelyName : innocentHeads.has(head) ? noName : weakName
  }
  if (word === 'salt') return likelyName
  if (word === 'auth' && (head === 'rediscli' || head === 'redis')) return passwordName
  if (word === 'auth' || word === 'nkey') return weakName
  return isTokenCompound(word) ? likelyName : noName
}

const signInHeads = words('smtp imap ldap radius db database mysql postgres admin root')

/** Whether the word before cancels the promise: `csrf_token` is no secret, but `csrf_secret` and `registry_token` are. */
function isInnocent(head: string, word: string): boolean {
  if (!innocentHeads.has(head)) return false
  return word === 'token' ? !grantingHeads.has(head) : !forgeryHeads.has(head)
}
const forgeryHeads = words('csrf xsrf antiforgery forgery')
/** Whoever has the token from a letter about a forgotten password sets a new one. */
const grantingHeads = words('registry reset')

const passwordEnds = ['password', 'passwort', 'passwd', 'passphrase', 'storepass']

/** Whether it is a lower-case compound of a word for a password: `userpassword`, `sshpasswd`, `srcstorepass`. */
function isPasswordCompound(word: string): boolean {
  return passwordEnds.some((end) => word.endsWith(end))
}

function isTokenCompound(word: string): boolean {
  return (
    word.endsWith('apikey') ||
    word.endsWith('secret') ||
    word.endsWith('secretkey') ||
    word.endsWith('authtoken') ||
    word.endsWith('apitoken') ||
    word.endsWith('accesstoken')
  )
}
