/** The known tools and the outcomes of calling them: from counts by hour, and from the newest events. */
import { compileToolPolicy, type CompiledToolPolicy } from '../../policy/tools/decide.ts'
import type { ToolPolicy } from '../../policy/tools/policy.ts'
import { unknownServerId } from '../../policy/tools/servers.ts'
import { toolCallKind } from '../../protocol/events/event-schema.ts'
import type { ToolsBody } from '../../protocol/api/system-schema.ts'
import { otherValue, readToolRule, type Store, type StoredEvent, type ToolRule } from '../../store/store.ts'
import { readRareEvents } from './rare-events.ts'
import { isoTime } from '../../timing/iso-time.ts'

/** Kinds that sensors write about tools, besides decisions. */
const inventoryKind = 'tool_inventory'
const driftKind = 'tool_drift'

const eventsMax = 3000
/** Only the newest call of each tool is needed. */
const callsMax = 500

type Server = ToolsBody['servers'][number]
type Tool = Server['tools'][number]
type Actions = Tool['calls']

interface Range {
  readonly workspaceId: string
  readonly from: number
  readonly to: number
}

type Reader = Pick<Store, 'eventSeries' | 'findEvents'>

/**
 * @param policy the policy in force: its pins, and its judgement of tools that no sensor has listed
 * @throws StoreError, RangeError where the range has too many points
 */
export async function toolInventory(
  store: Reader,
  range: Range,
  policy: ToolPolicy
): Promise<Pick<ToolsBody, 'servers' | 'isCut'>> {
  const book = new Book(policy.pins.tools)
  const lists = await newestOf(store, range, inventoryKind)
  for (const event of lists.events) book.list(event)
  const calls = await newestCalls(store, range)
  for (const event of calls.events) book.call(event)
  const drifts = await newestOf(store, range, driftKind)
  for (const event of drifts.events) book.drift(event)
  await countCalls(store, range, book)
  const servers = book.servers(compileToolPolicy(policy), range.to)
  return { servers, isCut: lists.isCut || calls.isCut || drifts.isCut }
}

/**
 * Counts calls. Counts by rule have server, tool and rule of a call. Counts by tool cover all calls, including those of
 * an hour with more rules than are kept apart.
 */
async function countCalls(store: Reader, range: Range, book: Book): Promise<void> {
  const query = { ...range, kind: toolCallKind, step: 'all' } as const
  const untold = new Map<string, Actions>()
  for (const { value, action, events } of await store.eventSeries({ ...query, dimension: 'mcpToolName' })) {
    if (value === otherValue || !isAction(action)) continue
    addTo(untold, value, noCalls)[action] += events
  }
  for (const { value, action, events } of await store.eventSeries({ ...query, dimension: 'toolRule' })) {
    const by = readToolRule(value)
    if (!by || !isAction(action)) continue
    book.count(by, action, events)
    addTo(untold, by.tool, noCalls)[action] -= events
  }
  for (const [tool, calls] of untold) book.countUntold(tool, calls)
}

/** The value under the key, created if missing. */
function addTo<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** The newest events of a rare kind. */
async function newestOf(store: Reader, range: Range, kind: string, max = eventsMax) {
  const events: StoredEvent[] = []
  const isCut = await readRareEvents(store, { ...range, kind }, (page) => {
    events.push(...page)
    return events.length < max
  })
  return { events, isCut }
}

/** If tools are called all the time, the newest rows hold enough calls, and no counts by minute need to be read. */
async function newestCalls(store: Reader, range: Range) {
  const query = { ...range, kind: toolCallKind, order: 'newest', limit: callsMax } as const
  const { rows, next } = await store.findEvents(query)
  if (next !== null && rows.length < callsMax) return newestOf(store, range, toolCallKind, callsMax)
  return { events: rows, isCut: next !== null }
}

const noCalls = (): Actions => ({ allow: 0, mask: 0, block: 0 })
const actions = ['allow', 'mask', 'block'] as const
const isAction = (action: unknown): action is keyof Actions => actions.includes(action as keyof Actions)
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const effects = ['allow', 'ask', 'deny'] as const
const effectOf = (value: unknown) => effects.find((effect) => effect === value) ?? null
interface BookedTool extends Omit<Tool, 'rules' | 'effect'> {
  /** Null until a sensor's list has the tool. */
  effect: Tool['effect'] | null
  readonly rules: Map<string | null, Actions>
}

interface BookedServer extends Omit<Server, 'tools'> {
  readonly tools: Map<string, BookedTool>
}

/** Most decisions first. */
const rulesOf = (rules: BookedTool['rules']): Tool['rules'] =>
  [...rules]
    .map(([ruleId, calls]) => ({ ruleId, calls }))
    .toSorted((a, b) => sumOf(b.calls) - sumOf(a.calls) || ((a.ruleId ?? '') < (b.ruleId ?? '') ? -1 : 1))
const sumOf = ({ allow, mask, block }: Actions): number => allow + mask + block

function verdictOf(
  { tool, effect, isConditional }: BookedTool,
  server: string,
  policy: CompiledToolPolicy,
  now: number
): Pick<Tool, 'effect' | 'isConditional'> {
  if (effect !== null) return { effect, isConditional }
  const { mildest, strictest } = policy.outlook({ server, tool, now })
  return { effect: mildest.effect, isConditional: strictest.effect !== mildest.effect }
}

/** Collects what events say, newest first: what is known already is not overwritten. */
class Book {
  readonly #servers = new Map<string, BookedServer>()
  readonly #pins: ToolPolicy['pins']['tools']
  /** Components of definitions for which a change was already seen. */
  readonly #judged = new Set<string>()

  constructor(pins: ToolPolicy['pins']['tools']) {
    this.#pins = pins
  }

  list({ sensorMetadata: metadata, occurredAt }: StoredEvent): void {
    const server = this.#server(metadata['mcpServer'])
    server.label ??= textOf(metadata['mcpServerLabel'])
    server.listedAt ??= isoTime(occurredAt)
    const listed = Array.isArray(metadata['tools']) ? metadata['tools'] : []
    for (const one of listed as Readonly<Record<string, unknown>>[]) {
      const name = textOf(one['name'])
      if (name === null) continue
      const tool = this.#tool(server, name)
      if (tool.effect !== null) continue
      tool.effect = effectOf(one['effect'])
      tool.isConditional = one['isConditional'] === true
    }
  }

  call({ sensorMetadata: metadata, occurredAt, requestId }: StoredEvent): void {
    const name = textOf(metadata['mcpToolName'])
    if (name === null) return
    const tool = this.#tool(this.#server(metadata['mcpServer']), name)
    tool.lastAt ??= isoTime(occurredAt)
    tool.lastRequestId ??= requestId
    tool.lastRuleId ??= textOf(metadata['ruleId'])
    tool.lastReasonCode ??= textOf(metadata['reasonCode'])
  }

  drift({ sensorMetadata: metadata, occurredAt }: StoredEvent): void {
    const name = textOf(metadata['mcpToolName'])
    if (name === null) return
    const server = this.#server(metadata['mcpServer'])
    const tool = this.#tool(server, name)
    const after = textOf(metadata['digestAfter'])
    const reasonCode = textOf(metadata['reasonCode'])
    // The newest report on a component of the definition counts, even if a pin accepts it.
    const part = JSON.stringify([server.server, name, reasonCode])
    if (this.#judged.has(part)) return
    this.#judged.add(part)
    if (after !== null && this.#pinOf(server.server, name).includes(after)) return
    const before = textOf(metadata['digestBefore'])
    tool.drifts.push({ at: isoTime(occurredAt), reasonCode, before, after, sensorId: textOf(metadata['sensorId']) })
  }

  /** Counts calls that a rule decided; an empty name stands for none. */
  count(by: ToolRule, action: keyof Actions, events: number): void {
    const tool = this.#tool(this.#server(by.server), by.tool)
    tool.calls[action] += events
    const rule = addTo(tool.rules, textOf(by.rule), noCalls)
    rule[action] += events
  }

  /** Counts calls of a tool without server or rule; if several servers have the name, they are assigned to none. */
  countUntold(name: string, calls: Actions): void {
    const shown = actions.filter((action) => calls[action] > 0)
    if (shown.length === 0) return
    const holders = [...this.#servers.values()].filter(({ tools }) => tools.has(name))
    const tool = this.#tool((holders.length === 1 ? holders[0] : undefined) ?? this.#server(undefined), name)
    for (const action of shown) tool.calls[action] += calls[action]
  }

  /**
   * @param policy judges tools that only calls have named: without annotations, and for an unknown agent
   * @param now milliseconds since 1970
   */
  servers(policy: CompiledToolPolicy, now: number): Server[] {
    const byName = (a: string, b: string): number => (a < b ? -1 : 1)
    return [...this.#servers.values()]
      .map((server) => ({
        ...server,
        tools: [...server.tools.values()]
          .map((tool) => ({ ...tool, ...verdictOf(tool, server.server, policy, now), rules: rulesOf(tool.rules) }))
          .toSorted((a, b) => byName(a.tool, b.tool))
      }))
      .toSorted((a, b) => byName(a.server, b.server))
  }

  #server(id: unknown): BookedServer {
    const server = textOf(id) ?? unknownServerId
    const known = this.#servers.get(server)
    if (known) return known
    const made: BookedServer = { server, label: null, listedAt: null, tools: new Map() }
    this.#servers.set(server, made)
    return made
  }

  #tool(server: BookedServer, name: string): BookedTool {
    const known = server.tools.get(name)
    if (known) return known
    const made: BookedTool = {
      tool: name,
      calls: noCalls(),
      rules: new Map(),
      effect: null,
      isConditional: false,
      lastAt: null,
      lastRuleId: null,
      lastReasonCode: null,
      lastRequestId: null,
      isPinned: this.#pins.some((pin) => pin.server === server.server && pin.tool === name),
      drifts: []
    }
    server.tools.set(name, made)
    return made
  }

  /** Digests that the policy trusts for a tool. */
  #pinOf(server: string, tool: string): unknown[] {
    return this.#pins.filter((pin) => pin.server === server && pin.tool === tool).flatMap((pin) => Object.values(pin))
  }
}
