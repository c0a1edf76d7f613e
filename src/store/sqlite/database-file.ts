/** Where the database is, for commands that only look for it: they load no engine. */
import { join, resolve } from 'node:path'

/** The database of a data directory. SQLite keeps two more files beside it, with the same name and a suffix. */
export const databaseFile = (dataDir: string): string => join(resolve(dataDir), 'sluice.db')
