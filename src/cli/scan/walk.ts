/** From the words of the command line to the files to scan. */
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { createIgnoreRules, type IgnoreRules } from './ignore-rules.ts'

/** Folders that are passed over on the way, but not when they are named. */
const skippedFolders = new Set(['.git', 'node_modules'])
/** Larger files are read in a stream. */
const wholeBytesMax = 32 * 1024 * 1024

/** Something to scan. */
export interface Source {
  /** The path as people write it. */
  readonly name: string
  /** Its bytes, read when they are asked for. */
  bytes(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Which lines are of interest; undefined where all are. */
  readonly isWanted?: (line: string) => boolean
}

/** A path that cannot be looked into. */
export interface Unreadable {
  readonly name: string
  readonly error: unknown
}

/**
 * The files that `words` name, those of folders in order of name. Links are followed where they are named, and not on
 * the way. Nothing comes twice.
 */
export async function* walk(words: readonly string[], cwd: string): AsyncGenerator<Source | Unreadable, void, void> {
  const seen = new Set<string>()
  const own = createIgnoreRules(cwd)
  for (const word of words) {
    if (word === '-') {
      yield { name: '<stdin>', bytes: () => process.stdin }
      continue
    }
    const path = resolve(cwd, word)
    try {
      const isFolder = (await stat(path)).isDirectory()
      const isInside = path === cwd || path.startsWith(cwd.endsWith(sep) ? cwd : cwd + sep)
      const rules = isInside ? own : createIgnoreRules(isFolder ? path : dirname(path))
      if (path !== cwd && rules.ignores(path, isFolder)) continue
      if (isFolder) yield* walkFolder(path, rules, seen, cwd)
      else if (!seen.has(path)) {
        seen.add(path)
        yield fileSource(path, word)
      }
    } catch (error) {
      yield { name: word, error }
    }
  }
}

async function* walkFolder(
  folder: string,
  rules: IgnoreRules,
  seen: Set<string>,
  cwd: string
): AsyncGenerator<Source | Unreadable, void, void> {
  let entries
  try {
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    yield { name: shown(folder, cwd), error }
    return
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name) && !rules.ignores(path, true)) yield* walkFolder(path, rules, seen, cwd)
    } else if (entry.isFile() && !seen.has(path) && !rules.ignores(path, false)) {
      seen.add(path)
      yield fileSource(path, shown(path, cwd))
    }
  }
}

/** The path from where the command runs, unless it lies elsewhere. */
export function shown(path: string, cwd: string): string {
  const from = relative(cwd, path)
  const isElsewhere = from === '..' || from.startsWith(`..${sep}`) || isAbsolute(from)
  return from === '' ? '.' : isElsewhere ? path : from
}

function fileSource(path: string, name: string): Source {
  return { name, bytes: () => fileBytes(path) }
}

async function* fileBytes(path: string): AsyncGenerator<Uint8Array, void, void> {
  const stats = await stat(path)
  if (stats.isFile() && stats.size <= wholeBytesMax) yield await readFile(path)
  else yield* createReadStream(path, { highWaterMark: 1_048_576 })
}
