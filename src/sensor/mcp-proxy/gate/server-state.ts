/**
 * What the gate knows about one downstream server, for all sessions: its tools, their pins, its calls in the last
 * minute.
 */
import { createHash } from 'node:crypto'
import type { ToolAnnotations, ToolPolicy } from '../../../policy/tools/policy.ts'
import type { ServerIdentity } from '../gate-contract.ts'
import type { HeaderParameter } from '../messages/header-parameters.ts'
import { MinuteWindow } from './minute-window.ts'
import type { PinStore } from './pin-store.ts'
import { commonHints, type ToolDefinition, type ToolDigests } from './tool-definition.ts'

export interface KnownTool {
  readonly annotations: ToolAnnotations
  /** Each definition that the server gave under this name: nearly always one. */
  readonly digests: readonly ToolDigests[]
  /** Parameters that a client repeats in headers, according to the first definition. */
  readonly headers: readonly HeaderParameter[]
}

/** A list that is being read page by page. */
interface PartialList {
  readonly tools: Map<string, KnownTool>
}

const toolsMax = 20_000
const definitionsOfNameMax = 4
const partialListsMax = 8
const toldMax = 4096
const windowsMax = 2000
const labelUnitsMax = 128
const cursorUnitsMax = 4096

export class ServerState {
  readonly identity: ServerIdentity
  /** Hash of the URL or command, for what is kept across restarts. */
  readonly key: string
  readonly #calls = new MinuteWindow()
  readonly #callsOf = new Map<string, MinuteWindow>()
  readonly pins: PinStore
  /** Hash of the last inventory that was reported. */
  inventory = ''
  /** The name for people: the host of its URL, or its program. */
  readonly label: string
  readonly #told = new Set<string>()
  #tools = new Map<string, KnownTool>()
  readonly #partial = new Map<string, PartialList>()

  constructor(identity: ServerIdentity, pins: (key: string) => PinStore) {
    this.identity = identity
    this.key = serverKey(identity)
    this.label = serverLabel(identity)
    this.pins = pins(this.key)
  }

  /**
   * Counts a call against the limits of a policy.
   * @param nowMs of a monotonic clock
   * @returns the limit that is reached, and milliseconds until there may be room; undefined if the call was counted
   */
  takeCall(
    tool: string,
    nowMs: number,
    { callsPerMinuteMax = Infinity, toolCallsPerMinuteMax = Infinity }: ToolPolicy['limits']
  ): { readonly of: 'server' | 'tool'; readonly most: number; readonly waitMs: number } | undefined {
    const ofTool = toolCallsPerMinuteMax === Infinity ? undefined : this.#windowOf(tool)
    const toolWaitMs = ofTool?.waitMs(nowMs, toolCallsPerMinuteMax) ?? 0
    if (toolWaitMs > 0) return { of: 'tool', most: toolCallsPerMinuteMax, waitMs: toolWaitMs }
    const waitMs = this.#calls.take(nowMs, callsPerMinuteMax)
    if (waitMs > 0) return { of: 'server', most: callsPerMinuteMax, waitMs }
    ofTool?.take(nowMs, toolCallsPerMinuteMax)
    return undefined
  }

  /** Tools beyond the limit share one window: clients can invent any number of names. */
  #windowOf(tool: string): MinuteWindow {
    const name = this.#callsOf.has(tool) || this.#callsOf.size < windowsMax ? tool : ''
    const known = this.#callsOf.get(name)
    if (known !== undefined) return known
    const made = new MinuteWindow()
    this.#callsOf.set(name, made)
    return made
  }

  /** Whether something was not reported before. The memory is limited, so something old may count as new again. */
  isNews(what: string): boolean {
    if (this.#told.has(what)) return false
    if (this.#told.size >= toldMax) this.#told.delete(this.#told.values().next().value as string)
    this.#told.add(what)
    return true
  }

  tool(name: string): KnownTool | undefined {
    return this.#tools.get(name)
  }

  /** Number of known tools. */
  get toolCount(): number {
    return this.#tools.size
  }

  /** Names of all tools in the list that was read last. */
  names(): IterableIterator<string> {
    return this.#tools.keys()
  }

  /**
   * Adds a page of a list.
   * @param cursor of the request
   * @param next cursor of the answer
   * @returns whether the list is now complete
   */
  takePage(definitions: Iterable<ToolDefinition>, cursor: string | undefined, next: string | undefined): boolean {
    const before = cursor === undefined ? { tools: new Map<string, KnownTool>() } : this.#partial.get(cursor)
    if (cursor !== undefined) this.#partial.delete(cursor)
    const page = new Map<string, KnownTool>()
    for (const definition of definitions) {
      add(page, definition)
      if (before !== undefined) add(before.tools, definition)
    }
    // Calls may arrive before the last page does.
    for (const [name, tool] of page)
      if (this.#tools.size < toolsMax || this.#tools.has(name)) this.#tools.set(name, tool)
    if (before === undefined) return false
    if (next === undefined) {
      this.#tools = before.tools
      return true
    }
    const oldest = this.#partial.keys().next().value
    if (this.#partial.size >= partialListsMax && oldest !== undefined) this.#partial.delete(oldest)
    if (next.length <= cursorUnitsMax) this.#partial.set(next, before)
    return false
  }
}

function add(tools: Map<string, KnownTool>, { name, annotations, digests, headers }: ToolDefinition): void {
  const known = tools.get(name)
  if (known !== undefined) {
    tools.set(name, {
      annotations: commonHints(known.annotations, annotations),
      digests: [digests, ...known.digests].slice(0, definitionsOfNameMax),
      headers: known.headers
    })
  } else if (tools.size < toolsMax) tools.set(name, { annotations, digests: [digests], headers })
}

function serverKey({ url, command, name }: ServerIdentity): string {
  const identity = JSON.stringify(url === undefined ? (command ?? [name ?? '']) : url)
  return createHash('sha256').update(identity).digest('hex').slice(0, 32)
}

/** Without the path, the query and the arguments, which may hold anything. */
function serverLabel({ name, url, command }: ServerIdentity): string {
  const program = command?.[0]?.split(/[/\\]/).at(-1)
  const label = name ?? (url === undefined ? program : URL.parse(url)?.host) ?? 'unknown'
  return label
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '?')
    .slice(0, labelUnitsMax)
    .toWellFormed()
}
