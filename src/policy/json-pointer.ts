/** JSON pointers (RFC 6901). */
import { z } from 'zod'
import { policyBounds } from './bounds.ts'

const { pointerUnitsMax, pointerStepsMax } = policyBounds

export const jsonPointerSchema = z
  .string()
  .max(pointerUnitsMax)
  .regex(/^(?:\/(?:[^/~]|~[01])*)*$/)
  .refine((pointer) => pointer.split('/').length - 1 <= pointerStepsMax, `must have at most ${pointerStepsMax} steps`)

/** Longer names are cut in the pointers of messages. */
const shownUnitsMax = 64

/** The pointer to a place below `base`. Very long names are cut: the pointer is for people and for logs. */
export function pointerTo(base: string, path: readonly PropertyKey[]): string {
  return base + path.map((step) => `/${escaped(String(step))}`).join('')
}

function escaped(name: string): string {
  const shown = name.length > shownUnitsMax ? `${name.slice(0, shownUnitsMax)}...` : name
  return shown.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The names that a pointer consists of. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Whether a step of a pointer can be an array index. */
const indexPattern = /^(?:0|[1-9][0-9]{0,8})$/

/**
 * Makes a function that returns the value at a pointer, or undefined if there is none. Inherited members do not count.
 */
export function compilePointer(pointer: string): (document: unknown) => unknown {
  const steps = pointerSteps(pointer)
  return (document) => {
    let value: unknown = document
    for (const step of steps) {
      if (typeof value !== 'object' || value === null) return undefined
      if (Array.isArray(value) ? !indexPattern.test(step) : !Object.hasOwn(value, step)) return undefined
      value = (value as Record<string, unknown>)[step]
    }
    return value
  }
}
