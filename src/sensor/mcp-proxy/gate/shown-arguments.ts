/**
 * The arguments of a call as a person is shown them who is asked for consent: on one line, and no longer than anybody
 * reads. Long strings are shortened first: the path behind the content of a file matters more than all of the content.
 * If that is not enough, every argument has an equal share of the room, so that none pushes another out of sight.
 */

const unitsMax = 1500
/** Shown of each string, with its quotes, if the whole is too long. */
const stringUnitsMax = 200
/** In less room than this, an argument shows little more than its name. */
const shareUnitsMin = 24
/** Longer arguments, with their strings shortened, are too long to be divided into shares. */
const dividedUnitsMax = 262_144
/** The arguments, objects among them, and their members and items in turn. */
const dividedDepthMax = 3
const constantText = /^-$/

interface ShownArguments {
  readonly text: string
  /** Whether something is left out, other than the rest of a string. */
  readonly isCut: boolean
}

/** @param args JSON, or nothing */
export function shownArguments(args: string): ShownArguments {
  const line = printable(args)
  // The engine keeps the last text that a pattern matched, and nothing of a call may outlive it.
  constantText.test('-')
  if (line.length <= unitsMax) return { text: line, isCut: false }
  const { text, read } = withShortStrings(line)
  if (read < line.length) return { text: cut(text, unitsMax, line.length - read), isCut: true }
  return { text: fitted(text, unitsMax, dividedDepthMax), isCut: text.length > unitsMax }
}

/** Without characters that could hide, reorder or forge lines of a question. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')

/** @returns as much as can be divided, and how many units of `json` that is */
function withShortStrings(json: string): { readonly text: string; readonly read: number } {
  let text = ''
  let read = 0
  while (read < json.length && text.length <= dividedUnitsMax) {
    const found = json.indexOf('"', read)
    const quote = found < 0 ? json.length : found
    const end = endOfString(json, quote)
    text += json.slice(read, quote) + shortString(json.slice(quote, end))
    read = end
  }
  return { text, read }
}

function shortString(literal: string): string {
  const hidden = literal.length - stringUnitsMax
  return hidden > 0 ? `${literal.slice(0, stringUnitsMax - 1).toWellFormed()}… (${hidden} more)"` : literal
}

const cut = (json: string, room: number, more = 0): string =>
  `${json.slice(0, room).toWellFormed()}… (${json.length - room + more} more)`

/** A value, with its name if it has one, in about so much room: an object or list in equal shares if they are not tiny. */
function fitted(json: string, room: number, depth: number): string {
  if (json.length <= room) return json
  const opening = depth === 0 ? -1 : openingOf(json)
  const parts = opening < 0 ? [] : partsOf(json, opening)
  // The name before the brackets may be long as well.
  const inside = room - opening - parts.length
  if (parts.length === 0 || parts.length * shareUnitsMin > inside) return cut(json, room)
  const share = fairShare(parts, inside)
  const shown = parts.map((part) => fitted(part, share, depth - 1)).join(',')
  return `${json.slice(0, opening + 1)}${shown}${json.trimEnd().slice(-1)}`
}

/** The most that one part may take so that all fit, when shorter ones leave what they do not need to the others. */
function fairShare(parts: readonly string[], room: number): number {
  let left = room
  let waiting = parts.length
  for (const { length } of parts.toSorted((a, b) => a.length - b.length)) {
    if (length * waiting > left) break
    left -= length
    waiting--
  }
  return waiting === 0 ? room : Math.floor(left / waiting)
}

/** Where the first object or list begins, or -1. */
function openingOf(json: string): number {
  for (let at = 0; at < json.length; at++) {
    const unit = json.charAt(at)
    if (unit === '{' || unit === '[') return at
    if (unit === '"') at = endOfString(json, at) - 1
  }
  return -1
}

/** The members or items of the object or list that begins at `opening`. */
function partsOf(json: string, opening: number): string[] {
  const parts: string[] = []
  let depth = 0
  let start = opening + 1
  for (let at = opening; at < json.length; at++) {
    const unit = json.charAt(at)
    if (unit === '"') at = endOfString(json, at) - 1
    else if (unit === '{' || unit === '[') depth++
    else if (unit === '}' || unit === ']') depth--
    if (depth > 1 || (depth === 1 && unit !== ',')) continue
    parts.push(json.slice(start, at))
    if (depth === 0) break
    start = at + 1
  }
  return parts
}

/** The position after the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  for (let from = start + 1; ;) {
    const quote = json.indexOf('"', from)
    if (quote < 0) return json.length
    let slashes = 0
    while (json.charAt(quote - 1 - slashes) === '\\') slashes++
    if (slashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}
