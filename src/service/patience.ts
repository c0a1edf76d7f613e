/** Waiting for a store that may have gone silent: a connection that died unseen answers nothing for many seconds. */

/**
 * @param tooLate makes the error of a wait that took longer than `patienceMs`; the work goes on all the same
 * @throws what `work` throws, or what `tooLate` makes
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
