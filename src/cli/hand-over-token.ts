/** Shows a new token once: on a terminal, or else in a file that only its owner can read, so that no log keeps it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseToken } from '../protocol/token-format.ts'

export interface HandedOver {
  readonly sentence: string
  /** A shell expression that stands for the token on a command line. */
  readonly inShell: string
}

/**
 * Shows a token.
 * @param folder for the file, if standard error is not a terminal
 */
export async function handOverToken(
  token: string,
  folder: string,
  isTerminal = process.stderr.isTTY
): Promise<HandedOver> {
  if (isTerminal) return { sentence: `Workspace token, shown only this once: ${token}`, inShell: token }
  const parsed = parseToken(token)
  const path = join(folder, `token-${parsed.ok ? parsed.id : 'new'}`)
  await writeFile(path, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return {
    sentence: `The workspace token was written to ${path} (only its owner can read it).`,
    // A folder may have spaces in its name.
    inShell: `$(cat '${path.replaceAll("'", String.raw`'\''`)}')`
  }
}
