/**
 * The values of labels. A label must never break a model call: anything outside its vocabulary is recorded as `unknown`
 * and causes a warning. The configuration can add names.
 */

/** Client surfaces: `x-service-client-surface`, `clientSurface`. */
export const surfaces = [
  'claude-code',
  'codex',
  'cursor',
  'github-copilot',
  'gemini-cli',
  'windsurf',
  'cline',
  'opencode',
  'sdk',
  'extension',
  'unknown'
] as const

/** Model providers: `x-service-model-provider`, `modelProvider`. */
export const providers = ['openai', 'anthropic', 'google', 'mistral', 'xai', 'unknown'] as const

/** Sandbox tool servers: `downstreamServer`. */
export const sandboxes = ['e2b', 'daytona', 'modal', 'docker', 'runloop', 'mock', 'unknown'] as const

/** Where a sensor runs: `platform`. Any other name that matches {@link platformPattern} is accepted too. */
export const platforms = ['ingress', 'sidecar', 'mcp-proxy', 'sdk'] as const

export const platformPattern = /^[a-z0-9._/-]{1,64}$/

/** The value of a label that no vocabulary contains. */
export const unknownLabel = 'unknown'

/** The vocabularies as sets: the built-in names, plus those that the configuration adds. */
export interface Vocabularies {
  readonly surfaces: ReadonlySet<string>
  readonly providers: ReadonlySet<string>
  readonly sandboxes: ReadonlySet<string>
}

export const builtInVocabularies: Vocabularies = {
  surfaces: new Set(surfaces),
  providers: new Set(providers),
  sandboxes: new Set(sandboxes)
}

interface ResolvedLabel {
  readonly label: string
  /** A full sentence that names the label's place but never its value. */
  readonly warning?: string
}

/**
 * Resolves a label. An absent or empty one is `unknown` without a warning.
 * @param place the name of the header or field that it comes from
 */
export function resolveLabel(
  value: string | undefined,
  vocabulary: ReadonlySet<string>,
  place = 'The label'
): ResolvedLabel {
  if (value === undefined || value === '') return { label: unknownLabel }
  if (vocabulary.has(value)) return { label: value }
  return { label: unknownLabel, warning: `${place} is not in the vocabulary and is recorded as unknown.` }
}
