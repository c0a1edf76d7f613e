/** The table of the model API routes that are served. */
import type { DialectName } from '../dialects/dialect.ts'

/** Which of the two upstreams a call goes to. */
export type UpstreamName = 'chat' | 'messages'

export interface RouteEntry {
  readonly method: 'POST' | 'GET'
  /** The format of the body, and of our errors before a body is read. */
  readonly dialect: DialectName
  readonly upstream: UpstreamName
  /** Whether its answer is text of the model. */
  readonly answersText?: boolean
}

/** By canonical path below the ingress base, as in events and audit rows. */
export const ingressRoutes = {
  '/v1/chat/completions': { method: 'POST', dialect: 'chat-completions', upstream: 'chat', answersText: true },
  '/v1/responses': { method: 'POST', dialect: 'responses', upstream: 'chat', answersText: true },
  '/v1/responses/compact': { method: 'POST', dialect: 'responses', upstream: 'chat' },
  '/v1/embeddings': { method: 'POST', dialect: 'embeddings', upstream: 'chat' },
  '/v1/messages': { method: 'POST', dialect: 'messages', upstream: 'messages', answersText: true },
  // Masked like the call for which it counts, so that it counts the tokens of what will be sent.
  '/v1/messages/count_tokens': { method: 'POST', dialect: 'messages', upstream: 'messages' }
} as const satisfies Readonly<Record<string, RouteEntry>>

/** A path that both vendors have; a header of one of them tells which is meant. */
export const modelRoutes = {
  chat: { method: 'GET', dialect: 'chat-completions', upstream: 'chat' },
  messages: { method: 'GET', dialect: 'messages', upstream: 'messages' }
} as const satisfies Readonly<Record<UpstreamName, RouteEntry>>

export const modelsPath = '/v1/models'

export type RoutePath = keyof typeof ingressRoutes | typeof modelsPath
