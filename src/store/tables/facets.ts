/**
 * What columns and rollups hold of an event, extracted from its metadata once, when it is written. The metadata was
 * validated on arrival; what has an unexpected form is omitted from columns and rollups, but kept in the metadata.
 */
import type { EventColumns } from './schema.ts'
import { addedMsBounds, toolRuleValue, type EventFacet, type JsonObject, type JsonValue } from '../store.ts'

/** The column of each facet. */
export const facetColumns = {
  action: 'action',
  riskTier: 'risk_tier',
  clientSurface: 'client_surface',
  modelProvider: 'model_provider',
  modelId: 'model_id',
  mcpToolName: 'mcp_tool_name',
  downstreamServer: 'downstream_server',
  sensorId: 'sensor_id'
} as const satisfies Record<EventFacet, keyof EventColumns>

const facetCharactersMax = 256
const entityKindsMax = 64

/** The text of a facet, or null if there is none that a column can hold. */
export function facetText(value: JsonValue | undefined): string | null {
  if (typeof value !== 'string' || value === '' || value.length > facetCharactersMax) return null
  return isStorableText(value) ? value : null
}

/** A lone surrogate has no form in UTF-8, and not every engine can store NUL. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const count = (value: JsonValue | undefined): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0

/** Number of masked entities. */
export const entitiesMaskedOf = (metadata: JsonObject): number => count(metadata['entitiesMasked'])

/** Counts of entities by kind, or null if there are none. */
export function entityCountsOf(metadata: JsonObject): [kind: string, count: number][] | null {
  const counts = metadata['entityCounts']
  if (typeof counts !== 'object' || counts === null || Array.isArray(counts)) return null
  const found = Object.entries(counts as JsonObject)
    .slice(0, entityKindsMax)
    .filter(([kind, value]) => facetText(kind) !== null && count(value) > 0)
    .map(([kind, value]): [string, number] => [kind, count(value)])
  return found.length === 0 ? null : found
}

/** Whether the metadata counts entities of a kind. */
export const countsEntity = (metadata: JsonObject, kind: string): boolean =>
  entityCountsOf(metadata)?.some(([name]) => name === kind) ?? false

/** Index in {@link addedMsBounds} of the time that scanning took, one beyond the last for more, -1 if unknown. */
export function addedMsBucket(metadata: JsonObject): number {
  const scanMs = metadata['scanMs']
  if (typeof scanMs !== 'number' || !(scanMs >= 0)) return -1
  const place = addedMsBounds.findIndex((bound) => scanMs <= bound)
  return place === -1 ? addedMsBounds.length : place
}

/** A bucket as a value of the dimension `addedMs`. */
export const addedMsValue = (bucket: number): string => String(addedMsBounds[bucket] ?? 'inf')

/** Server, tool and rule of a call as a value of the dimension `toolRule`, or null if no tool was called. */
export function toolRuleOf(metadata: JsonObject): string | null {
  const tool = facetText(metadata['mcpToolName'])
  if (tool === null) return null
  return toolRuleValue({
    server: facetText(metadata['mcpServer']) ?? '',
    tool,
    rule: facetText(metadata['ruleId']) ?? ''
  })
}
