/**
 * Whether the sessions of the server are our own, or lent by a pooler such as PgBouncer, which may give each
 * transaction another one. Nothing may then be left in a session, because the next transaction, and another program,
 * would find it or miss it: limits of time are set in each transaction, and statements have no names.
 */
import pg from 'pg'
import { StoreError } from '../store.ts'
import { withFaults } from './errors.ts'

/** Limits that the server keeps, in milliseconds. */
interface ServerLimits {
  readonly statementMs: number
  readonly idleInTransactionMs: number
}

/**
 * Begins a transaction on a session that has no limits of its own.
 * @returns two kinds of statement in one text, which the driver sends without parameters
 */
export const beginWithin = ({ statementMs, idleInTransactionMs }: ServerLimits): string =>
  `begin; set local statement_timeout = ${statementMs}; ` +
  `set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`

/**
 * Opens a session, sets nothing on it, and asks the server who it is talking to: a pooler invents the process number
 * that it gives its clients, since each of them may come to use several processes of the server.
 * @returns whether a pooler lends the sessions
 * @throws StoreError `unavailable`, also if they have an isolation level that cannot be changed for us alone
 */
export async function areSessionsLent(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    return await withFaults(async () => {
      await client.connect()
      const { rows } = await client.query<{ pid: number; isolation: string }>(
        `select pg_backend_pid() as pid, reset_val as isolation from pg_settings
          where name = 'default_transaction_isolation'`
      )
      const isLent = rows[0]?.pid !== processIdOf(client)
      if (isLent && rows[0]?.isolation !== 'read committed') throw isolationFault
      return isLent
    })
  } finally {
    await client.end().catch(() => {})
  }
}

/** As the server, or whoever answers in its place, said when the connection began; missing in the driver's types. */
const processIdOf = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID

const isolationFault = new StoreError(
  'unavailable',
  "It is reached through a connection pooler, and transactions begin at a level other than 'read committed'. " +
    "Set default_transaction_isolation to 'read committed' for the database and its user, or connect without the pooler."
)
