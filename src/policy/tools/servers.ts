/** Identifies which of the listed servers a sensor talks to. */
import { compileGlob, type Glob } from '../glob.ts'
import type { ToolServer } from './policy.ts'

/** What a sensor itself knows about a server: where it connects to, or what it starts. */
export interface ServerIdentity {
  readonly url?: string
  readonly command?: readonly string[]
}

/** The id of an unlisted server in rules. */
export const unknownServerId = 'unknown'

const anyFurtherWords = '**'

/** Makes the function that returns the id of a server. If several entries match, the first by id counts. */
export function compileServers(servers: readonly ToolServer[]): (identity: ServerIdentity) => string {
  const entries = servers
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, url, command }) => ({ id, address: url && addressOf(url), words: command?.map(compileGlob) }))
  return ({ url, command }) => {
    const address = url === undefined ? undefined : addressOf(url)
    const entry = entries.find(
      (one) =>
        (address !== undefined && one.address === address) ||
        (command !== undefined && one.words !== undefined && isCommand(one.words, command))
    )
    return entry?.id ?? unknownServerId
  }
}

function addressOf(url: string): string | undefined {
  const parsed = URL.parse(url)
  return parsed === null ? undefined : parsed.origin + parsed.pathname.replace(/(?<!\/)\/+$/, '')
}

/** A program is matched by its name alone if the entry names no folder. */
function isCommand(words: readonly Glob[], command: readonly string[]): boolean {
  const isOpen = words.at(-1)?.source === anyFurtherWords
  const fixed = isOpen ? words.slice(0, -1) : words
  if (isOpen ? command.length < fixed.length : command.length !== fixed.length) return false
  return fixed.every((glob, i) => {
    const word = command[i] as string
    return glob.matches(word) || (i === 0 && !glob.source.includes('/') && glob.matches(programName(word)))
  })
}

function programName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
