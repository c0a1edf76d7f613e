/** Why a tool call was decided as it was, in words, by the sensor's reason code. */
import { formatName, formatWords } from './format.ts'

const words: Readonly<Record<string, string>> = {
  rule: 'a rule of the policy',
  default: 'the default effect; no rule matches',
  denied: 'a rule of the policy',
  unknown_server: 'the policy does not list its server',
  look_alike: 'its name looks like that of a tool with a stricter rule',
  ambiguous_arguments: 'its arguments can be read in two ways',
  definition_changed: 'its definition differs from the trusted one',
  definition_unknown: 'its definition is not known yet',
  tool_added: 'it was added after its server was trusted',
  stale_policy: 'the policy of the sensor was too old',
  no_policy: 'the sensor had no policy',
  sensitive_arguments: 'its arguments contain something that must not leave',
  arguments_too_large: 'its arguments are too large to scan',
  too_many_calls: 'there were too many calls',
  task_result: 'the result of a call that was allowed',
  server_answer: 'a resource, a prompt or another answer from a server',
  server_notice: 'a notification from a server',
  server_request: 'a request from a server to the user or a model',
  ask_pending: 'the user is being asked',
  ask_approved: 'the user approved it',
  ask_declined: 'the user declined it',
  ask_unsupported: 'the user should be asked, but the client cannot ask'
}

const observed = '_observed'

/** @param code of an event; unknown codes are formatted as words */
export function sayReason(code: string): string {
  const isObserved = code.endsWith(observed)
  const base = isObserved ? code.slice(0, -observed.length) : code
  const said = Object.hasOwn(words, base) ? words[base] : formatName(formatWords(base))
  return isObserved ? `${said} (observed only, it passed)` : `${said}`
}
