/** Splits a stream of bytes into lines, MCP's framing on stdio: one message per line, ended by LF or CRLF. */

const lineFeed = 0x0a
const carriageReturn = 0x0d

export interface LineSink {
  /** One line without its end; empty lines are omitted. The sink may keep the array. */
  line(bytes: Uint8Array): void
  /** A line over the limit: its first bytes, reported once. The rest of it is dropped. */
  tooLong(beginning: Uint8Array): void
}

/** How much of such a line is kept: enough to find its id, which usually is at the front. */
const beginningBytesMax = 4096

/** @param lineBytesMax longest line; nothing beyond it is held in memory */
export class LineSplitter {
  readonly #sink: LineSink
  readonly #lineBytesMax: number
  #held: Uint8Array[] = []
  #heldBytes = 0
  #isSkipping = false

  constructor(sink: LineSink, lineBytesMax: number) {
    this.#sink = sink
    this.#lineBytesMax = lineBytesMax
  }

  /** Bytes of the line that has not ended yet. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length;) {
      const feed = chunk.indexOf(lineFeed, from)
      const to = feed < 0 ? chunk.length : feed
      if (!this.#isSkipping) this.#hold(chunk.subarray(from, to))
      if (feed >= 0) this.#end()
      from = to + 1
    }
  }

  /** The stream has ended: what has no line end counts as a line as well. */
  end(): void {
    this.#end()
  }

  #hold(piece: Uint8Array): void {
    if (piece.length === 0) return
    this.#held.push(piece)
    this.#heldBytes += piece.length
    if (this.#heldBytes <= this.#lineBytesMax) return
    const beginning = Buffer.concat(this.#held).subarray(0, beginningBytesMax)
    this.#drop()
    this.#isSkipping = true
    this.#sink.tooLong(Uint8Array.prototype.slice.call(beginning))
  }

  #end(): void {
    this.#isSkipping = false
    if (this.#heldBytes === 0) return
    const whole = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held, this.#heldBytes)
    this.#drop()
    const line = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole
    if (line.length > 0) this.#sink.line(line)
  }

  #drop(): void {
    this.#held = []
    this.#heldBytes = 0
  }
}
