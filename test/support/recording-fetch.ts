/** A real `fetch` that records its requests, so that a test can count an SDK's attempts and read all headers. */
export interface Attempt {
  readonly url: string
  readonly status: number
  readonly headers: Headers
}

interface RecordingFetch {
  readonly fetch: typeof globalThis.fetch
  readonly attempts: readonly Attempt[]
}

export function createRecordingFetch(): RecordingFetch {
  const attempts: Attempt[] = []
  return {
    attempts,
    async fetch(input, init) {
      const response = await fetch(input, init)
      attempts.push({ url: response.url, status: response.status, headers: response.headers })
      return response
    }
  }
}
