/** The model APIs that are served: the one table of routes. */
import type { DialectName } from '../dialects/dialect.ts'

/** Which of the two upstreams a call goes to. */
export type UpstreamName = 'chat' | 'messages'

export interface RouteEntry {
  readonly method: 'POST' | 'GET'
  /** The form of the body, and of our errors where there is none. */
  readonly dialect: DialectName
  readonly upstream: UpstreamName
  /** Whether its answer is a text of the model. */
  readonly answersText?: boolean
}

/** By the canonical path below the ingress base, as events and audit rows name it. */
export const ingressRoutes = {
  '/v1/chat/completions': { method: 'POST', dialect: 'chat-completions', upstream: 'chat', answersText: true },
  '/v1/responses': { method: 'POST', dialect: 'responses', upstream: 'chat', answersText: true },
  '/v1/responses/compact': { method: 'POST', dialect: 'responses', upstream: 'chat' },
  '/v1/embeddings': { method: 'POST', dialect: 'embeddings', upstream: 'chat' },
  '/v1/messages': { method: 'POST', dialect: 'messages', upstream: 'messages', answersText: true },
  // Masked as the call it counts for is masked, so that the count is the count of what will be sent.
  '/v1/messages/count_tokens': { method: 'POST', dialect: 'messages', upstream: 'messages' }
} as const satisfies Readonly<Record<string, RouteEntry>>

/** A path that both vendors have; a header of the one tells which is meant. */
export const modelRoutes = {
  chat: { method: 'GET', dialect: 'chat-completions', upstream: 'chat' },
  messages: { method: 'GET', dialect: 'messages', upstream: 'messages' }
} as const satisfies Readonly<Record<UpstreamName, RouteEntry>>

export const modelsPath = '/v1/models'

export type RoutePath = keyof typeof ingressRoutes | typeof modelsPath
