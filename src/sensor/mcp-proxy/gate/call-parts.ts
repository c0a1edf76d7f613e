/** The parts of a call, and what is known about it while it is judged. */
import type { IncomingHttpHeaders } from 'node:http'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import { foldedUnitsMax } from '../../../policy/tools/look-alikes.ts'
import type { CarriedState } from './consent.ts'
import type { GatePolicy } from './gate-policy.ts'
import { keysBelow, membersOf, textOf } from './members.ts'
import type { CallFacts } from './open-call.ts'
import type { MessageId } from './open-message.ts'
import type { RequestMeta } from './request-meta.ts'
import { consentKey } from './server-question.ts'

export interface CallHints {
  readonly meta: RequestMeta
  readonly http: IncomingHttpHeaders | undefined
  /** Whether the client of a session can ask a person. */
  readonly canElicit: boolean
}

/** The parts of a call, as nodes of its index; -1 if absent. */
interface CallParts {
  readonly tool: string
  readonly args: number
  readonly state: string | undefined
  readonly responses: number
  /** Whether two keys of an object look alike, such as by differing only in case. */
  readonly hasTwins: boolean
}

/** The longest names whose look-alikes are judged. */
const toolUnitsMax = foldedUnitsMax
const stateBytesMax = 262_144

/** One call while it is judged. */
export interface Judged extends CallHints {
  readonly message: Uint8Array
  readonly index: JsonIndex
  readonly id: MessageId
  readonly parts: CallParts
  readonly facts: CallFacts
  readonly policy: GatePolicy
  readonly isModern: boolean
  /** Whether a person has consented to the call. */
  readonly isConsented?: boolean
}

/** @returns the parts, or a sentence that says why the call cannot be judged */
export function* partsOf(index: JsonIndex, params: number): Generator<void, CallParts | string, void> {
  const members =
    params < 0
      ? undefined
      : membersOf(index, params, ['name', 'arguments', 'requestState', 'inputResponses', '_meta', 'task'])
  if (members === undefined) return 'The parameters of the call are absent, or can be read in two ways.'
  const [name, args, state, responses] = members as [number, number, number, number]
  const tool = textOf(index, name, toolUnitsMax * 6)
  if (tool === undefined || tool === '' || tool.length > toolUnitsMax)
    return `The call must name its tool in a text of 1 to ${toolUnitsMax} characters.`
  const isNull = args >= 0 && index.kind(args) === nodeKind.null
  if (args >= 0 && !isNull && index.kind(args) !== nodeKind.object)
    return 'The arguments of the call must be an object.'
  const keys = args < 0 ? undefined : yield* keysBelow(index, args)
  if (keys?.isDoubled === true) return 'The arguments of the call have a key twice in one object.'
  return {
    tool,
    args: isNull ? -1 : args,
    state: textOf(index, state, stateBytesMax),
    responses,
    hasTwins: keys?.hasTwins === true
  }
}

/** The answer to our question: `accept`, `decline`, `cancel`. */
export function answerTo(index: JsonIndex, responses: number): string | undefined {
  const members = responses < 0 ? undefined : membersOf(index, responses, [consentKey])
  const answer = members?.[0] ?? -1
  return answer < 0 ? undefined : textOf(index, index.find(answer, 'action'))
}

/** What the client was to return to the server, kept in our state while a person is asked. */
export function ownState({ index, parts }: Pick<Judged, 'index' | 'parts'>): Pick<CarriedState, 'inner' | 'answers'> {
  const answers =
    parts.responses < 0
      ? undefined
      : Buffer.from(index.bytes.subarray(index.starts[parts.responses], index.ends[parts.responses])).toString('utf8')
  return { inner: parts.state, answers }
}
