/**
 * Converts errors of PostgreSQL and its driver to errors of the store. Their own messages quote values and are dropped.
 */
import { certificateRemedy, connectionFault, isCertificateFault } from '../../protocol/connection-fault.ts'
import { StoreError, type StoreErrorCode } from '../store.ts'

/** A row of a day without a partition: it was dropped in the meantime, or is being dropped. */
export const missingDay = 'The records of this day cannot be written at the moment.'

/**
 * SQLSTATE codes, https://www.postgresql.org/docs/current/errcodes-appendix.html: full codes, then classes of two
 * characters. Anything in neither table is `unavailable`.
 */
const codes: Readonly<Record<string, readonly [StoreErrorCode, string]>> = {
  '23502': ['invalid', 'The record lacks a field.'],
  '23503': ['unknown_workspace', 'The record belongs to a workspace that does not exist.'],
  '23505': ['conflict', 'A record with this key exists.'],
  '23514': ['unavailable', missingDay],
  '25006': ['unavailable', 'The database can only be read; DATABASE_URL may name a standby.'],
  '28000': ['unavailable', 'The database refuses the user or the password of DATABASE_URL.'],
  '28P01': ['unavailable', 'The database refuses the user or the password of DATABASE_URL.'],
  '3D000': ['unavailable', 'The database that DATABASE_URL names does not exist on its server.'],
  '42501': ['unavailable', 'The user of DATABASE_URL lacks a privilege in the database.'],
  '53100': ['unavailable', 'The disk of the database is full.'],
  '53300': ['unavailable', 'The database has no connection left.'],
  '54000': ['invalid', 'The record is too large for the store.'],
  '57014': ['unavailable', 'The database took too long.']
}
const classes: Readonly<Record<string, readonly [StoreErrorCode, string]>> = {
  '08': ['unavailable', 'The connection to the database was lost.'],
  '22': ['invalid', 'The store cannot hold a value of this record.'],
  '23': ['invalid', 'The store cannot hold a value of this record.'],
  '53': ['unavailable', 'The database lacks resources.'],
  '57': ['unavailable', 'The database is starting, stopping or was stopped.']
}

/** How to make Sluice trust the authority of the database's certificate. */
const trust = 'sslrootcert in DATABASE_URL names the file with the certificate of its authority'

/** PostgreSQL's codes have five characters. */
const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code)

/**
 * @param error thrown by a call of the driver
 * @returns a StoreError with a fixed sentence; our own RangeError or StoreError unchanged
 */
export function postgresFault(error: unknown): StoreError | RangeError {
  if (error instanceof StoreError || error instanceof RangeError) return error
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return new StoreError('unavailable', 'The connection to the database was lost.')
  const known = codes[code] ?? (isSqlState(code) ? classes[code.slice(0, 2)] : undefined)
  if (known) return new StoreError(...known)
  if (isSqlState(code)) return new StoreError('unavailable', `The database failed with SQLSTATE ${code}.`)
  const fault = connectionFault(error)
  if (isCertificateFault(fault))
    return new StoreError(
      'unavailable',
      `The certificate of the database is not trusted (${fault}): ${certificateRemedy(fault, trust)}.`
    )
  const reason = fault === undefined ? '' : ` (${fault})`
  return new StoreError('unavailable', `The database cannot be reached${reason}.`)
}

/** Runs a call of the driver and converts its errors to the store's. */
export async function withFaults<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw postgresFault(error)
  }
}
