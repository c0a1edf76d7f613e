/** Conditions on the arguments of a tool call, in the form in which a document has them. */
import { z } from 'zod'
import { policyBounds } from '../bounds.ts'
import { globSchema } from '../glob.ts'
import { jsonPointerSchema } from '../json-pointer.ts'

const { conditionDepthMax, conditionsMax, globsMax, listedUnitsMax, patternUnitsMax } = policyBounds

const scalar = z.union([z.string().max(listedUnitsMax), z.number(), z.boolean(), z.null()])
export type Scalar = z.output<typeof scalar>

/** One entry of `when`. */
export interface Condition {
  argument?: string | undefined
  exists?: boolean | undefined
  equals?: Scalar | undefined
  in?: Scalar[] | undefined
  matches?: string | undefined
  pathWithin?: string | string[] | undefined
  urlHost?: string | string[] | undefined
  lessThan?: number | undefined
  greaterThan?: number | undefined
  atMost?: number | undefined
  atLeast?: number | undefined
  all?: Condition[] | undefined
  any?: Condition[] | undefined
  not?: Condition | undefined
}

const path = z.string().min(1).max(listedUnitsMax)
const paths = z.union([path, z.array(path).min(1).max(globsMax)])
const hosts = z.union([globSchema, z.array(globSchema).min(1).max(globsMax)])

/** Tests of the value at a pointer, by their names in a document. */
const tests = {
  exists: z.boolean().describe('Whether the argument is present. The only test that a missing argument can meet.'),
  equals: scalar.describe('The argument has this value and JSON type. Integers beyond 2^53 cannot be judged.'),
  in: z.array(scalar).min(1).max(1000).describe('The argument is one of these values.'),
  matches: z
    .string()
    .min(1)
    .max(patternUnitsMax)
    .describe(
      'RE2 pattern that the whole text matches. If it matches only a part, the condition cannot be judged: a rule ' +
        'that denies or asks then applies, one that allows does not.'
    ),
  pathWithin: paths.describe(
    'The path is one of these or below one, after `..`, percent-encoding and backslashes are resolved. Symbolic links ' +
      'are not resolved.'
  ),
  urlHost: hosts.describe(
    'The host of the URL matches this glob: `*.corp.dev` is every host below corp.dev. A URL that different programs ' +
      'read as different hosts cannot be judged.'
  ),
  lessThan: z.number().describe('The argument is less than this number.'),
  greaterThan: z.number().describe('The argument is greater than this number.'),
  atMost: z.number().describe('The argument is at most this number.'),
  atLeast: z.number().describe('The argument is at least this number.')
}
const testNames = Object.keys(tests) as (keyof typeof tests)[]

export const conditionSchema: z.ZodType<Condition> = z
  .strictObject({
    argument: jsonPointerSchema
      .describe('JSON pointer to the argument: `/path`, `/options/force`, `/files/0`.')
      .optional(),
    ...z.strictObject(tests).partial().shape,
    get all() {
      return z.array(conditionSchema).min(1).max(conditionsMax).describe('All of these hold.').optional()
    },
    get any() {
      return z.array(conditionSchema).min(1).max(conditionsMax).describe('At least one of these holds.').optional()
    },
    get not() {
      return conditionSchema.optional().describe('This does not hold.')
    }
  })
  .superRefine((condition, context) => {
    const tested = testNames.filter((name) => condition[name] !== undefined)
    const combined = [condition.all, condition.any, condition.not].filter((one) => one !== undefined)
    const isTest = condition.argument !== undefined && tested.length > 0 && combined.length === 0
    const isCombination = condition.argument === undefined && tested.length === 0 && combined.length === 1
    if (isTest || isCombination) return
    const message = 'must be either an `argument` with at least one test, or one of `all`, `any` and `not`'
    context.addIssue({ code: 'custom', message })
  })
  .meta({
    id: 'Condition',
    description:
      'A test of an argument, or a combination of conditions. If the argument is a list, every item is tested; if ' +
      'some items meet the test and some do not, the condition cannot be judged.'
  })

/** The nesting depth of a condition; 1 for a single test. */
function conditionDepth(condition: Condition): number {
  const inner = [...(condition.all ?? []), ...(condition.any ?? []), ...(condition.not ? [condition.not] : [])]
  return 1 + Math.max(0, ...inner.map(conditionDepth))
}

/** Each condition of a rule, including nested ones, with the JSON pointer to it. @param path that of the list */
export function* conditionsAt(
  conditions: readonly Condition[],
  path: string
): Generator<readonly [path: string, condition: Condition]> {
  for (const [index, condition] of conditions.entries()) yield* withInner(condition, `${path}/${index}`)
}

function* withInner(condition: Condition, path: string): Generator<readonly [path: string, condition: Condition]> {
  yield [path, condition]
  const { all = [], any = [], not } = condition
  yield* conditionsAt(all, `${path}/all`)
  yield* conditionsAt(any, `${path}/any`)
  if (not) yield* withInner(not, `${path}/not`)
}

/** `when` of a rule: all of its conditions must hold. */
export const whenSchema = z
  .array(conditionSchema)
  .max(conditionsMax)
  .refine(
    (when) => when.every((one) => conditionDepth(one) <= conditionDepthMax),
    `must have at most ${conditionDepthMax} conditions inside one another`
  )
  .default([])
