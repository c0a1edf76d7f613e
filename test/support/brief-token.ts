/**
 * Uses a short-lived token before it expires. If a slow machine lets it expire before use, retries with one that lives
 * twice as long.
 * @param use creates a token that expires then and uses it; returns undefined if that was too late
 */
export async function withBriefToken<T>(use: (expiresAt: number) => Promise<T | undefined>): Promise<T> {
  for (let lifeMs = 300; lifeMs < 60_000; lifeMs *= 2) {
    const used = await use(Date.now() + lifeMs)
    if (used !== undefined) return used
  }
  throw new Error('No token lasted until it was used.')
}
