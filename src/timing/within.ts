/** Time limits for work that may hang: a disk, a connection that died unnoticed, a process. */

/**
 * Waits for the work, but no longer than `ms`. The work is not stopped, and what it throws later is ignored.
 * @returns whether the work settled in time
 * @throws what the work throws in time
 */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits for a result, but no longer than `ms`. The work is not stopped.
 * @param tooLate creates the error if there is no result in time
 * @throws what the work throws, or the error from `tooLate`
 */
export async function resultWithin<T>(ms: number, work: Promise<T>, tooLate: () => Error): Promise<T> {
  if (await within(ms, work)) return work
  throw tooLate()
}
