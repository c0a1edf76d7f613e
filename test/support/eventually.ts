/** Waiting for what happens on its own time, such as an event that is written after the answer has gone out. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again until the answer is there.
 * @param probe gives the awaited value, or undefined while it is not there yet
 * @param what names the awaited thing in the error
 * @throws Error when nothing came within the bound, which is generous: it ends a broken test and measures nothing
 */
export async function eventually<T>(what: string, probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const attemptsMax = 1500
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const value = await probe()
    if (value !== undefined) return value
    // Whatever takes long is asked for seldom: some hundred tests that wait at once would keep each other from it.
    await sleep(attempt < 50 ? Math.min(5 + attempt, 30) : 60)
  }
  throw new Error(`It never came: ${what}.`)
}
