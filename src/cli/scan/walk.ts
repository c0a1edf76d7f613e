/** Finds the files to scan from command line arguments. */
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { createIgnoreRules, type IgnoreRules } from './ignore-rules.ts'
import { keyOf, pathsOfWords, pathWithin, type Path } from './paths.ts'

/** Folders that are skipped when found, but not when named. */
const skippedFolders = new Set(['.git', 'node_modules'])
/** Larger files are read as a stream. */
const wholeBytesMax = 32 * 1024 * 1024

/** Something to scan. */
export interface Source {
  /** The path for people. */
  readonly name: string
  /** Its bytes, read when requested. */
  bytes(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Which lines are to be reported; undefined if all are. */
  readonly isWanted?: (line: string) => boolean
}

/** A path that cannot be read. */
export interface Unreadable {
  readonly name: string
  readonly error: unknown
}

/**
 * The files that `words` name, those of folders ordered by name. Links are followed if they are named, but not if they
 * are found. Nothing is returned twice.
 */
export async function* walk(words: readonly string[], cwd: string): AsyncGenerator<Source | Unreadable, void, void> {
  const seen = new Set<string>()
  const own = createIgnoreRules(cwd)
  for (const [at, path] of pathsOfWords(words, cwd).entries()) {
    const word = words[at] as string
    if (word === '-') {
      yield { name: '<stdin>', bytes: () => process.stdin }
      continue
    }
    const { text } = path
    try {
      const isFolder = (await stat(path.raw)).isDirectory()
      const isInside = text === cwd || text.startsWith(cwd.endsWith(sep) ? cwd : cwd + sep)
      const rules = isInside ? own : createIgnoreRules(isFolder ? text : dirname(text))
      if (text !== cwd && rules.ignores(text, isFolder)) continue
      if (isFolder) yield* walkFolder(path, rules, seen, cwd)
      else if (!seen.has(keyOf(path))) {
        seen.add(keyOf(path))
        yield fileSource(path, typeof path.raw === 'string' ? word : shown(text, cwd))
      }
    } catch (error) {
      yield { name: word, error }
    }
  }
}

async function* walkFolder(
  folder: Path,
  rules: IgnoreRules,
  seen: Set<string>,
  cwd: string
): AsyncGenerator<Source | Unreadable, void, void> {
  let entries
  try {
    entries = await readdir(folder.raw, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    yield { name: shown(folder.text, cwd), error }
    return
  }
  const inside = entries.map((entry) => ({ entry, path: pathWithin(folder, entry.name) }))
  inside.sort((a, b) => (a.path.text < b.path.text ? -1 : 1))
  for (const { entry, path } of inside) {
    if (entry.isDirectory()) {
      const isSkipped = skippedFolders.has(entry.name.toString()) || rules.ignores(path.text, true)
      if (!isSkipped) yield* walkFolder(path, rules, seen, cwd)
    } else if (entry.isFile() && !seen.has(keyOf(path)) && !rules.ignores(path.text, false)) {
      seen.add(keyOf(path))
      yield fileSource(path, shown(path.text, cwd))
    }
  }
}

/** The path relative to the working directory, unless it is outside. */
export function shown(path: string, cwd: string): string {
  const from = relative(cwd, path)
  const isElsewhere = from === '..' || from.startsWith(`..${sep}`) || isAbsolute(from)
  return from === '' ? '.' : isElsewhere ? path : from
}

function fileSource(path: Path, name: string): Source {
  return { name, bytes: () => fileBytes(path.raw) }
}

async function* fileBytes(path: string | Buffer): AsyncGenerator<Uint8Array, void, void> {
  const stats = await stat(path)
  if (stats.isFile() && stats.size <= wholeBytesMax) yield await readFile(path)
  else yield* createReadStream(path, { highWaterMark: 1_048_576 })
}
