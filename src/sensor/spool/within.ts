/** A timeout for work that may hang: a disk, a name server. */

/** How long closing a sensor may take in total. */
export const closeTimeoutMs = 2000

/** Waits for the work, but no longer than `ms`. The work is not stopped. @throws what the work throws in time */
export async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, ms)
  try {
    await Promise.race([work(), over.promise])
  } finally {
    clearTimeout(timer)
  }
}
