/**
 * Characters beyond ASCII that hide ASCII: invisible ones, combining marks, full-width and styled forms, digits of
 * other scripts, letters of other scripts that look Latin.
 *
 * Source of facts: Unicode 17, general categories Cf, Mn, Nd and Zs; NFKC as the platform's `normalize` implements it;
 * the look-alikes are those of Unicode Technical Standard 39 that people cannot tell from the Latin letter.
 */

/** Classes of UTF-16 codes for the search for hidden text. 0: nothing of interest. */
export const hiddenClass = 1
export const markClass = 2
export const formClass = 3
export const lookalikeClass = 4
export const blankClass = 5
export const dashClass = 6
export const quoteClass = 7
/** High surrogates of the blocks with styled letters, tags and variation selectors. */
export const surrogateClass = 8

const hiddenRanges = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb]
] as const

const markRanges = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe20, 0xfe2f]
] as const

const blankRanges = [
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000]
] as const

const dashRanges = [
  [0x2010, 0x2013],
  [0x2212, 0x2212],
  [0xfe58, 0xfe58],
  [0xfe63, 0xfe63],
  [0xff0d, 0xff0d]
] as const

/** Ranges in which some characters have a compatibility form in ASCII. */
const formRanges = [
  [0xaa, 0xba],
  [0x2070, 0x209c],
  [0x2100, 0x214e],
  [0x2460, 0x24ea],
  [0xfe50, 0xfe6b],
  [0xff01, 0xff5e]
] as const

/** The zeros of the decimal digits in the basic multilingual plane. */
const zeros = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
  0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0
]

/** Letters that look Latin, each next to the Latin letter. */
const lookalikes =
  'аaеeоoрpсcуyхxіiѕsјjһhԁdԛqԝwАAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХX' + 'οoνvΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXіiɡgıi'

interface Tables {
  readonly classOf: Uint8Array
  /** The ASCII code that a code stands for; 0 if there is none. */
  readonly asciiOf: Uint8Array
}

let built: Tables | undefined

/** The tables (128 kB), built when the first text beyond Latin arrives. */
export function characterTables(): Tables {
  return (built ??= buildTables())
}

function buildTables(): Tables {
  const classOf = new Uint8Array(65536)
  const asciiOf = new Uint8Array(65536)
  for (const [first, last] of formRanges) for (let code = first; code <= last; code++) addForm(classOf, asciiOf, code)
  for (const zero of zeros) {
    classOf.fill(formClass, zero, zero + 10)
    for (let digit = 0; digit < 10; digit++) asciiOf[zero + digit] = 48 + digit
  }
  for (let i = 0; i < lookalikes.length; i += 2) {
    classOf[lookalikes.charCodeAt(i)] = lookalikeClass
    asciiOf[lookalikes.charCodeAt(i)] = lookalikes.charCodeAt(i + 1)
  }
  fill(classOf, asciiOf, hiddenRanges, hiddenClass, 0)
  fill(classOf, asciiOf, markRanges, markClass, 0)
  fill(classOf, asciiOf, blankRanges, blankClass, 32)
  fill(classOf, asciiOf, dashRanges, dashClass, 45)
  fill(classOf, asciiOf, [[0x2018, 0x201b]], quoteClass, 39)
  fill(classOf, asciiOf, [[0x201c, 0x201f]], quoteClass, 34)
  for (const code of [0xd835, 0xd83c, 0xd83e, 0xdb40]) classOf[code] = surrogateClass
  return { classOf, asciiOf }
}

function addForm(classOf: Uint8Array, asciiOf: Uint8Array, code: number): void {
  const form = String.fromCharCode(code).normalize('NFKC')
  if (form.length !== 1 || form.charCodeAt(0) > 126 || form.charCodeAt(0) < 33) return
  classOf[code] = formClass
  asciiOf[code] = form.charCodeAt(0)
}

function fill(
  classOf: Uint8Array,
  asciiOf: Uint8Array,
  ranges: readonly (readonly [number, number])[],
  cls: number,
  ascii: number
): void {
  for (const [first, last] of ranges) {
    classOf.fill(cls, first, last + 1)
    asciiOf.fill(ascii, first, last + 1)
  }
}

/**
 * What a surrogate pair stands for: an ASCII code, 0 for an invisible character (a tag, a variation selector), -1 for
 * anything else.
 */
export function pairMeaning(high: number, low: number): number {
  const point = (high - 0xd800) * 1024 + (low - 0xdc00) + 0x10000
  if ((point >= 0xe0000 && point <= 0xe007f) || (point >= 0xe0100 && point <= 0xe01ef)) return 0
  const styled =
    (point >= 0x1d400 && point <= 0x1d7ff) ||
    (point >= 0x1f130 && point <= 0x1f149) ||
    (point >= 0x1fbf0 && point <= 0x1fbf9)
  if (!styled) return -1
  const form = String.fromCodePoint(point).normalize('NFKC')
  return form.length === 1 && form.charCodeAt(0) < 127 ? form.charCodeAt(0) : -1
}

/** Whether a code is a visible ASCII character, as in all keys and numbers. */
export function isVisibleAscii(code: number): boolean {
  return code > 32 && code < 127
}

/** The ASCII code that a code stands for in any context; -1 for an invisible character; otherwise the code itself. */
export function simpleMeaning(code: number): number {
  const { classOf, asciiOf } = characterTables()
  const cls = classOf[code]
  if (cls === hiddenClass) return -1
  return cls === formClass || cls === blankClass || cls === dashClass || cls === quoteClass
    ? (asciiOf[code] as number)
    : code
}

/** Whether a code beyond ASCII may hide something. Look-alikes are not included; they are searched for separately. */
export function isSignCode(code: number): boolean {
  const cls = characterTables().classOf[code] as number
  return cls !== 0 && cls !== lookalikeClass
}
