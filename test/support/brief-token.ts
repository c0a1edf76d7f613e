/**
 * Uses a token that expires soon, in time: where a busy machine lets it expire before it was used, another one is made that
 * lasts for twice as long.
 * @param use makes a token that expires then and uses it; gives undefined where that was too late
 */
export async function withBriefToken<T>(use: (expiresAt: number) => Promise<T | undefined>): Promise<T> {
  for (let lifeMs = 300; lifeMs < 60_000; lifeMs *= 2) {
    const used = await use(Date.now() + lifeMs)
    if (used !== undefined) return used
  }
  throw new Error('No token lasted until it was used.')
}
