/**
 * A connection pooler that lends sessions of a real PostgreSQL for one transaction each, as PgBouncer before 1.21 does
 * in `transaction` mode, and never the same one twice in a row: whatever a client leaves in a session is lost to it, and
 * found by another. Message formats: https://www.postgresql.org/docs/current/protocol-message-formats.html.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'

interface TransactionPooler extends AsyncDisposable {
  /** @returns the URL of the same database behind the pooler */
  through(url: string): string
}

/** Parameters of a session that it passes over; PgBouncer refuses all others as well, unless it is configured. */
const acceptedParameters = new Set(['user', 'database', 'application_name', 'client_encoding'])
const sslRequest = 80_877_103

interface Session {
  readonly socket: Socket
  borrower: Client | undefined
}

interface Client {
  readonly socket: Socket
  session: Session | undefined
  /** Messages that wait for a session. */
  waiting: Buffer[]
  /** Queries and syncs without their `ReadyForQuery`. */
  unanswered: number
}

const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const refusal = (text: string): Buffer => message('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`))

/** Calls `each` with every complete message; those after the first of a client have a type before their length. */
function framing(headBytes: () => 0 | 1, each: (frame: Buffer) => void): (chunk: Buffer) => void {
  let held = Buffer.alloc(0)
  return (chunk) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const head = headBytes()
      const length = held.length < head + 4 ? Infinity : head + held.readUInt32BE(head)
      if (held.length < length) return
      const frame = held.subarray(0, length)
      held = held.subarray(length)
      each(frame)
    }
  }
}

/** @param sessionsMax most sessions that are open on each database */
export async function startTransactionPooler(serverUrl: string, sessionsMax = 4): Promise<TransactionPooler> {
  const pools = new Map<string, ReturnType<typeof openPool>>()
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    serve(socket, (database) => {
      const pool = pools.get(database) ?? openPool(at(serverUrl, database), sessionsMax)
      pools.set(database, pool)
      return pool
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    through(url) {
      const through = new URL(url)
      through.host = `127.0.0.1:${port}`
      return through.href
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      for (const pool of pools.values()) pool.close()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

function at(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

function serve(socket: Socket, poolOf: (database: string) => ReturnType<typeof openPool>): void {
  let pool: ReturnType<typeof openPool> | undefined
  const client: Client = { socket, session: undefined, waiting: [], unanswered: 0 }
  function greet(frame: Buffer): void {
    if (frame.readUInt32BE(4) === sslRequest) return void socket.write('N')
    const parts = frame.subarray(8).toString().split('\0')
    const given = new Map(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : [])))
    const odd = [...given.keys()].find((name) => name !== '' && !acceptedParameters.has(name))
    if (odd !== undefined) return void socket.end(refusal(`unsupported startup parameter: ${odd}`))
    pool = poolOf(given.get('database') ?? '')
    socket.write(
      Buffer.concat([message('R', Buffer.alloc(4)), message('K', randomBytes(8)), message('Z', Buffer.from('I'))])
    )
  }
  socket.on(
    'data',
    framing(
      () => (pool ? 1 : 0),
      (frame) => {
        if (!pool) return greet(frame)
        const type = String.fromCharCode(frame[0] ?? 0)
        if (type === 'X') return void socket.end()
        if (type === 'Q' || type === 'S') client.unanswered++
        if (client.session) client.session.socket.write(frame)
        else {
          client.waiting.push(frame)
          if (client.waiting.length === 1) pool.lend(client)
        }
      }
    )
  )
  socket.on('close', () => pool?.leave(client))
}

/** The sessions of one database. The one that has been idle for longest is lent next. */
function openPool(url: string, sessionsMax: number) {
  const idle: Session[] = []
  const queue: Client[] = []
  const open = new Set<Socket>()
  let opening = 0

  async function make(): Promise<void> {
    const made = new pg.Client(url)
    made.on('error', () => {})
    await made.connect()
    opening--
    const { stream: socket } = (made as unknown as { connection: { stream: Socket } }).connection
    for (const event of ['data', 'end', 'close', 'error']) socket.removeAllListeners(event)
    const session: Session = { socket, borrower: undefined }
    open.add(socket)
    socket
      .on('error', () => {})
      .on('close', () => {
        open.delete(socket)
        if (idle.includes(session)) idle.splice(idle.indexOf(session), 1)
        session.borrower?.socket.destroy()
      })
    socket.on(
      'data',
      framing(
        () => 1,
        (frame) => passBack(session, frame)
      )
    )
    idle.push(session)
    serveQueue()
  }

  function passBack(session: Session, frame: Buffer): void {
    const { borrower } = session
    borrower?.socket.write(frame)
    if (!borrower || frame[0] !== 'Z'.charCodeAt(0)) return
    borrower.unanswered--
    if (borrower.unanswered > 0 || frame[5] !== 'I'.charCodeAt(0)) return
    borrower.session = undefined
    session.borrower = undefined
    idle.push(session)
    serveQueue()
  }

  function serveQueue(): void {
    while (queue.length > 0 && idle.length > 0) {
      const [client, session] = [queue.shift() as Client, idle.shift() as Session]
      client.session = session
      session.borrower = client
      session.socket.write(Buffer.concat(client.waiting.splice(0)))
    }
  }

  return {
    lend(client: Client): void {
      queue.push(client)
      if (open.size + opening >= sessionsMax) return serveQueue()
      opening++
      make().catch(() => client.socket.destroy())
    },
    /** A session in the middle of a transaction is of no use to others. */
    leave(client: Client): void {
      if (queue.includes(client)) queue.splice(queue.indexOf(client), 1)
      if (client.session) client.session.socket.destroy()
    },
    close(): void {
      for (const socket of open) socket.destroy()
    }
  }
}
