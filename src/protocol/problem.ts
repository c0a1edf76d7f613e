/** Problem bodies (RFC 9457) of the service's own endpoints. Ingress routes answer in their vendor's format instead. */
import { errorEntry, errorMessage, retryHeaders, type ErrorCode } from './error-catalogue.ts'

export const problemContentType = 'application/problem+json'

/** One place in a request and what is wrong with it. */
export interface Fault<Code extends string = ErrorCode> {
  /** JSON pointer (RFC 6901); empty for the whole body. */
  readonly path: string
  /** A code of the catalogue, or of whatever validated the body, such as the lint of a policy. */
  readonly code: Code
  /** A full sentence that never holds the client's text. */
  readonly message: string
}

/** The body of a refusal. */
interface Problem {
  /** `about:blank`: the code says what the status does not, so there is no page for each type. */
  readonly type: 'about:blank'
  /** The standard phrase of the status, as RFC 9457 demands with `about:blank`. */
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly requestId: string
  readonly retryable: boolean
  readonly errors?: readonly Fault<string>[]
}

interface ProblemOptions {
  readonly requestId: string
  readonly errors?: readonly Fault<string>[]
  /** Values for the places of the catalogue's sentence. */
  readonly details?: Readonly<Record<string, string | number>>
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  508: 'Loop Detected'
}

/** Most places that one answer lists; for a body with more faults, a longer list would not help. */
const errorsMax = 20

/** A refusal in HTTP terms: status, headers (content type and retry advice) and body. */
export function problem(code: ErrorCode, options: ProblemOptions) {
  const { status, retryable } = errorEntry(code)
  const body: Problem = {
    type: 'about:blank',
    title: titles[status] as string,
    status,
    detail: errorMessage(code, { requestId: options.requestId, ...options.details }),
    code,
    requestId: options.requestId,
    retryable,
    ...(options.errors ? { errors: options.errors.slice(0, errorsMax) } : {})
  }
  return { status, headers: { 'content-type': problemContentType, ...retryHeaders(code) }, body }
}
