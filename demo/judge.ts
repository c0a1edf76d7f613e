/**
 * Compares what the client sent with what the upstream received, and reports for every promise whether it was kept. If
 * one was not, the demo fails.
 */
import { isDeepStrictEqual } from 'node:util'
import { readConversation, type Turn } from './conversation.ts'
import type { ReceivedCall } from './echo-upstream.ts'
import type { Outcome } from './send.ts'
import type { Step } from './steps.ts'
import type { Marked } from './terminal.ts'

export interface Check {
  readonly ok: boolean
  /** The promise, or if `ok` is false, what happened instead. */
  readonly says: string
}

/** One turn on both sides of the service. */
interface TurnPair {
  readonly role: string
  readonly sent: Marked
  readonly received: Marked
}

export interface Comparison {
  readonly pairs: readonly TurnPair[]
  /** Which placeholder stands for which value; the keys never leave the process. */
  readonly placeholders: ReadonlyMap<string, string>
  /** False if anything but a planted value has changed. */
  readonly restUnchanged: boolean
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Positions of the planted values in a text that a client sent. */
function findPlanted(text: string, planted: readonly string[]): [number, number][] {
  if (planted.length === 0) return []
  const pattern = new RegExp([...new Set(planted)].map(escapeRegExp).join('|'), 'g')
  return Array.from(text.matchAll(pattern), (match) => [match.index, match.index + match[0].length])
}

/**
 * Aligns a received text with the sent one: between the planted values everything must be equal, and in their place
 * there must be something else.
 * @returns the positions of the placeholders, or undefined if the texts do not match
 */
function fit(sent: Marked, received: string): [number, number][] | undefined {
  let pattern = ''
  let at = 0
  for (const [start, end] of sent.marks) {
    pattern += `${escapeRegExp(sent.text.slice(at, start))}([A-Z][A-Z0-9_]*)`
    at = end
  }
  const match = new RegExp(`^${pattern}${escapeRegExp(sent.text.slice(at))}$`, 'd').exec(received)
  return match?.indices?.slice(1).filter((place) => place !== undefined)
}

/** @param received the call as it arrived, or undefined if none did */
export function compare(step: Step, received: ReceivedCall | undefined): Comparison {
  const arrived: Turn[] = readConversation(received?.body)
  const placeholders = new Map<string, string>()
  let restUnchanged = true
  const pairs = readConversation(step.body).map((turn, i): TurnPair => {
    const sent = { text: turn.text, marks: findPlanted(turn.text, step.planted) }
    const text = arrived[i]?.text ?? ''
    const marks = fit(sent, text)
    if (marks === undefined) restUnchanged = false
    marks?.forEach(([start, end], m) => {
      const value = sent.text.slice(...(sent.marks[m] ?? [0, 0]))
      const placeholder = text.slice(start, end)
      if ((placeholders.get(value) ?? placeholder) !== placeholder) restUnchanged = false
      placeholders.set(value, placeholder)
    })
    return { role: turn.role, sent, received: { text, marks: marks ?? [] } }
  })
  return { pairs, placeholders, restUnchanged }
}

const check = (ok: boolean, promise: string, otherwise: string): Check => ({ ok, says: ok ? promise : otherwise })

function judgeRefusal(step: Step, outcome: Outcome, calls: number): Check[] {
  const refusal = outcome.refusal
  const told = step.planted.some((value) => refusal?.message.includes(value))
  return [
    check(
      refusal?.status === 403,
      `403, raised by the SDK as ${refusal?.errorClass}`,
      `status ${refusal?.status ?? 200} instead of 403`
    ),
    check(!told, 'the message does not repeat the value', 'the error message holds the value'),
    check(calls === 0, 'nothing was sent upstream', 'the call reached the upstream')
  ]
}

function judgeForwarding(step: Step, outcome: Outcome, received: ReceivedCall, compared: Comparison): Check[] {
  const leaked = step.planted.filter((value) => received.bytes.includes(value))
  const body = { ...step.body, stream: step.stream }
  const checks =
    step.planted.length === 0
      ? [
          check(
            isDeepStrictEqual(received.body, body),
            'the upstream received what was sent',
            'a clean body was changed'
          )
        ]
      : [
          check(
            leaked.length === 0,
            'no value reached the upstream',
            `${leaked.length} planted values reached the upstream`
          ),
          check(compared.restUnchanged, 'the rest is as it was sent', 'more than the values was changed')
        ]
  let echoed = compared.pairs.findLast((pair) => pair.role === 'user' || pair.role === 'tool')?.received.text ?? ''
  for (const value of step.restored ?? []) echoed = echoed.replaceAll(compared.placeholders.get(value) ?? value, value)
  const promise = step.restored
    ? 'the answer came back with the address, and without the token'
    : 'the answer came back whole'
  checks.push(check(outcome.answer === `You said: ${echoed}`, promise, 'the answer was changed on its way'))
  checks.push(
    check(outcome.inputTokens > 0 && outcome.outputTokens > 0, 'usage came back', 'the token counts are missing')
  )
  if (step.stream)
    checks.push(
      check(
        outcome.pieces > 1,
        `streamed in ${outcome.pieces} pieces over ${Math.round(outcome.piecesMs)} ms`,
        'the stream arrived in one piece'
      )
    )
  return checks
}

/** Checks the credentials at the upstream: its own key and never the workspace token. */
function judgeCredentials(received: ReceivedCall, token: string, upstreamKey: string): Check[] {
  const headers = Object.values(received.headers).flat().join('\n')
  const ok = headers.includes(upstreamKey) && !headers.includes(token) && !received.bytes.includes(token)
  return [check(ok, 'credentials were exchanged', 'the workspace token reached the upstream, or its own key did not')]
}

/**
 * @param calls the calls that arrived during this step
 * @param secrets the workspace token and the key that the upstream is to get instead
 */
export function judge(
  step: Step,
  outcome: Outcome,
  calls: readonly ReceivedCall[],
  compared: Comparison,
  secrets: { readonly token: string; readonly upstreamKey: string }
): Check[] {
  const masked = step.action === 'mask' ? step.planted.length : 0
  const checks = [
    check(
      outcome.action === step.action,
      `action ${step.action}`,
      `action "${outcome.action}" instead of ${step.action}`
    ),
    check(
      outcome.entitiesMasked === masked,
      `${masked} masked`,
      `${outcome.entitiesMasked} masked instead of ${masked}`
    )
  ]
  if (step.action === 'block') return [...checks, ...judgeRefusal(step, outcome, calls.length)]
  if (outcome.refusal)
    return [
      ...checks,
      { ok: false, says: `the SDK raised ${outcome.refusal.errorClass}, status ${outcome.refusal.status}` }
    ]
  const [received] = calls
  if (received === undefined || calls.length > 1)
    return [...checks, { ok: false, says: `${calls.length} calls upstream instead of one` }]
  return [
    ...checks,
    ...judgeForwarding(step, outcome, received, compared),
    ...judgeCredentials(received, secrets.token, secrets.upstreamKey)
  ]
}
