/** Requests and answers for tests of exchanges. */
import type { UpstreamAnswer } from './exchange.ts'

/** A request with a small body. */
export const post = (origin: string) => ({ origin, path: '/x', method: 'POST' as const, body: Buffer.from('{}') })

/** The body of an answer. */
export function whole(answer: UpstreamAnswer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    answer.receive({
      data: (chunk) => chunks.push(chunk) > 0,
      end: () => resolve(Buffer.concat(chunks).toString()),
      fail: reject
    })
  })
}
