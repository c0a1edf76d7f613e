/**
 * Rollups of what one commit stores: events are first counted by everything that they have in common, then distributed
 * over the dimensions. The number of values of a dimension is limited, so the engine says which values exist already.
 */
import { ownKinds } from '../../protocol/events/own-kinds.ts'
import type { EncodedEvents } from './encode.ts'
import { addedMsValue } from './facets.ts'
import { type RollupColumns } from './schema.ts'
import { otherValue, rollupKindsMax, rollupToolRulesMax, rollupValuesMax, type RollupDimension } from '../store.ts'
import { minuteMs, hourMs } from '../../timing/spans.ts'

/** Values with a common limit. `kind` is counted like a dimension; its values are part of the rows of all others. */
export interface RollupScope {
  readonly key: string
  readonly workspaceId: string
  /** Start of the hour. */
  readonly hour: number
  readonly dimension: RollupDimension | 'kind'
}

/** Values of each scope, by its key, that have rollup rows. A full set is known to be complete. */
export type KnownValues = Map<string, Set<string>>

const columnDimensions = {
  riskTier: 'risk_tier',
  clientSurface: 'client_surface',
  modelProvider: 'model_provider',
  modelId: 'model_id',
  mcpToolName: 'mcp_tool_name',
  downstreamServer: 'downstream_server',
  toolRule: 'toolRule'
} as const satisfies Partial<Record<RollupDimension, keyof EncodedEvents>>
type ColumnDimension = keyof typeof columnDimensions
const columnDimensionNames = Object.keys(columnDimensions) as ColumnDimension[]

const rollupActions: ReadonlySet<string> = new Set(['mask', 'block', 'allow'])

const valuesMaxOf = (dimension: RollupScope['dimension']): number =>
  dimension === 'kind' ? rollupKindsMax : dimension === 'toolRule' ? rollupToolRulesMax : rollupValuesMax

/** Events that agree in workspace, minute, kind, action and every facet. */
interface Group {
  readonly workspaceId: string
  readonly minute: number
  readonly kind: string
  readonly action: string
  readonly values: readonly (readonly [ColumnDimension, string])[]
  readonly entityKinds: Map<string, number>
  readonly addedMs: number[]
  events: number
  entitiesMasked: number
}

const scopeKey = (workspaceId: string, hour: number, dimension: string): string =>
  `${workspaceId}\0${hour}\0${dimension}`

export class RollupTally {
  readonly #groups = new Map<string, Group>()

  /** Counts one stored event. */
  add(events: EncodedEvents, index: number): void {
    const group = this.#groupOf(events, index)
    group.events++
    group.entitiesMasked += events.entitiesMasked[index] ?? 0
    for (const [kind, count] of events.entityCounts[index] ?? []) {
      group.entityKinds.set(kind, (group.entityKinds.get(kind) ?? 0) + count)
    }
    const bucket = events.addedMsBucket[index] ?? -1
    if (bucket >= 0) group.addedMs[bucket] = (group.addedMs[bucket] ?? 0) + 1
  }

  #groupOf(events: EncodedEvents, index: number): Group {
    const workspaceId = events.workspace_id[index] ?? ''
    const minute = Math.floor((events.received_at[index] ?? 0) / minuteMs) * minuteMs
    const kind = events.kind[index] ?? ''
    const given = events.action[index] ?? ''
    const action = rollupActions.has(given) ? given : ''
    let key = `${workspaceId}\0${minute}\0${kind}\0${action}`
    for (const name of columnDimensionNames) key += `\0${events[columnDimensions[name]][index] ?? ''}`
    const known = this.#groups.get(key)
    if (known) return known
    const values = columnDimensionNames.flatMap((name): [ColumnDimension, string][] => {
      const value = events[columnDimensions[name]][index] ?? null
      return value === null ? [] : [[name, value]]
    })
    const made: Group = {
      workspaceId,
      minute,
      kind,
      action,
      values,
      entityKinds: new Map(),
      addedMs: [],
      events: 0,
      entitiesMasked: 0
    }
    this.#groups.set(key, made)
    return made
  }

  /** Scopes with a value that `known` does not have and might have to learn, each once. */
  unknownScopes(known: KnownValues): RollupScope[] {
    const scopes = new Map<string, RollupScope>()
    const note = (workspaceId: string, hour: number, dimension: RollupScope['dimension'], value: string) => {
      const key = scopeKey(workspaceId, hour, dimension)
      const values = known.get(key)
      const isSettled = values !== undefined && (values.has(value) || values.size >= valuesMaxOf(dimension))
      if (!isSettled) scopes.set(key, { key, workspaceId, hour, dimension })
    }
    for (const group of this.#groups.values()) {
      const hour = group.minute - (group.minute % hourMs)
      note(group.workspaceId, hour, 'kind', group.kind)
      for (const [dimension, value] of group.values) note(group.workspaceId, hour, dimension, value)
      for (const kind of group.entityKinds.keys()) note(group.workspaceId, hour, 'entityKind', kind)
    }
    return [...scopes.values()]
  }

  /**
   * The rows to be added to the existing ones, ordered by key. New values are added to `known`; if the commit fails,
   * `known` must be discarded.
   */
  rows(known: KnownValues): { readonly minute: RollupColumns[]; readonly hour: RollupColumns[] } {
    const minutes = new Map<string, RollupColumns>()
    for (const group of this.#groups.values()) spread(group, known, minutes)
    const hours = new Map<string, RollupColumns>()
    for (const row of minutes.values()) addRow(hours, { ...row, at: row.at - (row.at % hourMs) })
    return { minute: sortedRows(minutes), hour: sortedRows(hours) }
  }
}

/** Always in the same order, so that two commits cannot deadlock on each other's rows. */
const sortedRows = (rows: ReadonlyMap<string, RollupColumns>): RollupColumns[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)

function addRow(rows: Map<string, RollupColumns>, row: RollupColumns): void {
  const key = `${row.workspace_id}\0${row.dimension}\0${row.at}\0${row.value}\0${row.kind}\0${row.action}`
  const known = rows.get(key)
  if (!known) {
    rows.set(key, row)
    return
  }
  known.events += row.events
  known.entities_masked += row.entities_masked
}

/**
 * The value itself if it exists or there is room for it, otherwise {@link otherValue}. Our own kinds have a reserved
 * place: a sender of events could otherwise hide an hour's calls behind invented kinds.
 */
function bounded(known: KnownValues, scope: Omit<RollupScope, 'key'>, value: string): string {
  const key = scopeKey(scope.workspaceId, scope.hour, scope.dimension)
  const values = known.get(key) ?? new Set()
  known.set(key, values)
  if (values.has(value)) return value
  const isOwn = scope.dimension === 'kind' && ownKinds.has(value)
  if (values.size >= valuesMaxOf(scope.dimension) && !isOwn) return otherValue
  values.add(value)
  return value
}

function spread(group: Group, known: KnownValues, rows: Map<string, RollupColumns>): void {
  const { workspaceId, minute, action } = group
  const hour = minute - (minute % hourMs)
  const kind = bounded(known, { workspaceId, hour, dimension: 'kind' }, group.kind)
  const add = (dimension: RollupDimension, value: string, events: number, entitiesMasked: number): void => {
    const counts = { events, entities_masked: entitiesMasked }
    addRow(rows, { workspace_id: workspaceId, dimension, at: minute, value, kind, action, ...counts })
  }
  add('total', '', group.events, group.entitiesMasked)
  for (const [dimension, value] of group.values) {
    const name = bounded(known, { workspaceId, hour, dimension }, value)
    add(dimension, name, group.events, group.entitiesMasked)
  }
  for (const [entityKind, count] of group.entityKinds) {
    add('entityKind', bounded(known, { workspaceId, hour, dimension: 'entityKind' }, entityKind), 0, count)
  }
  for (const [bucket, events] of group.addedMs.entries()) {
    if (events) add('addedMs', addedMsValue(bucket), events, 0)
  }
}
