/**
 * File system paths. On Linux a name is arbitrary bytes. One that is not UTF-8 cannot be represented as text, so it is
 * passed as bytes, along with a text for people and for rules.
 */
import { readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

export interface Path {
  /** Absolute, for people. Bytes that are not UTF-8 are shown as `\xE9`. */
  readonly text: string
  /** What the file system accepts. */
  readonly raw: string | Buffer
}

/** What a text contains in place of bytes that are not UTF-8. */
const replacement = '\uFFFD'

/**
 * The paths in command line arguments, in order. Names that are not UTF-8 may all decode to the same argument, so each
 * argument takes the next bytes that decode to it.
 */
export function pathsOfWords(words: readonly string[], cwd: string): Path[] {
  const isGarbled = (word: string): boolean => word.includes(replacement)
  const given = words.some(isGarbled) ? wordsAsBytes() : []
  let next = 0
  return words.map((word): Path => {
    const at = isGarbled(word) ? given.findIndex((bytes, i) => i >= next && bytes.toString() === word) : -1
    if (at !== -1) next = at + 1
    const bytes = given[at]
    // A name may contain the replacement character itself.
    const isText = bytes === undefined || Buffer.from(word).equals(bytes)
    return isText ? { text: resolve(cwd, word), raw: resolve(cwd, word) } : pathOfBytes(bytes, cwd)
  })
}

function pathOfBytes(bytes: Buffer, cwd: string): Path {
  // One character per byte: dots and slashes are resolved, and every byte stays.
  const raw = resolve(Buffer.from(cwd).toString('latin1'), bytes.toString('latin1'))
  return { text: resolve(cwd, readable(bytes)), raw: Buffer.from(raw, 'latin1') }
}

/** The path of a name in a folder. */
export function pathWithin(folder: Path, name: Buffer): Path {
  const text = join(folder.text, readable(name))
  const isText = typeof folder.raw === 'string' && Buffer.from(name.toString()).equals(name)
  return { text, raw: isText ? text : Buffer.concat([Buffer.from(folder.raw), Buffer.from(sep), name]) }
}

/** The same for the same path, and for no other. */
export const keyOf = ({ raw }: Path): string => (typeof raw === 'string' ? raw : `\0${raw.toString('latin1')}`)

const utf8OrByte = /([\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3})|[\x80-\xFF]/g

function readable(bytes: Buffer): string {
  return bytes.toString('latin1').replace(utf8OrByte, (all: string, sequence: string | undefined) => {
    const text = sequence === undefined ? replacement : Buffer.from(sequence, 'latin1').toString()
    if (!text.includes(replacement)) return text
    return [...Buffer.from(all, 'latin1')].map((byte) => `\\x${byte.toString(16).toUpperCase()}`).join('')
  })
}

/** The runtime decodes arguments as UTF-8. Linux has the original bytes; elsewhere names are UTF-8 or UTF-16 anyway. */
function wordsAsBytes(): Buffer[] {
  const words: Buffer[] = []
  try {
    const all = readFileSync('/proc/self/cmdline')
    for (let from = 0, end = 0; from < all.length; from = end + 1) {
      end = all.indexOf(0, from)
      if (end === -1) end = all.length
      words.push(all.subarray(from, end))
    }
  } catch {
    // There is no such file.
  }
  return words
}
