/** Kleene's three-valued logic as numbers: `and` is the minimum, `or` the maximum, `not` the mirror image. */

export const no = 0
/** Cannot be judged. */
export const maybe = 1
export const yes = 2
export type Judgement = typeof no | typeof maybe | typeof yes

/** A boolean as a judgement. */
export const judge = (holds: boolean): Judgement => (holds ? yes : no)

/** All of some tests; met if there are none. */
export function allOf<T>(tests: readonly ((value: T) => Judgement)[]): (value: T) => Judgement {
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (value) => {
    let least: Judgement = yes
    for (const test of tests) {
      const judgement = test(value)
      if (judgement === no) return no
      if (judgement < least) least = judgement
    }
    return least
  }
}

/** At least one of some tests; unmet if there are none. */
export function anyOf<T>(tests: readonly ((value: T) => Judgement)[]): (value: T) => Judgement {
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (value) => {
    let greatest: Judgement = no
    for (const test of tests) {
      const judgement = test(value)
      if (judgement === yes) return yes
      if (judgement > greatest) greatest = judgement
    }
    return greatest
  }
}

/** The negation of a test; what cannot be judged stays so. */
export function negate<T>(test: (value: T) => Judgement): (value: T) => Judgement {
  return (value) => (yes - test(value)) as Judgement
}
