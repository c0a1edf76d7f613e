/** Splits a stream of bytes into lines, MCP's framing on stdio: one message per line, ended by LF or CRLF. */

const lineFeed = 0x0a
const carriageReturn = 0x0d

interface LineSink {
  /** One line without its end; empty lines are omitted. The sink may keep the array. */
  line(bytes: Uint8Array): void
  /** A line over the limit has ended: its first and its last bytes. What was between them is dropped. */
  tooLong(beginning: Uint8Array, ending: Uint8Array): void
}

/** How much is kept of each end of such a line: enough to find its id. */
const endBytesMax = 4096

/** @param lineBytesMax longest line; nothing beyond it is held in memory */
export class LineSplitter {
  readonly #sink: LineSink
  readonly #lineBytesMax: number
  #held: Uint8Array[] = []
  #heldBytes = 0
  /** The beginning of a line over the limit, and the last bytes of it so far. */
  #cut: { readonly beginning: Uint8Array; ending: Uint8Array } | undefined

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
      this.#hold(chunk.subarray(from, to))
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
    if (this.#cut !== undefined) {
      this.#cut.ending = lastOf([this.#cut.ending, piece])
      return
    }
    this.#held.push(piece)
    this.#heldBytes += piece.length
    if (this.#heldBytes <= this.#lineBytesMax) return
    const beginning = Buffer.concat(this.#held, Math.min(this.#heldBytes, endBytesMax))
    this.#cut = { beginning, ending: lastOf(this.#held) }
    this.#drop()
  }

  #end(): void {
    const cut = this.#cut
    this.#cut = undefined
    if (cut !== undefined) this.#sink.tooLong(cut.beginning, cut.ending)
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

/** The last bytes of consecutive pieces, which can then be let go. */
function lastOf(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.prototype.slice.call(Buffer.concat(pieces), -endBytesMax)
}
