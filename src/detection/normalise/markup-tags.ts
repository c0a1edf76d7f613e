/**
 * Tags that only say how a value looks, or in which cell it stands: `<p>Password: <b>...</b></p>`. They are removed if
 * a word before them promises a secret, so that pages without such words cost nothing.
 *
 * Source of facts: the HTML standard, sections 4.5 (text-level elements), 4.4 (`dt`, `dd`) and 4.9 (cells of tables).
 */
import { blankSet, charSet, codeAt, inSet, letterSet, runEnd, runStart } from '../text/chars.ts'
import { WordSet } from '../text/word-set.ts'

const names = 'b strong code span em i u kbd tt samp font mark small label td th dt dd pre'.split(' ')
const tagNames = new WordSet(names)
const nameUnitsMax = 8
const attributeUnitsMax = 120
const noAttributeSet = charSet('<\n\r')

/** Beginnings of tags for the anchor search: those that open before a value, and those that close behind its name. */
export const tagLiterals: readonly string[] = [
  ...['<b>', '<strong', '<code', '<span', '<em>', '<i>', '<u>', '<kbd', '<tt>', '<samp', '<font', '<mark', '<pre>'],
  ...['</b>', '</strong>', '</em>', '</i>', '</label>', '</td>', '</th>', '</dt>', '</span>']
]

/** Past the tag at `at`, if it is one of those; otherwise -1. */
export function tagEnd(text: string, at: number): number {
  const from = codeAt(text, at + 1) === 47 ? at + 2 : at + 1
  const nameTo = runEnd(text, from, letterSet, nameUnitsMax)
  if (nameTo === from || !tagNames.stands(text, from, nameTo)) return -1
  const limit = Math.min(text.length, nameTo + attributeUnitsMax)
  for (let i = nameTo; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 62) return i === nameTo || from === at + 1 ? i + 1 : -1
    if (inSet(noAttributeSet, code) || (i === nameTo && code !== 32)) return -1
  }
  return -1
}

const blanksMax = 3
/** The most units of a name and the words between it and its value. */
const reach = 48

/** Whether the tag in `[at, end)` stands between a name that promises a secret and its value. */
export function partsValue(text: string, at: number, end: number): boolean {
  return (codeAt(text, at + 1) === 47 ? closesName(text, at, end) : opensValue(text, at)) && promisesSecret(text, at)
}

/** `Password:</b> `, `Password</b>: ` */
function closesName(text: string, at: number, end: number): boolean {
  return isSign(codeAt(text, at - 1)) || isSign(codeAt(text, runEnd(text, end, blankSet, blanksMax)))
}

/** `Password: <b>`, `the password is <b>` */
function opensValue(text: string, at: number): boolean {
  const to = runStart(text, at, blankSet, blanksMax)
  if (isSign(codeAt(text, to - 1))) return true
  const from = runStart(text, to, letterSet, nameUnitsMax)
  return from < to && to < at && linkingWords.stands(text, from, to)
}

function isSign(code: number): boolean {
  return code === 58 || code === 61
}

/** Words between a name and its value, in the languages of the names. */
const linkingWords = new WordSet('is was to ist lautet est es era sera will be now'.split(' '))

function promisesSecret(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - reach), at).toLowerCase()
  return secretStems.some((stem) => before.includes(stem))
}

/** Stems in names of secrets. Whether a name is one is decided by the detectors that read it. */
const secretStems = 'passw passc passp passe pass: pwd token secret key pin kennw contrase senha wachtw sessid'.split(
  ' '
)
