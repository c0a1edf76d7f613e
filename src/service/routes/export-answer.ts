/** Exports as a stream: any number of rows, combined into larger chunks, with one page in memory at a time. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { atLeisure } from '../../ingress/cooperative.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import { callerOf, type Access, type Caller } from '../access.ts'
import { createStreamPlaces, type StreamPlaces } from './stream-places.ts'

/** How the rows of an export are written. */
export interface ExportFormat<Row> {
  readonly type: string
  /** Text before the first row. */
  readonly first: string
  line(row: Row): string
}

/** Media types of the formats that every export has. */
export const exportTypes = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present'
} as const

const chunkLength = 65_536

/** Rows read from the store at once: enough to fill a chunk. */
export const exportPageRows = 250

/** Exports that one process writes at a time for a type of record, and how many of them one token may have. */
const exportsMax = 20
const exportsPerTokenMax = 4
/** A client that reads nothing for this long is disconnected. */
const stallTimeoutMs = 60_000

/** The limit for one type of export: each holds a page of rows, and queries the store for the next. */
export const createExportPlaces = (): StreamPlaces => createStreamPlaces(exportsMax, exportsPerTokenMax)

/** The rows as text. An error in the middle is thrown after what preceded it. */
export async function* exportChunks<Row>(
  rows: AsyncIterable<Row>,
  format: Pick<ExportFormat<Row>, 'first' | 'line'>
): AsyncGenerator<string, void, void> {
  let chunk = format.first
  for await (const row of rows) {
    chunk += format.line(row)
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/**
 * @param mayGoOn called before each chunk; rejects if nothing more may be sent
 * @param onStall called when nobody asks for the next chunk
 */
async function* watched(
  chunks: AsyncIterable<string>,
  mayGoOn: () => Promise<unknown>,
  onStall: () => void
): AsyncGenerator<string, void, void> {
  await atLeisure()
  for await (const chunk of chunks) {
    await mayGoOn()
    const timer = setTimeout(onStall, stallTimeoutMs).unref()
    try {
      yield chunk
    } finally {
      clearTimeout(timer)
    }
    await atLeisure()
  }
}

interface ExportFile<Row> {
  /** The name of the file; chosen by us. */
  readonly name: string
  readonly rows: AsyncIterable<Row>
  readonly format: ExportFormat<Row>
}

interface ExportDependencies {
  readonly access: Access
  readonly places: StreamPlaces
}

/**
 * Answers with a file. An error in the middle ends the connection, so that half an answer is not taken for a whole one.
 * @throws Refused `too_many_streams`, `overloaded`
 */
export function sendExport<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, rows, format }: ExportFile<Row>,
  { key }: Pick<Caller, 'key'>,
  { access, places }: ExportDependencies
): FastifyReply {
  const { raw } = reply
  // The connection closed before anybody listened, and nothing would give the place back.
  if (raw.destroyed) return reply.hijack()
  raw.once('close', places.take(key))
  // A slow client could otherwise continue for hours after its token was revoked, or its user disabled.
  const mayGoOn = () => callerOf(access, request)
  const chunks = watched(exportChunks(rows, format), mayGoOn, () => raw.destroy())
  return reply
    .header(responseHeaders.requestId, request.id)
    .header('content-type', format.type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(chunks, { objectMode: false }))
}
