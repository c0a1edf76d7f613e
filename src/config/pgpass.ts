/**
 * The PostgreSQL client's password file, read by the driver itself where no URL and no variable gives a password. The
 * service must know what it holds only to recognise it in a text.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from './reader.ts'
import { Secret } from './secret.ts'

/** A file of hundreds of databases is far smaller; anything longer is the wrong file. */
const fileBytesMax = 1_048_576
/** In front of the password: host, port, database and user. */
const fieldsBefore = 4

/**
 * The passwords in the file that `PGPASSFILE` names, or else in `~/.pgpass`. Which of them the driver takes is for the
 * driver to say: whoever reads the file has all of them. None if it cannot be read.
 */
export function pgpassSecrets(env: Environment): Secret[] {
  const path = env['PGPASSFILE'] || (env['HOME'] ? join(env['HOME'], '.pgpass') : undefined)
  if (path === undefined) return []
  try {
    const status = statSync(path)
    // What is written to a pipe can be read once, and that by the driver.
    if (!status.isFile() || status.size > fileBytesMax) return []
    return readFileSync(path, 'utf8')
      .split(/\r?\n/)
      .flatMap((line) => passwordIn(line) ?? [])
      .map((password) => new Secret(password))
  } catch {
    return []
  }
}

/** The last field of `host:port:database:user:password`, in which a backslash escapes itself and colons. */
function passwordIn(line: string): string | undefined {
  if (/^\s*#/.test(line)) return undefined
  let from = 0
  for (let field = 0; field < fieldsBefore; field++) {
    const colon = /(?<!\\):/g
    colon.lastIndex = from
    const at = colon.exec(line)?.index
    if (at === undefined) return undefined
    from = at + 1
  }
  return line.slice(from).replaceAll(/\\([:\\])/g, '$1') || undefined
}
