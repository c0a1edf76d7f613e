/** Splits a stream of server-sent events into whole events as they arrive, with a limit on each event. */

/** An event over the limit; the stream cannot be read any further. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Yields each event with the blank line that ends it, and finally any rest without one.
 * @throws EventTooLarge
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>, eventBytesMax: number): AsyncGenerator<Buffer> {
  const cutter = new EventCutter(eventBytesMax)
  for await (const piece of chunks) {
    yield* cutter.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
  }
  yield* cutter.end()
}

/** Examines every byte once, however the stream is cut: a stream of single bytes costs no more than one chunk. */
class EventCutter {
  readonly #bytesMax: number
  #held: Buffer[] = []
  #heldBytes = 0
  #isLineEmpty = true
  /** The last chunk ended in a CR: an LF that follows belongs to it. */
  #halfEnd: { readonly isBlank: boolean } | undefined
  /** The first bytes of the stream, while they may be a byte order mark. */
  #mark: Buffer | undefined = Buffer.alloc(0)

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  *push(piece: Buffer): Generator<Buffer> {
    let chunk = piece
    if (this.#mark) {
      // A client removes the mark, so what follows it is judged without the mark as well.
      chunk = Buffer.concat([this.#mark, piece])
      this.#mark = chunk
      if (chunk.length < 3 && byteOrderMark.subarray(0, chunk.length).equals(chunk)) return
      this.#mark = undefined
      if (chunk.subarray(0, 3).equals(byteOrderMark)) chunk = chunk.subarray(3)
    }
    if (chunk.length === 0) return
    let start = 0
    for (const end of this.#blankEnds(chunk)) {
      yield this.#take(chunk.subarray(start, end))
      start = end
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start))
  }

  *end(): Generator<Buffer> {
    if (this.#mark?.length) this.#hold(this.#mark)
    if (this.#heldBytes > 0) yield this.#take(Buffer.alloc(0))
  }

  /** The offsets in a chunk at which blank lines end. */
  *#blankEnds(chunk: Buffer): Generator<number> {
    let at = 0
    if (this.#halfEnd) {
      if (chunk[0] === lineFeed) at = 1
      const { isBlank } = this.#halfEnd
      this.#halfEnd = undefined
      if (isBlank) yield at
    }
    let feed = chunk.indexOf(lineFeed, at)
    let carriage = chunk.indexOf(carriageReturn, at)
    while (at < chunk.length) {
      if (feed >= 0 && feed < at) feed = chunk.indexOf(lineFeed, at)
      if (carriage >= 0 && carriage < at) carriage = chunk.indexOf(carriageReturn, at)
      const isCarriage = carriage >= 0 && (feed < 0 || carriage < feed)
      const next = isCarriage ? carriage : feed
      if (next < 0) {
        this.#isLineEmpty = false
        return
      }
      const isBlank = this.#isLineEmpty && next === at
      this.#isLineEmpty = true
      if (isCarriage && next + 1 === chunk.length) {
        this.#halfEnd = { isBlank }
        return
      }
      at = isCarriage && chunk[next + 1] === lineFeed ? next + 2 : next + 1
      if (isBlank) yield at
    }
  }

  #hold(piece: Buffer): void {
    this.#heldBytes += piece.length
    if (this.#heldBytes > this.#bytesMax) throw new EventTooLarge()
    this.#held.push(piece)
  }

  #take(last: Buffer): Buffer {
    this.#hold(last)
    const event = this.#held.length === 1 ? last : Buffer.concat(this.#held, this.#heldBytes)
    this.#held = []
    this.#heldBytes = 0
    return event
  }
}
