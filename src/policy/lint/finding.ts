/** The findings of a policy lint. */

/**
 * `error`: the policy cannot be published. `warning`: it can, but the author should know. `info`: worth knowing. An
 * error with code `self_lockout` becomes a warning once the author confirms it.
 */
export type Severity = 'error' | 'warning' | 'info'

export type LintCode =
  | 'allows_high_risk'
  | 'duplicate_id'
  | 'duplicate_value'
  | 'expired_rule'
  | 'failing_test'
  | 'invalid_pattern'
  | 'invalid_type'
  | 'invalid_value'
  | 'kind_exists'
  | 'lint_incomplete'
  | 'missing_key'
  | 'no_effect'
  | 'redundant_rule'
  | 'secret_in_document'
  | 'self_lockout'
  | 'slow_pattern'
  | 'softens'
  | 'too_deep'
  | 'too_large'
  | 'trusts_server'
  | 'unknown_key'
  | 'unknown_kind'
  | 'unknown_server'
  | 'unknown_version'
  | 'unmatched_glob'
  | 'unreachable_rule'
  | 'wide_allow'

export interface LintFinding {
  readonly severity: Severity
  /** JSON pointer into the object with both documents: `/mcpToolPolicy/rules/3/tool`. */
  readonly path: string
  readonly code: LintCode
  /** A full sentence that repeats no value of the document. */
  readonly message: string
}

const finding =
  (severity: Severity) =>
  (path: string, code: LintCode, message: string): LintFinding => ({ severity, path, code, message })

export const error = finding('error')
export const warning = finding('warning')
export const info = finding('info')
