/**
 * Guesses the client surface from the `User-Agent`. It is a hint for clients that can set nothing but a base address
 * and a key; the header `x-service-client-surface` wins over it, and nothing is decided by it.
 */
import { unknownLabel, type surfaces } from './vocabularies.ts'

type Surface = (typeof surfaces)[number]

/**
 * Beginnings of `User-Agent` values in lower case, as the clients send them. Agents stand before the SDKs that they
 * are built with.
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
  ['langchain', 'sdk']
]

/**
 * Another agent calls itself `claude-cli/0.24.4` when it speaks the messages dialect. Claude Code has had no minor
 * version above 2 before 1.0, so such a value says nothing.
 */
const borrowedName = /^claude-cli\/0\.(?:[3-9]|[1-9][0-9])/

/** The surface that a `User-Agent` speaks of, or `unknown`. Looks at the beginning alone, so its length is no matter. */
export function inferSurface(userAgent: string | undefined): Surface {
  const start = (userAgent ?? '').slice(0, 32).trimStart().toLowerCase()
  if (borrowedName.test(start)) return unknownLabel
  return beginnings.find(([beginning]) => start.startsWith(beginning))?.[1] ?? unknownLabel
}
