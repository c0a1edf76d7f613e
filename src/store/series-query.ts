/** What can be asked of the counts over time. */

/**
 * What a rollup counts by. `total` has one value, the empty text. `entityKind` counts entities by kind and not events.
 * `addedMs` is a histogram of the time that scanning added to a call: its values are the upper bounds of
 * {@link addedMsBounds} as text, and `inf`. `toolRule` counts calls of tools by server, tool and the rule that decided;
 * its values are what {@link toolRuleValue} makes.
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

/** Most values that one dimension of a workspace keeps in an hour; what comes later counts as {@link otherValue}. */
export const rollupValuesMax = 200
/** The same for `toolRule`, whose values are of three parts. */
export const rollupToolRulesMax = 1000
/** The same for kinds of events, which stand in the rows of every dimension. Those of our own always have a place. */
export const rollupKindsMax = 30
export const otherValue = '(other)'

/** Who decided a call of a tool: the server's id in the policy and the rule, empty where there is none. */
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
  /** From this time on, cut down to a step; for `all` to an hour, or to a minute where the range is a few hours long. */
  readonly from: number
  readonly to: number
  readonly kind?: string | undefined
}

/** Events of one step, one value of the dimension, one kind and one action. */
export interface SeriesPoint {
  /** Beginning of the step, in milliseconds since 1970. */
  readonly at: number
  readonly value: string
  readonly kind: string
  /** `mask`, `block`, `allow`, or the empty text for events that have none. */
  readonly action: string
  readonly events: number
  readonly entitiesMasked: number
}

/** Most points that one series has; a query that would give more is a RangeError: ask for a longer step. */
export const seriesPointsMax = 50_000
