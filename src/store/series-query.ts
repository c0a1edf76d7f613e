/** Queries of counts over time. */

/**
 * The dimensions of rollups. `total` has one value, the empty text. `entityKind` counts entities by kind, not events.
 * `addedMs` is a histogram of the time that scanning added to a call: its values are the upper bounds in {@link
 * addedMsBounds} as text, and `inf`. `toolRule` counts tool calls by server, tool and deciding rule; its values come
 * from {@link toolRuleValue}.
 */
export const rollupDimensions = [
  'total',
  'riskTier',
  'clientSurface',
  'modelProvider',
  'modelId',
  'mcpToolName',
  'downstreamServer',
  'toolRule',
  'entityKind',
  'addedMs'
] as const
export type RollupDimension = (typeof rollupDimensions)[number]

/** Upper bounds in milliseconds of the histogram `addedMs`. */
export const addedMsBounds = [0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 250, 1000] as const

/** Most values of one dimension and workspace per hour; later values count as {@link otherValue}. */
export const rollupValuesMax = 200
/** The same for `toolRule`, whose values have three parts. */
export const rollupToolRulesMax = 1000
/** The same for kinds of events, which are part of the rows of every dimension. Our own kinds always have a place. */
export const rollupKindsMax = 30
export const otherValue = '(other)'

/** What decided a tool call: the server's id in the policy and the rule, empty if there is none. */
export interface ToolRule {
  readonly server: string
  readonly tool: string
  readonly rule: string
}

/** A value of the dimension `toolRule`: a JSON array of server, tool and rule. */
export const toolRuleValue = ({ server, tool, rule }: ToolRule): string => JSON.stringify([server, tool, rule])

/** The parts of a value of the dimension `toolRule`; undefined for {@link otherValue}. */
export function readToolRule(value: string): ToolRule | undefined {
  if (value === otherValue) return undefined
  const [server = '', tool = '', rule = ''] = JSON.parse(value) as string[]
  return { server, tool, rule }
}

export interface SeriesQuery {
  readonly workspaceId: string
  readonly dimension: RollupDimension
  /** `all` counts the whole range as one step. */
  readonly step: 'minute' | 'hour' | 'day' | 'all'
  /** Start time, rounded down to a step; for `all` to an hour, or to a minute if the range is a few hours long. */
  readonly from: number
  readonly to: number
  readonly kind?: string | undefined
}

/** Events of one step, one value of the dimension, one kind and one action. */
export interface SeriesPoint {
  /** Start of the step, in milliseconds since 1970. */
  readonly at: number
  readonly value: string
  readonly kind: string
  /** `mask`, `block`, `allow`, or empty for events without an action. */
  readonly action: string
  readonly events: number
  readonly entitiesMasked: number
}

/** Most points in a series; a query that would give more is a RangeError: use a longer step. */
export const seriesPointsMax = 50_000
