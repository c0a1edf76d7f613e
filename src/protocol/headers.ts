/**
 * Names of the headers that the service reads and writes, in lower case as Node hands them over, and how the values of
 * those that clients send are read.
 */
import { resolveLabel, type Vocabularies } from './vocabularies.ts'

/** What clients send. */
export const requestHeaders = {
  workspaceToken: 'x-service-workspace-token',
  clientSurface: 'x-service-client-surface',
  modelProvider: 'x-service-model-provider',
  modelId: 'x-service-model-id',
  requestId: 'x-request-id',
  /** What a sidecar found and did, on calls that it forwards; see `sidecar-header.ts`. */
  sidecar: 'x-service-sidecar',
  authorization: 'authorization',
  apiKey: 'x-api-key',
  apiKeyAlias: 'api-key',
  userAgent: 'user-agent',
  contentEncoding: 'content-encoding',
  contentType: 'content-type',
  ifMatch: 'if-match',
  idempotencyKey: 'idempotency-key',
  anthropicVersion: 'anthropic-version',
  anthropicBeta: 'anthropic-beta',
  anthropicUserProfile: 'anthropic-user-profile-id',
  openaiOrganization: 'openai-organization',
  openaiProject: 'openai-project',
  openaiBeta: 'openai-beta'
} as const

/** What the service answers with. */
export const responseHeaders = {
  /** Always ours, so that an answer and its audit row can be joined. */
  requestId: 'x-request-id',
  /** The upstream's own id where it sent one, else ours. */
  upstreamRequestId: 'request-id',
  action: 'x-service-action',
  entitiesMasked: 'x-service-entities-masked',
  riskTier: 'x-service-risk-tier',
  policyRevision: 'x-service-policy-revision',
  warnings: 'x-service-warnings',
  /** `false` tells the vendors' SDKs that the same request would be refused again. */
  shouldRetry: 'x-should-retry',
  retryAfter: 'retry-after'
} as const

/** Most characters of `x-service-model-id` and `modelId`. */
export const modelIdLengthMax = 80

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID of any version (RFC 9562), in either case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/**
 * Reads a request id.
 * @returns the UUID in lower case, or undefined for anything else; the caller then makes a fresh one
 */
export function parseRequestId(value: string | undefined): string | undefined {
  return value !== undefined && isUuid(value) ? value.toLowerCase() : undefined
}

export type ParsedModelId =
  | { readonly ok: true; readonly modelId?: string }
  | { readonly ok: false; readonly code: 'model_id_too_long' }

/** Reads `x-service-model-id`. An absent or empty one is fine; one of more than 80 characters is a fault. */
export function parseModelId(value: string | undefined): ParsedModelId {
  if (value === undefined || value === '') return { ok: true }
  return isModelIdTooLong(value) ? { ok: false, code: 'model_id_too_long' } : { ok: true, modelId: value }
}

/** Counts characters, not UTF-16 units, and counts no more of them than it must. */
export function isModelIdTooLong(value: string): boolean {
  if (value.length <= modelIdLengthMax) return false
  return value.length > 2 * modelIdLengthMax || [...value].length > modelIdLengthMax
}

/** Labels of a request as its headers state them; `unknown` where they do not. */
export interface RequestLabels {
  readonly clientSurface: string
  readonly modelProvider: string
  /** Full sentences for `x-service-warnings`. */
  readonly warnings: readonly string[]
}

/**
 * Reads the label headers.
 * @param header gives a header's value by its lower-case name
 */
export function parseLabels(header: (name: string) => string | undefined, vocabularies: Vocabularies): RequestLabels {
  const surface = resolve(requestHeaders.clientSurface, vocabularies.surfaces)
  const provider = resolve(requestHeaders.modelProvider, vocabularies.providers)
  return {
    clientSurface: surface.label,
    modelProvider: provider.label,
    warnings: [surface.warning, provider.warning].filter((warning) => warning !== undefined)
  }

  function resolve(name: string, vocabulary: ReadonlySet<string>) {
    return resolveLabel(header(name), vocabulary, name)
  }
}
