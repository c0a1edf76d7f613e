/**
 * Passwords and tokens behind an English name in a sentence of East Asia: `API keyは「X」です`, `token是X。`,
 * `password는 X입니다`. There no blank stands between words.
 */
import { contextMatch, type Match } from '../../detector.ts'
import { charSet, codeAt, runEnd, runStart, wordSet } from '../../text/chars.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { isStatedSecret } from '../../values/stated-value.ts'
import { passwordName, weakName } from '../../values/key-names.ts'
import { ratingAt } from './value-after-name.ts'

/** Particles behind a subject, verbs, and the colon of these scripts: は, が, 是, 为, 為, 는, 은, ：. */
const particles = new Set([0x306f, 0x304c, 0x662f, 0x4e3a, 0x70ba, 0xb294, 0xc740, 0xff1a])
/** What may stand between particle and value: blanks, colons, the opening quotes of these languages. */
const gaps = new Set([32, 58, 0xff1a, 0x3000, 34, 39, 96, 0x300c, 0x300e, 0x201c])
const gapUnitsMax = 4
/** Printable ASCII: a value ends where the script of the sentence goes on. */
const valueSet = charSet('A-Z', 'a-z', '0-9', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')
const valueUnitsMax = 256
const tokenUnitsMin = 12
/** What ends the sentence or the quotation, rather than the value. */
const tailSet = charSet('.,;\'"`)')

export function isParticle(code: number): boolean {
  return particles.has(code)
}

/** The value of the name in `[at, nameTo)` behind a particle that ends at `from`. */
export function valueBehindParticle(text: string, at: number, nameTo: number, from: number): Match | undefined {
  const rating = ratingAt(text, at, nameTo)
  if (rating <= weakName) return undefined
  let start = from
  const limit = start + gapUnitsMax
  while (start < limit && gaps.has(codeAt(text, start))) start++
  const to = runEnd(text, start, valueSet, valueUnitsMax)
  const end = runStart(text, to, tailSet, to - start)
  if (to - start === valueUnitsMax || end === start) return undefined
  // Documentation shows how a value begins: `eyJhbGciOi...`.
  if (text.startsWith('...', end) || isCall(text, start, end) || isManner(text, to)) return undefined
  // Other names have short values that are no secrets: versions, names of types.
  if (rating !== passwordName && end - start < tokenUnitsMin) return undefined
  const form = { quoted: true, doubtful: true, uuids: true }
  const isSecret =
    rating === passwordName ? isStatedSecret(text, start, end) : isSecretValue(text, start, end, rating, form)
  return isSecret ? contextMatch(start, end) : undefined
}

/** Whether it is a call or a type with its length, whose bracket was taken for the end: `sha256(pwd)`, `varchar(255)`. */
function isCall(text: string, start: number, end: number): boolean {
  const name = runEnd(text, start, wordSet, end - start)
  return name > start && codeAt(text, name) === 40 && codeAt(text, end) === 41
}

/** Whether what stands before `at` says how a value is kept, or what it looks like: `password为AES256加密`. */
function isManner(text: string, at: number): boolean {
  let from = at
  while (from < at + joinUnitsMax && joins.includes(text.charAt(from))) from++
  return manners.some((word) => text.startsWith(word, from))
}
/** Quotes, blanks and particles before such a word. */
const joins = '`」』” 的の로で'
const joinUnitsMax = 3
const manners = [
  ...['加密', '哈希', '散列', '编码', '編碼', '加盐', '算法', '类型', '類型', '格式', '形式', '方式', '暗号', '配置'],
  ...['エンコード', 'ハッシュ', 'アルゴリズム', '암호화', '해시', '인코딩', '알고리즘', '형식', '방식', '타입']
]
