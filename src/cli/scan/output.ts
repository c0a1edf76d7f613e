/** Writes to a stream with backpressure. */
import type { Writable } from 'node:stream'

/** How much text is buffered before it is written to the stream. */
const gatheredUnits = 65_536

/** Thrown if the reader has gone, as `head` does: nobody is left to write for, and nothing is wrong. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

export interface Output {
  /** Writes text; resolves once the stream can take more. */
  write(text: string): Promise<void>
  /** Writes what is still buffered. */
  flush(): Promise<void>
}

/** An output over a stream such as standard output. */
export function createOutput(stream: Writable): Output {
  let gathered = ''
  let failure: Error | undefined
  const remember = (error: NodeJS.ErrnoException): void => {
    failure ??= error.code === 'EPIPE' ? new ReaderGone() : error
  }
  stream.on('error', remember)
  const check = (): void => {
    if (failure) throw failure
  }

  async function flush(): Promise<void> {
    check()
    if (gathered === '') return
    const text = gathered
    gathered = ''
    if (stream.write(text)) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stream.off('drain', done).off('error', done).off('close', done)
        resolve()
      }
      stream.on('drain', done).on('error', done).on('close', done)
    })
    check()
  }

  return {
    async write(text) {
      gathered += text
      if (gathered.length >= gatheredUnits) await flush()
    },
    flush
  }
}
