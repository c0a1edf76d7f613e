/** Exports as a stream: rows of any number, gathered into larger chunks, one page in memory at a time. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { atLeisure } from '../../ingress/cooperative.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import { callerOf, type Access, type Caller } from '../access.ts'
import { createStreamPlaces, type StreamPlaces } from './stream-places.ts'

/** How the rows of an export are written. */
export interface ExportFormat<Row> {
  readonly type: string
  /** What stands before the first row. */
  readonly first: string
  line(row: Row): string
}

/** Media types of the forms that every export has. */
export const exportTypes = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present'
} as const

const chunkLength = 65_536

/** Rows that an export takes out of the store at a stretch: about what fills a chunk. */
export const exportPageRows = 250

/** Exports that one process writes at a time for a kind of record, and that one token may have. */
const exportsMax = 20
const exportsPerTokenMax = 4
/** A client that takes nothing for this long is let go. */
const stallTimeoutMs = 60_000

/** The bound of one kind of export: each holds a page of rows, and asks the store for the next. */
export const createExportPlaces = (): StreamPlaces => createStreamPlaces(exportsMax, exportsPerTokenMax)

/** The rows as text. A failure in the middle of them is thrown after what came before it. */
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
 * @param mayGoOn asked before each chunk; rejects where nothing more may be told
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

export interface ExportFile<Row> {
  /** What a browser saves it as; of our own making. */
  readonly name: string
  readonly rows: AsyncIterable<Row>
  readonly format: ExportFormat<Row>
}

export interface ExportDependencies {
  readonly access: Access
  readonly places: StreamPlaces
}

/**
 * Answers with a file. A failure in the middle ends the connection, so that half an answer is not taken for a whole.
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
  raw.once('close', places.take(key))
  // A client that reads slowly could go on for hours after its token was revoked, or its user shut out.
  const mayGoOn = () => callerOf(access, request)
  const chunks = watched(exportChunks(rows, format), mayGoOn, () => raw.destroy())
  return reply
    .header(responseHeaders.requestId, request.id)
    .header('content-type', format.type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(chunks, { objectMode: false }))
}
