/**
 * The words that labels may take. A label must never break a model call: what lies outside a vocabulary is recorded as
 * `unknown` and answered with a warning. Configuration can add names.
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

/** Where a sensor sits: `platform`. Any other name of {@link platformPattern} is taken as well. */
export const platforms = ['ingress', 'sidecar', 'mcp-proxy', 'sdk'] as const

export const platformPattern = /^[a-z0-9._/-]{1,64}$/

/** What a label becomes that no vocabulary knows. */
export const unknownLabel = 'unknown'

/** The built-in vocabularies as sets, which is how the configuration hands them on with its additions. */
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

export interface ResolvedLabel {
  readonly label: string
  /** A full sentence that names the label's place and never its value. */
  readonly warning?: string
}

/**
 * Judges a label. An absent or empty one is `unknown` without a warning.
 * @param place what the label is called where it came from: a header's or a field's name
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
