/**
 * Infers the model provider of a call that does not name one. A hint for the record: the header
 * `x-service-model-provider` takes precedence, and nothing is decided by it.
 */
import { unknownLabel, type providers } from './vocabularies.ts'

type Provider = (typeof providers)[number]

/** Prefixes of public model names, in lower case. */
const families: readonly (readonly [pattern: RegExp, provider: Provider])[] = [
  [/^(?:openai\/)?(?:gpt-|chatgpt-|o[134](?:-|$)|text-embedding-|codex-)/, 'openai'],
  [/^(?:anthropic\/)?claude-/, 'anthropic'],
  [/^(?:google\/)?gem(?:ini|ma)-/, 'google'],
  [/^(?:mistralai\/)?(?:mistral|ministral|magistral|codestral|devstral|pixtral)-/, 'mistral'],
  [/^(?:x-ai\/)?grok-/, 'xai']
]

/** The provider suggested by a model name, or `unknown`. */
export function inferProvider(model: string | undefined): Provider {
  const start = (model ?? '').slice(0, 64).toLowerCase()
  return families.find(([pattern]) => pattern.test(start))?.[1] ?? unknownLabel
}
