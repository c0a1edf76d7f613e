/** A list of tools on its way to the client: tools that policy denies for any arguments are removed. */
import { createHash } from 'node:crypto'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import type { ToolCall } from '../../../policy/tools/decide.ts'
import { isStricter } from '../../../policy/tools/decide.ts'
import type { Effect } from '../../../policy/tools/policy.ts'
import { staleEffect } from '../../../policy/tools/stale.ts'
import { toolListMax, toolListTimesMax } from '../../../protocol/events/event-schema.ts'
import { addMember, applyEdits, removeEntries, replaceValue, type ByteEdit } from './byte-edits.ts'
import type { GateContext } from './gate-context.ts'
import type { GatePolicy } from './gate-policy.ts'
import { filtersLists } from './list-news.ts'
import { answerRedactor, maskTexts } from './mask.ts'
import { membersOf, textOf } from './members.ts'
import { eventName } from './open-call.ts'
import { bufferOf, indexMessage } from './open-message.ts'
import { standingOf, trustSeen, type Drift, type Standing } from './pins.ts'
import type { KnownTool, ServerState } from './server-state.ts'
import { readDefinition, type ToolDefinition } from './tool-definition.ts'
import { definitionTexts } from './question-texts.ts'

/** What calls of a tool may lead to. */
export interface ToolProspect {
  readonly name: string
  /** The mildest possible effect, for any arguments; the strictest is beside it. */
  readonly mildest: Effect
  readonly strictest: Effect
  readonly ruleId: string | undefined
  /** Why the definition is not trusted, if so. */
  readonly standing: Standing['reasonCode']
}

/** Tools judged between two pauses. */
const toolsPerStep = 256
const cursorBytesMax = 16_384
/** How long a client may keep a filtered list. */
const filteredTtlMaxMs = 60_000

/** What calls of a tool may lead to under the policy, before any arguments are known. */
export function prospectOf(
  policy: GatePolicy,
  server: ServerState,
  name: string,
  context: Pick<GateContext, 'age' | 'wallMs' | 'surface'>,
  surface = context.surface
): ToolProspect {
  const tool = server.tool(name)
  const serverId = policy.tools.serverId(server.identity)
  const call: ToolCall = {
    server: serverId,
    tool: name,
    now: context.wallMs(),
    ...(surface !== undefined && { surface }),
    ...(tool !== undefined && { annotations: tool.annotations })
  }
  const { mildest, strictest } = policy.tools.outlook(call)
  const alike = policy.lookAlikes.outlook(call)
  const standing = standingOf(policy, serverId, name, tool, server)
  const { isFresh, ageMs } = context.age()
  const floors: Effect[] = [standing.effect, staleEffect(policy.document.stale, isFresh, ageMs) ?? 'allow']
  const atLeast = (effect: Effect, more: readonly Effect[]): Effect =>
    more.reduce((one, other) => (isStricter(other, one) ? other : one), effect)
  const most = isStricter(alike.strictest.effect, strictest.effect) ? alike.strictest : strictest
  return {
    name,
    mildest: atLeast(mildest.effect, [alike.mildest.effect, ...floors]),
    strictest: atLeast(most.effect, floors),
    ruleId: most.ruleId,
    standing: standing.reasonCode
  }
}

export interface ListRequest {
  readonly cursor: string | undefined
  readonly surface: string | undefined
}

/** The whole answer to a list request, and the node of its `result`. */
interface ListAnswer {
  readonly message: Uint8Array
  readonly index: JsonIndex
  readonly result: number
}

/**
 * Filters a list.
 * @returns the answer for the client; undefined if the list is ambiguous
 */
export function* filterList(
  { message, index, result }: ListAnswer,
  request: ListRequest,
  policy: GatePolicy,
  server: ServerState,
  context: GateContext
): Generator<void, Uint8Array | undefined, void> {
  const members = membersOf(index, result, ['tools', 'nextCursor', 'cacheScope', 'resultType', 'ttlMs'])
  if (members === undefined) return undefined
  const [tools, nextCursor, cacheScope, resultType, ttl] = members as [number, number, number, number, number]
  if (tools < 0 || index.kind(tools) !== nodeKind.array) return undefined
  const definitions = yield* readAll(index, tools)
  const next = textOf(index, nextCursor, cursorBytesMax)
  const isWhole = server.takePage(present(definitions.values()), request.cursor, next)
  if (policy.document.pins.mode === 'first-use' && request.cursor === undefined)
    server.pins.sawFirstPage(Array.from(present(definitions.values()), ({ name }) => name))
  yield* judgePins(definitions, isWhole, policy, server, context)
  const hidden = new Set<number>()
  const isFiltered = filtersLists(policy)
  let count = 0
  for (const [node, definition] of definitions) {
    if (++count % toolsPerStep === 0) yield
    const isHidden =
      definition === undefined
        ? true
        : isFiltered && prospectOf(policy, server, definition.name, context, request.surface).mildest === 'deny'
    if (isHidden) hidden.add(node)
  }
  if (isWhole) yield* tellInventory(policy, server, context)
  const filtered =
    hidden.size === 0
      ? message
      : applyEdits(message, [
          ...removeEntries(index, tools, (node) => hidden.has(node)),
          ...markPrivate(index, result, cacheScope, resultType),
          ...shorten(index, ttl)
        ])
  if (!policy.document.scan.results) return filtered
  return yield* maskDefinitions(filtered, hidden.size === 0 ? index : yield* indexMessage(bufferOf(filtered)), policy)
}

function* readAll(index: JsonIndex, tools: number): Generator<void, Map<number, ToolDefinition | undefined>, void> {
  const definitions = new Map<number, ToolDefinition | undefined>()
  const end = index.nexts[tools] as number
  for (let node = tools + 1; node < end; node = index.nexts[node] as number) {
    definitions.set(node, readDefinition(index, node))
    if (definitions.size % toolsPerStep === 0) yield
  }
  return definitions
}

function* present(definitions: Iterable<ToolDefinition | undefined>): Generator<ToolDefinition> {
  for (const definition of definitions) if (definition !== undefined) yield definition
}

/** A filtered list must not be served to others by a cache on the way. */
function markPrivate(index: JsonIndex, result: number, cacheScope: number, resultType: number): ByteEdit[] {
  if (cacheScope >= 0) return [replaceValue(index, cacheScope, '"private"')]
  // Only revisions with `resultType` have caching rules for lists.
  return resultType >= 0 ? [addMember(index, result, '"cacheScope":"private"')] : []
}

/**
 * Policy may show more or fewer tools at any time, and a client without a subscription only notices by asking again.
 */
function shorten(index: JsonIndex, ttl: number): ByteEdit[] {
  const isLong = ttl >= 0 && !(Number(index.raw(ttl)) <= filteredTtlMaxMs)
  return isLong ? [replaceValue(index, ttl, String(filteredTtlMaxMs))] : []
}

function* maskDefinitions(
  message: Uint8Array,
  index: JsonIndex | undefined,
  policy: GatePolicy
): Generator<void, Uint8Array, void> {
  if (index === undefined) return message
  const { bytes } = yield* maskTexts(index, definitionTexts(index, index.root), answerRedactor(policy))
  return bytes === index.bytes ? message : bytes
}

function* judgePins(
  definitions: ReadonlyMap<number, ToolDefinition | undefined>,
  isWhole: boolean,
  policy: GatePolicy,
  server: ServerState,
  context: GateContext
): Generator<void, void, void> {
  if (policy.document.pins.mode === 'off') return
  const serverId = policy.tools.serverId(server.identity)
  const seen: { name: string; tool: KnownTool; standing: Standing }[] = []
  for (const { name } of present(definitions.values())) {
    const tool = server.tool(name)
    if (tool === undefined) continue
    const standing = standingOf(policy, serverId, name, tool, server)
    seen.push({ name, tool, standing })
    for (const drift of standing.drifts) tellDrift(drift, standing.effect, policy, server, context)
    if (seen.length % toolsPerStep === 0) yield
  }
  trustSeen(policy.document, server, seen)
  if (isWhole && policy.document.pins.mode === 'first-use') {
    const gone = server.pins.sawWhole(new Set(server.names()))
    for (const tool of gone) tellDrift({ tool, what: 'removed' }, 'allow', policy, server, context)
  }
  server.pins.save().catch(() => undefined)
}

const driftCodes: Readonly<Record<Drift['what'], string>> = {
  title: 'title_changed',
  description: 'description_changed',
  inputSchema: 'input_schema_changed',
  outputSchema: 'output_schema_changed',
  annotations: 'annotations_changed',
  added: 'tool_added',
  removed: 'tool_removed'
}

/** Reports a change once, until it changes again. */
function tellDrift(
  { tool, what, before, after }: Drift,
  effect: Effect,
  policy: GatePolicy,
  server: ServerState,
  context: GateContext
): void {
  if (!server.isNews(JSON.stringify([tool, what, before, after]))) return
  context.report({
    kind: 'tool_drift',
    mcpToolName: eventName(tool),
    mcpServer: policy.tools.serverId(server.identity),
    policyRevision: policy.revision,
    reasonCode: driftCodes[what],
    toolEffect: effect,
    riskTier: 'medium',
    ...(before !== undefined && { digestBefore: before }),
    ...(after !== undefined && { digestAfter: after })
  })
}

/** Reports the available tools and what calling each would lead to, if that has changed. */
function* tellInventory(policy: GatePolicy, server: ServerState, context: GateContext): Generator<void, void, void> {
  const hash = createHash('sha256')
  const tools: { name: string; effect: Effect; isConditional?: boolean; digest: string }[] = []
  let count = 0
  for (const name of server.names()) {
    if (++count % toolsPerStep === 0) yield
    const { mildest, strictest } = prospectOf(policy, server, name, context)
    const digest = createHash('sha256')
      .update(JSON.stringify(server.tool(name)?.digests))
      .digest('hex')
    hash.update(JSON.stringify([name, mildest, strictest, digest]))
    if (tools.length < toolListMax * toolListTimesMax)
      tools.push({
        name: eventName(name),
        effect: mildest,
        ...(mildest !== strictest && { isConditional: true }),
        digest
      })
  }
  const inventory = hash.digest('hex')
  if (inventory === server.inventory) return
  server.inventory = inventory
  for (let from = 0; from === 0 || from < tools.length; from += toolListMax)
    context.report({
      kind: 'tool_inventory',
      mcpServer: policy.tools.serverId(server.identity),
      mcpServerLabel: server.label,
      policyRevision: policy.revision,
      toolCount: server.toolCount,
      tools: tools.slice(from, from + toolListMax),
      inventoryDigest: inventory
    })
}
