/** Connections to PostgreSQL: the only file that imports the driver. */
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { postgresFault, withFaults } from './errors.ts'
import { areSessionsLent, beginWithin } from './sessions.ts'
import { StoreError } from '../store.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=...`. */
  readonly url: string
  /** Most connections open at once, at least {@link connectionsMin}. */
  readonly connectionsMax: number
  /** Set if a pooler lends the sessions; see sessions.ts. */
  readonly isLent?: boolean
}

/** One for appending, one for listening, and two for everything else, so that a transaction never waits for itself. */
export const connectionsMin = 4

const connectTimeoutMs = 5_000
/**
 * The server aborts a statement after this time, and the driver closes the connection if there is no answer a little
 * later.
 */
const statementTimeoutMs = 15_000
const answerTimeoutMs = statementTimeoutMs + 5_000
/**
 * A transaction locks its workspaces. If it gets no more statements because its process was suspended or its machine is
 * gone, it must not block the others for long.
 */
const idleInTransactionMs = 10_000
const farewellMs = 1_000
/**
 * Sent first on each connection. A transaction that has waited for a lock relies on reading what its holder wrote; at a
 * stricter level, which may be the default of a server, a database or a role, it would fail instead.
 */
const setIsolation = "set default_transaction_isolation to 'read committed'"
/** Maximum lifetime of a pooled connection, so that all of them find a server after a failover. */
const lifetimeSecondsMax = 600
/** Most callers that wait for a connection. */
const waitersMax = 1000

const types = {
  // Every integer in the database was a JavaScript number once, so it can be converted back.
  getTypeParser: ((oid: typeof pg.types.builtins.INT8, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
}

function tlsOf(url: URL): pg.ClientConfig['ssl'] {
  const mode = url.searchParams.get('sslmode')
  if (mode === null || mode === 'disable') return false
  const fileOf = (name: string) => {
    const path = url.searchParams.get(name)
    if (path === null) return undefined
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
      throw new StoreError('unavailable', `The file that ${name} of DATABASE_URL names cannot be read (${code}).`)
    }
  }
  const files = { ca: fileOf('sslrootcert'), cert: fileOf('sslcert'), key: fileOf('sslkey') }
  return {
    rejectUnauthorized: mode !== 'no-verify',
    ...Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined))
  }
}

/** Parameters of the URL that are handled here. The driver would interpret some differently, with a warning. */
const ownParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/** A pooler refuses the limits as parameters of a session. */
const limitsOfSession = {
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionMs
}
const beginLent = beginWithin({ statementMs: statementTimeoutMs, idleInTransactionMs })

/** A statement as it is sent on a session of our own, or on one that is lent. */
const textFor = (text: string, isLent = false): string => (isLent && text === 'begin' ? beginLent : text)

function clientConfig({ url, isLent = false }: PostgresOptions): pg.ClientConfig {
  const parsed = new URL(url)
  const ssl = tlsOf(parsed)
  for (const name of ownParameters) parsed.searchParams.delete(name)
  return {
    connectionString: parsed.href,
    ssl,
    types,
    application_name: 'sluice',
    connectionTimeoutMillis: connectTimeoutMs,
    ...(isLent ? {} : limitsOfSession),
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000
  }
}

/** The result of a statement. */
export interface Answer<Row> {
  readonly rows: Row[]
}

/** A dedicated connection, which its owner opens, uses and ends. */
export interface Connection {
  /** @throws StoreError */
  query<Row extends object>(statement: Statement): Promise<Answer<Row>>
  /** Called once, when the connection is lost or ended. */
  onEnd(listener: () => void): void
  onNotification(listener: () => void): void
  end(): Promise<void>
}

export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
  /** The name under which a session of our own caches the plan; statements with the same name have the same text. */
  readonly name?: string
}

/**
 * Opens a connection. Statements are sent at once, without waiting for the previous answer (pipeline mode), and
 * answered in order.
 * @param patienceMs timeout of connecting and of each answer, if different from the default
 * @throws StoreError `unavailable`
 */
export async function connect(options: PostgresOptions, patienceMs?: number): Promise<Connection> {
  const times = patienceMs === undefined ? {} : { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs }
  const socket = new Socket()
  const client = new pg.Client({ ...clientConfig(options), ...times, pipeline: true, stream: () => socket })
  // Without a listener, an error between two statements would end the process; 'end' follows it.
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  await withFaults(async () => {
    await client.connect()
    if (!options.isLent) await client.query(setIsolation)
  })
  return {
    query({ text, values = [], name }) {
      const named = name === undefined || options.isLent ? {} : { name }
      return withFaults(() => client.query({ text: textFor(text, options.isLent), values: [...values], ...named }))
    },
    onEnd: (listener) => void ended.then(listener),
    onNotification: (listener) => client.on('notification', listener),
    async end() {
      // A peer that is gone would never answer the termination message.
      const timer = setTimeout(() => socket.destroy(), farewellMs)
      await client.end().catch(() => {})
      clearTimeout(timer)
    }
  }
}

/**
 * Finds out whose sessions they are.
 * @throws StoreError `unavailable`
 */
export async function withSessions(options: PostgresOptions): Promise<PostgresOptions> {
  return { ...options, isLent: await areSessionsLent(clientConfig({ ...options, isLent: true })) }
}

/**
 * A pool with the interface that Kysely's dialect expects, which throws the store's errors.
 * @param limits.hasNoTimeouts for work that may wait long, such as for another process's lock
 */
export function openPool(options: PostgresOptions, limits: { readonly max: number; readonly hasNoTimeouts?: boolean }) {
  const times = limits.hasNoTimeouts
    ? { statement_timeout: 0, query_timeout: 0, idle_in_transaction_session_timeout: 0 }
    : {}
  const pool = new pg.Pool({
    ...clientConfig(options),
    ...times,
    max: limits.max,
    maxLifetimeSeconds: lifetimeSecondsMax,
    ...(options.isLent ? {} : { verify: (client, done) => client.query(setIsolation, done) })
  })
  const isLimited = options.isLent && !limits.hasNoTimeouts
  // Without listeners, an error of an idle connection would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    options: {},
    async connect(): Promise<PostgresPoolClient> {
      if (pool.waitingCount >= waitersMax) throw new StoreError('overloaded', 'Too many requests wait for the store.')
      const client = await withFaults(() => pool.connect())
      let isUsable = true
      const query = async (text: string, values: unknown[]) => {
        try {
          return await client.query(textFor(text, isLimited), values)
        } catch (error) {
          // Without the server's answer, the next statement on this connection would wait behind the lost one.
          isUsable &&= error instanceof pg.DatabaseError
          throw postgresFault(error)
        }
      }
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy || !isUsable)
      }
    },
    end: () => pool.end()
  }
}
