/** The sentences about a decision, for a model or a person. None of them holds a value of the arguments. */
import type { GatePolicy } from './gate-policy.ts'
import type { Verdict } from './judge-call.ts'
import { printable, shownArguments } from './shown-arguments.ts'

/** Only names of this form are repeated; others could be text in themselves. */
const speakable = /^[\w.:@/-]{1,80}$/

/** The subject of a sentence about a tool; with its name only if that could not be a sentence of its own. */
export function toolPhrase(tool: string, serverId: string): string {
  const name = speakable.test(tool) ? `The tool "${tool}"` : 'This tool'
  return serverId === 'unknown' ? name : `${name} of server "${serverId}"`
}

/** A refusal by policy. */
export function refusalSentence(
  policy: GatePolicy,
  what: string,
  { ruleId, reason }: Verdict,
  requestId: string
): string {
  const rule = ruleId === undefined ? '' : ` by the rule "${ruleId}"`
  return joined([`${what} was not called: the policy of the workspace forbids it${rule}.`, reason], policy, requestId)
}

/** A refusal for lack of consent. */
export function consentSentence(
  policy: GatePolicy,
  what: string,
  why: 'declined' | 'unsupported',
  requestId: string
): string {
  const because =
    why === 'declined'
      ? 'the policy of the workspace asks the user first, and the user did not consent'
      : 'the policy of the workspace asks the user first, and this client cannot ask'
  return joined([`${what} was not called: ${because}.`], policy, requestId)
}

/** Our sentences, the policy's own addition, and the id of the request in the audit trail. */
export function joined(
  sentences: readonly (string | undefined)[],
  policy: GatePolicy | undefined,
  requestId: string
): string {
  const more = policy?.document.refusal.message
  return [...sentences, more, `Request ${requestId}.`].filter((one) => one !== undefined).join(' ')
}

/** The question for a person. Arguments are shown in the form in which they would be sent: masked. */
export function question({
  tool,
  serverId,
  reason,
  args
}: {
  readonly tool: string
  readonly serverId: string
  readonly reason: string | undefined
  readonly args: string
}): string {
  const shown = shownArguments(args)
  const server = serverId === 'unknown' ? 'a server that the policy does not list' : `server "${serverId}"`
  return [
    `The policy of your workspace asks before this call. Tool "${printable(tool).slice(0, 200)}" of ${server}.`,
    ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    `Arguments${shown.isCut ? ', of which not all are shown' : ''}: ${shown.text === '' ? 'none' : shown.text}`,
    'Accept to let this call pass once.'
  ].join('\n')
}
