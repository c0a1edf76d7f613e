/** Time for what must end, whatever hangs: a disk, a name server. */

/** What closing a sensor may take in all. */
export const closeTimeoutMs = 2000

/** Waits for the work, and no longer than `ms`. The work is not stopped. @throws what the work throws in time */
export async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, ms)
  try {
    await Promise.race([work(), over.promise])
  } finally {
    clearTimeout(timer)
  }
}
