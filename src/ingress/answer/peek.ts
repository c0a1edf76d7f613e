/** Reads the beginning of an answer before any of it is passed on. */
import type { AnswerSink, UpstreamAnswer } from '../../upstream/exchange.ts'

interface PeekedAnswer {
  /** The whole body, or at least its first `bytesMax` bytes, to the end of a chunk. */
  readonly beginning: Buffer
  /** The same answer, from its first byte. */
  readonly answer: UpstreamAnswer
}

/**
 * Reads until the body ends or `bytesMax` bytes have arrived. Never rejects: if the body breaks off, the reader of the
 * returned answer sees that.
 */
export function peekAnswer(answer: UpstreamAnswer, bytesMax: number): Promise<PeekedAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let next: AnswerSink | undefined
    let outcome: ((sink: AnswerSink) => void) | undefined
    const replay: UpstreamAnswer = {
      status: answer.status,
      headers: answer.headers,
      receive(sink) {
        next = sink
        for (const chunk of chunks.splice(0)) sink.data(chunk)
        if (outcome) outcome(sink)
        else answer.resume()
      },
      resume: () => answer.resume(),
      dismiss: () => answer.dismiss()
    }
    const settle = (): void => resolve({ beginning: Buffer.concat(chunks), answer: replay })
    const finish = (end: (sink: AnswerSink) => void): void => {
      outcome = end
      if (next) end(next)
      else settle()
    }
    answer.receive({
      data(chunk) {
        if (next) return next.data(chunk)
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes < bytesMax) return true
        settle()
        return false
      },
      end: () => finish((sink) => sink.end()),
      fail: (error) => finish((sink) => sink.fail(error))
    })
  })
}
