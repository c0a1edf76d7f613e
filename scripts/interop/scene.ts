/** What the checks share: the participants of a scene, the model's part in it, and the possible faults. */
import type { Planted, PlantedKind } from '../../test/support/planted.ts'
import type { Outcome } from './child.ts'
import type { InteropClient } from './client.ts'
import type { Script } from './model/model.ts'
import type { Reply, Turn } from './model/turn.ts'
import type { Stage } from './stage.ts'

export interface Result {
  readonly check: string
  /** What is wrong; empty if the check passed. */
  readonly faults: readonly string[]
}

/** Everything that a check needs. */
export interface Scene {
  readonly client: InteropClient
  readonly stage: Stage
  readonly plant: (kind: PlantedKind) => Planted
}

/** The model's part in one scene. */
type Part = (results: readonly string[], said: string) => Reply

/** Tool results since the person wrote `marker`, and the text after it; undefined for a call without it. */
function sinceMarker({ hasTools, steps }: Turn, marker: string): { results: string[]; said: string } | undefined {
  const at = steps.findLastIndex(({ from, text }) => from === 'user' && text.includes(marker))
  if (at < 0 || !hasTools) return undefined
  const results = steps.slice(at).filter(({ from }) => from === 'tool')
  return {
    results: results.map(({ text }) => text),
    said: (steps[at]?.text ?? '').slice(steps[at]?.text.indexOf(marker))
  }
}

/**
 * Plays a part in the turns that contain the marker; any other request of an agent, such as for a title, gets a short
 * text.
 */
export function onMarker(marker: string, part: Part): Script {
  return (turn) => {
    const scene = sinceMarker(turn, marker)
    return scene ? part(scene.results, scene.said) : { text: 'A short title' }
  }
}

/** Whether the model was asked about the marker; agents send other requests with it in their history. */
export const isAsked = ({ model }: Stage, marker: string): boolean =>
  model.turns.some(
    ({ hasTools, steps }) => hasTools && steps.findLast(({ from }) => from === 'user')?.text.includes(marker) === true
  )

/** How often the model was asked in a scene. */
const asks = ({ model }: Stage, marker: string): number =>
  model.turns.filter((turn) => sinceMarker(turn, marker) !== undefined).length

export function unasked(stage: Stage, marker: string, countMin: number): string[] {
  const count = asks(stage, marker)
  return count >= countMin ? [] : [`the model was asked ${count} times, not ${countMin}`]
}

/** Searches everything that left Sluice, and this host, for planted values and the workspace token. */
export function leaks({ model, place, wire }: Stage, planted: readonly Planted[]): string[] {
  const everything = model.received
    .map(({ url, headers, body }) => `${url}\n${JSON.stringify(headers)}\n${body.toString('utf8')}`)
    .join('\n')
  return [
    ...planted.filter(({ needle }) => everything.includes(needle)).map(({ kind }) => `the ${kind} reached the model`),
    ...planted.filter(({ needle }) => wire?.said().includes(needle)).map(({ kind }) => `the ${kind} left the sidecar`),
    ...(everything.includes(place.token) ? ['the workspace token reached the model'] : [])
  ]
}

/** The output without line breaks, which clients insert anywhere. */
export const flat = ({ output }: Outcome): string => output.replace(/\s+/g, ' ')
export const excerpt = (outcome: Outcome): string => JSON.stringify(flat(outcome).slice(-600))

export const missing = (outcome: Outcome, text: string): string[] =>
  flat(outcome).includes(text) ? [] : [`the person does not read the answer, but: ${excerpt(outcome)}`]

export const unended = ({ isTimedOut, code, ...outcome }: Outcome): string[] =>
  isTimedOut
    ? ['it had to be stopped']
    : code === 0
      ? []
      : [`it ended with status ${code}: ${excerpt({ isTimedOut, code, ...outcome })}`]
