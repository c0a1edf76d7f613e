/** Waits for what happens asynchronously, such as an event that is written after the response was sent. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls until there is a result.
 * @param probe returns the awaited value, or undefined while there is none
 * @param what names the awaited thing in the error
 * @throws Error if nothing came within the time limit, which is generous: it ends a broken test and measures nothing
 */
export async function eventually<T>(what: string, probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const attemptsMax = 1500
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const value = await probe()
    if (value !== undefined) return value
    // Slow results are polled less often: several hundred tests that wait at once would slow each other down.
    await sleep(attempt < 50 ? Math.min(5 + attempt, 30) : 60)
  }
  throw new Error(`It never came: ${what}.`)
}
