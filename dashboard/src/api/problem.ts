/** Errors of requests, in words that people can act on. */
import { z } from 'zod'

const problemSchema = z.looseObject({
  detail: z.string(),
  code: z.string(),
  requestId: z.string().optional(),
  retryable: z.boolean().optional(),
  errors: z.array(z.looseObject({ path: z.string(), code: z.string(), message: z.string() })).optional()
})

export interface Fault {
  /** JSON pointer into the request; empty for the whole of it. */
  readonly path: string
  readonly code: string
  readonly message: string
}

/** A failed request. `message` is a full sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status; 0 if there was no answer. */
  readonly status: number
  /** Code of the service's catalogue, or `unreachable`, `unreadable`. */
  readonly code: string
  /** Identifies the request in logs and in the audit trail. */
  readonly requestId: string | undefined
  readonly retryable: boolean
  readonly faults: readonly Fault[]
  /** Headers of the answer, such as the `etag` of a conflict. */
  readonly headers: Headers | undefined

  constructor(
    message: string,
    about: {
      readonly status: number
      readonly code: string
      readonly requestId?: string | undefined
      readonly retryable?: boolean | undefined
      readonly faults?: readonly Fault[] | undefined
      readonly headers?: Headers
    }
  ) {
    super(message)
    this.status = about.status
    this.code = about.code
    this.requestId = about.requestId
    this.retryable = about.retryable ?? false
    this.faults = about.faults ?? []
    this.headers = about.headers
  }
}

/** There was no answer: a network fault, or a service that is down or starting. */
export const unreachable = (): ApiError =>
  new ApiError('The service does not respond. It may be restarting.', {
    status: 0,
    code: 'unreachable',
    retryable: true
  })

/**
 * The error in an answer. If its body is not a problem (a proxy's page, for example), it is described by its status.
 */
export async function readProblem(answer: Response): Promise<ApiError> {
  const { status, headers } = answer
  const requestId = headers.get('x-request-id') ?? undefined
  const parsed = problemSchema.safeParse(await answer.json().catch(() => undefined))
  if (!parsed.success) {
    const isAway = status === 502 || status === 503 || status === 504
    const message = isAway
      ? `The service cannot be reached at the moment (status ${status}).`
      : `The service answered with status ${status} and no explanation.`
    return new ApiError(message, { status, code: 'unreadable', requestId, retryable: isAway, headers })
  }
  const { detail, code, retryable, errors } = parsed.data
  return new ApiError(detail, {
    status,
    code,
    requestId: parsed.data.requestId ?? requestId,
    retryable,
    faults: errors,
    headers
  })
}
