/** What an operator can do about a database that cannot be opened, as a sentence that follows the error. */
import { StoreError } from '../store.ts'

const fullDisk = ' Make room on the disk.'

/** By SQLite's extended code, or by the primary one (`SQLITE_FULL`, ...), which is its lowest byte. */
const databaseHints: Readonly<Record<number, string>> = {
  1: ' Its tables are not as this version knows them. Start the version that wrote it, or put a backup in its place.',
  11: ' The file is damaged: put a backup in its place.',
  13: fullDisk,
  26: ' Something else stands in the file: put a backup in its place, or move it away to begin anew.',
  // SQLITE_IOERR_SHMSIZE: there is no room for the file that readers and the writer share.
  4874: fullDisk
}

/** @param message of a StoreError, which names SQLite's code if there is one */
function databaseHint(message: string): string {
  const code = Number(/SQLite error (\d{1,5}),/.exec(message)?.[1])
  return databaseHints[code] ?? databaseHints[code & 0xff] ?? ''
}

/** @returns the error to throw for one of opening the database; it names the file, which the operator has to examine */
export function openFault(path: string, error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  return new StoreError(
    error.code,
    `The database ${path} cannot be opened. ${error.message}${databaseHint(error.message)}`
  )
}
