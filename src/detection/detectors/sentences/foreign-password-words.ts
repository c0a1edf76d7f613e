/** Words for a password and an API key in other languages, and where they stand. */
import { base62Set, charSet, codeAt, inSet, isAscii, letterSet, lowerSet, upperSet } from '../../text/chars.ts'
import { spellingsOf } from '../../text/plain-letters.ts'
import { ideographsFrom } from '../../values/language-words.ts'
import type { SecretSort } from './value-of-message.ts'

/** A stem, and what is looked for in it. */
type AnchoredWord = readonly [word: string, anchor: string]

/**
 * The same without accents, as people in a hurry write it, if that is no piece of other words (`mat ma`). Without its
 * accents an anchor may be one (`the api`), so that the whole stem is looked for if they were in the anchor.
 */
function anchoredSpellings([word, anchor]: AnchoredWord): AnchoredWord[] {
  return spellingsOf(word)
    .filter((one) => one === word || one.length >= plainUnitsMin)
    .map((one) => [one, one.includes(anchor) ? anchor : one])
}
const plainUnitsMin = 7

/**
 * Stems of words for a password that do not occur as names in program text, and the anchor within each. A non-ASCII
 * anchor has several characters: a single one would occur in every word of its language.
 */
const words = (
  [
    ['contraseña', 'contrase'],
    ['contrasenya', 'contrase'],
    ['mot de passe', 'mot de passe'],
    ['mdp', 'mdp'],
    ['kennwort', 'kennwort'],
    ['senha', 'senha'],
    ['wachtwoord', 'wachtwoord'],
    ['lösenord', 'senord'],
    ['passord', 'passord'],
    ['adgangskode', 'adgangskode'],
    ['salasana', 'salasana'],
    ['heslo', 'heslo'],
    ['geslo', 'geslo'],
    ['lozinka', 'lozinka'],
    ['parool', 'parool'],
    ['hasł', 'hasł'],
    ['jelszó', 'jelsz'],
    ['slaptažod', 'slapta'],
    ['şifre', 'şifre'],
    ['parola', 'parola'],
    ['kata sandi', 'kata sandi'],
    ['mật khẩu', 'ật khẩu'],
    ['парол', 'парол'],
    ['κωδικ', 'κωδικ'],
    ['סיסמ', 'סיסמ'],
    ['كلمة المرور', 'كلمة المرور'],
    ['كلمة السر', 'كلمة السر'],
    ['पासवर्ड', 'पासवर्ड'],
    ['รหัสผ่าน', 'รหัสผ่าน'],
    ['密码', '密码'],
    ['密碼', '密碼'],
    ['비밀번호', '비밀번호'],
    ['암호', '암호'],
    ['パスワード', 'パスワード'],
    ['clave', 'clave'],
    ['palavra-passe', 'palavra-passe'],
    ['palavra passe', 'palavra passe'],
    ['toegangscode', 'toegangscode'],
    ['zugangscode', 'zugangscode'],
    ['비번', '비번'],
    ['الرقم السري', 'الرقم السري'],
    ['mật mã', 'ật mã'],
    ['schlüssel lautet', 'ssel lautet'],
    ['口令', '口令'],
    ['كلمة مرور', 'كلمة مرور'],
    ['كلمة سر', 'كلمة سر'],
    ['wlan-schlüssel', 'wlan-schl'],
    ['code wifi', 'code wifi'],
    ['code du wifi', 'code du wifi'],
    ['clé wifi', 'é wifi'],
    ['clé du wifi', 'é du wifi'],
    ['лозинк', 'лозинк'],
    ['συνθηματικό', 'συνθηματικό'],
    ['գաղտնաբառ', 'գաղտնաբառ'],
    ['პაროლ', 'პაროლ'],
    ['şifrə', 'şifrə'],
    ['fjalëkalim', 'kalim'],
    ['contrasinal', 'contrasinal'],
    ['گذرواژه', 'گذرواژه'],
    ['رمز عبور', 'رمز عبور'],
    ['পাসওয়ার্ড', 'পাসও'],
    ['পাসও\u09dfার্ড', 'পাসও'],
    ['પાસવર્ડ', 'પાસવર્ડ'],
    ['ਪਾਸਵਰਡ', 'ਪਾਸਵਰਡ'],
    ['கடவுச்சொல்', 'கடவுச்சொல்'],
    ['ಗುಪ್ತಪದ', 'ಗುಪ್ತಪದ'],
    ['රහස්පද', 'රහස්පද'],
    ['စကားဝှက်', 'စကားဝှက်'],
    ['ពាក្យសម្ងាត់', 'ពាក្យសម្ងាត់'],
    ['parolă', 'parolă'],
    ['lykilorð', 'lykilor'],
    ['salasõna', 'salasõna'],
    ['wagwoord', 'wagwoord'],
    ['kata laluan', 'kata laluan'],
    ['کلمه عبور', 'کلمه عبور'],
    ['پاس ورڈ', 'پاس ورڈ'],
    ['нууц үг', 'нууц үг'],
    ['құпия сөз', 'құпия сөз'],
    ['wlan-schluessel', 'wlan-schl'],
    ['schluessel lautet', 'ssel lautet']
  ] satisfies AnchoredWord[]
).flatMap(anchoredSpellings)

/** The same for API keys, which are longer than passwords. */
const keyWords = (
  [
    ['api-schluessel', 'api-schl'],
    ['api schluessel', 'api schl'],
    ['api-schlüssel', 'api-schl'],
    ['api schlüssel', 'api schl'],
    ["clé d'api", "d'api"],
    ['clé api', 'é api'],
    ['clé secrète', 'crète'],
    ['chiave segreta', 'chiave'],
    ['chiave api', 'chiave'],
    ['chave secreta', 'chave'],
    ['chave de api', 'chave'],
    ['api-nyckel', 'api-nyckel'],
    ['klucz api', 'klucz'],
    ['ключ api', 'ключ'],
    ['api ключ', 'ключ'],
    ['api-ключ', 'ключ'],
    ['секретный ключ', 'ключ'],
    ['ключ доступа', 'ключ'],
    ['apiキー', 'キー'],
    ['暗号化キー', 'キー'],
    ['密钥', '密钥'],
    ['密鑰', '密鑰'],
    ['api 키', 'api 키'],
    ['api키', 'api키'],
    ['מפתח ה-api', 'מפתח'],
    ['מפתח api', 'מפתח']
  ] satisfies AnchoredWord[]
).flatMap(anchoredSpellings)

/** The same for tokens, which texts about language models count: `токенов: 128000`. */
const tokenWords: readonly AnchoredWord[] = [
  ['токен', 'токен'],
  ['令牌', '令牌'],
  ['トークン', 'トークン'],
  ['토큰', '토큰']
]

const wordsOf: readonly (readonly [sort: SecretSort, list: readonly AnchoredWord[]])[] = [
  ['password', words],
  ['key', keyWords],
  ['token', tokenWords]
]

export const foreignAnchors = [...new Set(wordsOf.flatMap(([, list]) => list.map(([, anchor]) => anchor)))]
/** Those that begin in ASCII and continue beyond it. */
const mixedAnchors = foreignAnchors
  .filter((anchor) => anchor.charCodeAt(0) < 128 && !isAscii(anchor))
  .map((lower) => ({ lower, upper: lower.toUpperCase() }))
const mixedHeadSet = charSet(...mixedAnchors.flatMap(({ lower, upper }) => [lower.charAt(0), upper.charAt(0)]))

/** A stem in lower and upper case. */
interface ForeignWord {
  readonly lower: string
  readonly upper: string
  /** The offset of the anchor in the stem. */
  readonly offset: number
  readonly sort: SecretSort
  /** Abbreviations have no endings: `MDPath` is none. */
  readonly isAbbreviation: boolean
  /** What follows the first character of the anchor, in lower and upper case. Most candidates are rejected by it. */
  readonly next: readonly [number, number]
}

const byAnchor = new Map<number, ForeignWord[]>()
for (const [sort, list] of wordsOf)
  for (const [word, anchor] of list) {
    const upper = word.toUpperCase()
    const offset = word.indexOf(anchor)
    const next = [codeAt(word, offset + 1), codeAt(upper, offset + 1)] as const
    const foreign = { lower: word, upper, offset, next, sort, isAbbreviation: word === 'mdp' }
    for (const code of new Set([word.charCodeAt(offset), upper.charCodeAt(offset)]))
      byAnchor.set(code, [...(byAnchor.get(code) ?? []), foreign])
  }

/** The first characters of ASCII anchors. */
const firstSet = charSet(...[...byAnchor.keys()].filter((code) => code < 128).map((code) => String.fromCharCode(code)))

/** The word that {@link findWord} found last, and what it names. */
export const found: { start: number; end: number; sort: SecretSort } = { start: 0, end: 0, sort: 'password' }

/** Whether the anchor of a foreign word stands at `at`; the word is left in `found`. */
export function findWord(text: string, at: number): boolean {
  found.end = 0
  const code = text.charCodeAt(at)
  if (code < 128 && firstSet[code] === 0) return false
  const candidates = byAnchor.get(text.charCodeAt(at))
  if (candidates === undefined) return false
  const behind = codeAt(text, at + 1)
  for (const word of candidates) {
    // The anchor may be the last character of the word.
    if (word.next[0] > 0 && behind !== word.next[0] && behind !== word.next[1]) continue
    const start = at - word.offset
    if (start < 0 || !standsAt(text, start, word)) continue
    // In scripts without blanks, a name in Latin letters may precede: `WiFi密码`.
    if (inSet(base62Set, codeAt(text, start - 1)) && codeAt(text, start) < ideographsFrom) continue
    const end = start + word.lower.length
    if (end <= found.end || (word.isAbbreviation && isWithinName(text, end))) continue
    found.start = start
    found.end = end
    found.sort = word.sort
  }
  return found.end > 0
}

/** Whether an abbreviation that ends at `at` is a part of another word, and not one of a name, `mdpProd`, or a plural. */
function isWithinName(text: string, at: number): boolean {
  const code = codeAt(text, at)
  if (!inSet(letterSet, code)) return false
  if (inSet(upperSet, code) && inSet(lowerSet, codeAt(text, at - 1))) return false
  return (code | 32) !== 115 || inSet(letterSet, codeAt(text, at + 1))
}

/** Whether the anchor at `at` has letters beyond ASCII, so that it is not part of an English word. */
export function isBeyondAscii(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 128 || (mixedHeadSet[code] === 1 && mixedAnchors.some((anchor) => standsAt(text, at, anchor)))
}

/** Whether the stem stands at `at`, in any case. Many begin alike, and differ at their ends. */
function standsAt(text: string, at: number, { lower, upper }: Pick<ForeignWord, 'lower' | 'upper'>): boolean {
  for (let i = lower.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(at + i)
    if (code !== lower.charCodeAt(i) && code !== upper.charCodeAt(i)) return false
  }
  return true
}
