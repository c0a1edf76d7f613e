/**
 * Names of the headers that the service reads and writes, in lower case as in Node, and how the values of client
 * headers are parsed.
 */
import { resolveLabel, type Vocabularies } from './vocabularies.ts'

/** Headers from clients. */
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

/** Headers of the service's answers. */
export const responseHeaders = {
  /** Always our own id, so that an answer can be matched with its audit row. */
  requestId: 'x-request-id',
  /** The upstream's id if it sent one, otherwise ours. */
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

/** Maximum length of `x-service-model-id` and `modelId`, in characters. */
export const modelIdLengthMax = 80

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID of any version (RFC 9562), in either case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/**
 * Parses a request ID.
 * @returns the UUID in lower case, or undefined for anything else; the caller then generates one
 */
export function parseRequestId(value: string | undefined): string | undefined {
  return value !== undefined && isUuid(value) ? value.toLowerCase() : undefined
}

type ParsedModelId =
  | { readonly ok: true; readonly modelId?: string }
  | { readonly ok: false; readonly code: 'model_id_too_long' }

/** Parses `x-service-model-id`. It may be absent or empty; more than 80 characters are a fault. */
export function parseModelId(value: string | undefined): ParsedModelId {
  if (value === undefined || value === '') return { ok: true }
  return isModelIdTooLong(value) ? { ok: false, code: 'model_id_too_long' } : { ok: true, modelId: value }
}

/** Counts characters, not UTF-16 code units, and no more of them than needed. */
export function isModelIdTooLong(value: string): boolean {
  if (value.length <= modelIdLengthMax) return false
  return value.length > 2 * modelIdLengthMax || [...value].length > modelIdLengthMax
}

/** Labels of a request from its headers; `unknown` if not stated. */
interface RequestLabels {
  readonly clientSurface: string
  readonly modelProvider: string
  /** Full sentences for `x-service-warnings`. */
  readonly warnings: readonly string[]
}

/**
 * Parses the label headers.
 * @param header returns the value of a header by its lower-case name
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
