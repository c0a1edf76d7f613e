/**
 * Infers the client surface from the `User-Agent`: a hint for clients that can only set a base URL and a key. The
 * header `x-service-client-surface` takes precedence, and nothing is decided by it.
 */
import { unknownLabel, type surfaces } from './vocabularies.ts'

type Surface = (typeof surfaces)[number]

/**
 * Prefixes of `User-Agent` values in lower case, as the clients send them. Agents come before the SDKs on which they
 * are built.
 */
const beginnings: readonly (readonly [beginning: string, surface: Surface])[] = [
  ['claude-cli/', 'claude-code'],
  ['codex_', 'codex'],
  ['codex-', 'codex'],
  ['codex/', 'codex'],
  ['cursor/', 'cursor'],
  ['githubcopilot', 'github-copilot'],
  ['github-copilot', 'github-copilot'],
  ['copilot/', 'github-copilot'],
  ['geminicli', 'gemini-cli'],
  ['gemini-cli/', 'gemini-cli'],
  ['windsurf/', 'windsurf'],
  ['cline/', 'cline'],
  ['opencode/', 'opencode'],
  ['openai/', 'sdk'],
  ['asyncopenai/', 'sdk'],
  ['azureopenai/', 'sdk'],
  ['anthropic/', 'sdk'],
  ['asyncanthropic/', 'sdk'],
  ['ai/', 'sdk'],
  ['ai-sdk', 'sdk'],
  ['agents/', 'sdk'],
  ['langchain', 'sdk'],
  ['litellm/', 'sdk'],
  ['llama-index/', 'sdk'],
  ['pydantic-ai/', 'sdk']
]

/**
 * Another agent identifies itself as `claude-cli/0.24.4` in the messages dialect. Claude Code had no minor version
 * above 2 before 1.0, so such a value says nothing.
 */
const borrowedName = /^claude-cli\/0\.(?:[3-9]|[1-9][0-9])/

/** The surface suggested by a `User-Agent`, or `unknown`. Examines only the beginning, whatever the length. */
export function inferSurface(userAgent: string | undefined): Surface {
  const start = (userAgent ?? '').slice(0, 32).trimStart().toLowerCase()
  if (borrowedName.test(start)) return unknownLabel
  return beginnings.find(([beginning]) => start.startsWith(beginning))?.[1] ?? unknownLabel
}
