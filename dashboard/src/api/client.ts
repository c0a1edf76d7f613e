/** Requests to the service: typed answers, and every failure as an {@link ApiError}. */
import type { z } from 'zod'
import { csrfHeader, sessionBody, type SessionBody } from '../../../src/protocol/api/session-schema.ts'
import { ApiError, readProblem, unreachable } from './problem.ts'

type QueryValue = string | number | boolean | undefined | null

export interface RequestOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

interface Watch {
  /** Called when this page had a session but the service no longer accepts it. */
  onSignedOut(): void
}

let csrfToken: string | null = null
let userId: string | null = null
let watch: Watch | undefined

/** Stores the token for unsafe requests, and the user; nulls if nobody is signed in. */
export function setOwnSession(session: Pick<SessionBody, 'csrfToken' | 'user'>): void {
  csrfToken = session.csrfToken
  userId = session.user?.id ?? null
}

export function watchSession(by: Watch): void {
  watch = by
}

/** Makes the page ask who is signed in: a request that needs a session was refused. */
export const suspectSignOut = (): void => watch?.onSignedOut()

/** A URL with its query; parameters without a value are omitted. */
export function withQuery(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

export interface Answer<Body> {
  readonly body: Body
  readonly status: number
  readonly headers: Headers
}

/**
 * Sends a request and parses its answer.
 * @param schema of the answer; undefined for one without a body
 * @throws ApiError for every failure except cancellation
 */
export async function send<Schema extends z.ZodType>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  schema: Schema,
  options: RequestOptions & { readonly body?: unknown } = {}
): Promise<Answer<z.output<Schema>>> {
  let answer = await ask(method, path, options)
  let problem = answer.ok ? undefined : await readProblem(answer)
  // Another tab has signed in again since this page loaded. Nothing was done yet, so the request can be repeated.
  if (problem?.code === 'csrf_refused' && (await isStillSameUser(options.signal))) {
    answer = await ask(method, path, options)
    problem = answer.ok ? undefined : await readProblem(answer)
  }
  if (problem) {
    if (isAboutSession(problem)) watch?.onSignedOut()
    throw problem
  }
  const parsed = schema.safeParse(answer.status === 204 ? undefined : await readJson(answer))
  if (!parsed.success) throw unreadable(answer)
  return { body: parsed.data, status: answer.status, headers: answer.headers }
}

async function ask(
  method: string,
  path: string,
  { query, headers = {}, body, signal }: RequestOptions & { readonly body?: unknown }
): Promise<Response> {
  return await fetch(withQuery(path, query), {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' || csrfToken === null ? {} : { [csrfHeader]: csrfToken }),
      ...headers
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal ?? null
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw unreachable()
  })
}

/** Whether the browser's current session is this page's user; if so, its token is stored. */
async function isStillSameUser(signal: AbortSignal | undefined): Promise<boolean> {
  const session = await get('/api/session', sessionBody, { signal })
  if (session.user === null || session.user.id !== userId) return false
  setOwnSession(session)
  return true
}

/** A wrong password also gives a 401, and says nothing about the session. */
const isAboutSession = ({ status, code }: ApiError): boolean =>
  (status === 401 && code !== 'sign_in_refused') || code === 'csrf_refused'

async function readJson(answer: Response): Promise<unknown> {
  return await answer.json().catch(() => {
    throw unreadable(answer)
  })
}

/** An answer of another shape: most likely the page is older than the service. */
const unreadable = ({ status, headers }: Response): ApiError =>
  new ApiError(
    'The service sent an answer that this page does not understand. Reload the page to get its newest version.',
    {
      status,
      code: 'unreadable',
      requestId: headers.get('x-request-id') ?? undefined
    }
  )

/** @returns the body of the answer */
export async function get<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  options?: RequestOptions
): Promise<z.output<Schema>> {
  return (await send('GET', path, schema, options)).body
}
