/**
 * A timeout for a store that may have become silent: a connection that died unnoticed answers nothing for many seconds.
 */

/**
 * @param tooLate creates the error if the work takes longer than `patienceMs`; the work itself continues
 * @throws what `work` throws, or the error from `tooLate`
 */
export async function withPatience<T>(work: Promise<T>, patienceMs: number, tooLate: () => Error): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooLate()), patienceMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
