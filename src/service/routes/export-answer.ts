/** Exports as a stream: rows of any number, gathered into larger chunks, one page in memory at a time. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseHeaders } from '../../protocol/headers.ts'

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
 * Answers with a file. A failure in the middle ends the connection, so that half an answer is not taken for a whole.
 * @param fileName what a browser saves it as; of our own making
 */
export function sendExport<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  fileName: string,
  rows: AsyncIterable<Row>,
  format: ExportFormat<Row>
): FastifyReply {
  return reply
    .header(responseHeaders.requestId, request.id)
    .header('content-type', format.type)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(exportChunks(rows, format), { objectMode: false }))
}
