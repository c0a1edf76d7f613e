/** Calls the lint and formats its findings for tests. */
import { lintPolicy, type LintContext } from './lint.ts'
import type { LintFinding } from './finding.ts'

export const now = Date.UTC(2026, 10, 22)
const surfaces = ['claude-code', 'cursor', 'unknown']
export const awsKey = ['AK', 'IA', 'QX5ZPL3M7RVT2KWD'].join('')

export const reportOf = (
  mcpToolPolicy: unknown,
  redactionProfile: unknown = { version: 1 },
  context: Partial<LintContext> = {}
) => lintPolicy({ mcpToolPolicy, redactionProfile }, { now, surfaces, ...context })
export const told = (findings: readonly LintFinding[]): string[] =>
  findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`)
export const ofTools = (policy: object, context: Partial<LintContext> = {}): string[] =>
  told(reportOf({ version: 1, ...policy }, undefined, context).findings)
export const ofProfile = (profile: object, context: Partial<LintContext> = {}): string[] =>
  told(reportOf({ version: 1 }, { version: 1, ...profile }, context).findings)
