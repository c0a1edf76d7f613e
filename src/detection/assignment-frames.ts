/**
 * What stands between a name and its value where no sign does: the accessors of a property, the tags of a list of pairs,
 * the block of a variable, an option that takes the value of the name before it.
 */
import { charSet, codeAt, inSet, letterSet, runEnd } from './chars.ts'
import { skipBlanks, skipSpace } from './assignment-steps.ts'

/**
 * Where the value begins.
 * @param at the first character behind the name and its blanks
 * @returns -1 where nothing of the kind stands there
 */
export function frameEnd(text: string, at: number, nameQuoted: boolean): number {
  switch (codeAt(text, at)) {
    case 45:
      return nameQuoted ? -1 : optionEnd(text, at)
    case 60:
      return nameQuoted ? -1 : pairEnd(text, at)
    default:
      return nameQuoted ? defaultEnd(text, at) : accessorEnd(text, at)
  }
}

const valueOptions = ['--body', '--value', '--secret-string', '--secret-value', '--data', '--password']

/** `gh secret set NAME --body "..."`. */
function optionEnd(text: string, at: number): number {
  const end = runEnd(text, at, optionSet, 24)
  if (!valueOptions.includes(text.slice(at, end))) return -1
  const next = codeAt(text, end)
  return next === 61 || next === 32 ? end + 1 : -1
}
const optionSet = charSet('a-z', '-')

const valueTags = ['string', 'value', 'param-value', 'stringvalue', 'env-entry-value']
const tagUnitsMax = 20

/** `<key>name</key> <string>`, `<name>name</name> <value>`. */
function pairEnd(text: string, at: number): number {
  if (codeAt(text, at + 1) !== 47) return -1
  const close = tagEnd(text, at + 2)
  if (close < 0) return -1
  const open = skipSpace(text, close)
  if (codeAt(text, open) !== 60) return -1
  const end = tagEnd(text, open + 1)
  return end >= 0 && valueTags.includes(text.slice(open + 1, end - 1).toLowerCase()) ? end : -1
}

/** Past the sign that ends a tag of a bare name. */
function tagEnd(text: string, from: number): number {
  const end = runEnd(text, from, tagSet, tagUnitsMax)
  return end > from && codeAt(text, end) === 62 ? end + 1 : -1
}
const tagSet = charSet('A-Z', 'a-z', '-')

const accessorUnitsMax = 48

/** `{ get; set; } =`. */
function accessorEnd(text: string, at: number): number {
  const first = skipBlanks(text, at + 1)
  if (!text.startsWith('get;', first)) return -1
  const limit = Math.min(text.length, at + accessorUnitsMax)
  for (let i = first + 4; i < limit; i++) {
    if (text.charCodeAt(i) !== 125) continue
    const sign = skipBlanks(text, i + 1)
    return codeAt(text, sign) === 61 && codeAt(text, sign + 1) !== 62 ? sign + 1 : -1
  }
  return -1
}

const blockUnitsMax = 400

/** `variable "name" {` and the line in it that says `default = `. */
function defaultEnd(text: string, at: number): number {
  if (codeAt(text, at) !== 123) return -1
  const limit = Math.min(text.length, at + blockUnitsMax)
  let lineStart = false
  for (let i = at + 1; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) lineStart = true
    else if (code === 125) return -1
    else if (lineStart && code > 32) {
      lineStart = false
      if (!text.startsWith('default', i) || inSet(letterSet, codeAt(text, i + 7))) continue
      const sign = skipBlanks(text, i + 7)
      return codeAt(text, sign) === 61 ? sign + 1 : -1
    }
  }
  return -1
}
