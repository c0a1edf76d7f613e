/** Shows a new token once: on a terminal, or else in a file that only its owner can read, so that no log keeps it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionFault } from '../protocol/connection-fault.ts'
import { parseToken } from '../protocol/token-format.ts'

interface HandedOver {
  readonly sentence: string
  /** A shell expression that stands for the token on a command line. */
  readonly inShell: string
  /** False if the file could not be written; the sentence then says what to do. */
  readonly isShown: boolean
}

/**
 * Shows a token.
 * @param folder for the file, if standard error is not a terminal; created if it does not exist, as with a database server
 */
export async function handOverToken(token: string, folder: string): Promise<HandedOver> {
  if (process.stderr.isTTY)
    return { sentence: `Workspace token, shown only this once: ${token}`, inShell: token, isShown: true }
  const parsed = parseToken(token)
  const path = join(folder, `token-${parsed.ok ? parsed.id : 'new'}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(path, `${token}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    return { sentence: unwritten(path, connectionFault(error)), inShell: '<token>', isShown: false }
  }
  return {
    isShown: true,
    sentence: `The workspace token was written to ${path} (only its owner can read it).`,
    // A folder may have spaces in its name.
    inShell: `$(cat '${path.replaceAll("'", String.raw`'\''`)}')`
  }
}

const unwritten = (path: string, code = 'failed'): string =>
  `The workspace token could not be written to ${path} (${code}), so nobody can use it. Make another with "sluice token create", ` +
  'on a terminal or with --json, and revoke this one.'
