/** A call that ends with an answer of our own: thrown by any step of the hot path, written in one place. */
import { BodyError } from '../../dialects/dialect.ts'
import { errorEntry, errorMessage, isErrorCode, type ErrorCode } from '../../protocol/error-catalogue.ts'
import type { Fault } from '../../protocol/problem.ts'

export interface RefusedDetails {
  /** Values for the catalogue's sentence: numbers, names from our own tables, places. */
  readonly fill?: Readonly<Record<string, string | number>>
  /** A more specific sentence than the catalogue's. Holds no text of the client's. */
  readonly sentence?: string
  /** What to do, if the catalogue's remedy is too general. */
  readonly remedy?: string
  /** Additional headers of the answer. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** An upstream's status, which takes the place of the catalogue's; when to retry is then up to `headers` alone. */
  readonly status?: number
  /** The faulty places, for endpoints that answer with problems. */
  readonly faults?: readonly Fault<string>[]
}

export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: ErrorCode
  readonly details: RefusedDetails

  constructor(code: ErrorCode, details: RefusedDetails = {}) {
    super(code)
    this.code = code
    this.details = details
  }

  /** What went wrong, the remedy, and the request ID: clients often show only this text. */
  sentence(requestId: string): string {
    const message = this.details.sentence ?? errorMessage(this.code, { requestId, ...this.details.fill })
    if (message.includes(requestId)) return message
    const remedy = this.details.remedy ?? errorEntry(this.code).remedy.replaceAll('`', '')
    return `${message} ${remedy} Request ID ${requestId}.`
  }
}

/** Why a process that stops ends a call that takes too long. */
export const cutOff = (): Refused =>
  new Refused('draining', { sentence: 'The answer was cut off, because the service is stopping.' })

/** The client has gone; there is nobody left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/**
 * What an error of any step means for the client. An unforeseen one becomes an internal error that says nothing more.
 */
export function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error
  if (error instanceof BodyError && isErrorCode(error.code)) {
    const isNamed = error.pointer === '' || error.message.includes(error.pointer)
    const sentence = isNamed ? error.message : `${error.message.replace(/\.$/, '')} (at ${error.pointer}).`
    return new Refused(error.code, { sentence })
  }
  return new Refused('internal_error')
}
