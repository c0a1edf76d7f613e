/** How far a stream of server-sent events was read, so that it can be resumed (`Last-Event-ID`, `retry`). */
import { setTimeout as sleep } from 'node:timers/promises'

const retryDefaultMs = 1000
/** A server that ends each stream at once and asks for no pause would be asked without end. */
const retryMinMs = 100
const retryMaxMs = 60_000

export class StreamCursor {
  /** The `id` of the last event that had one. */
  lastId: string | undefined
  #pauseMs = retryDefaultMs
  #movedTo: string | undefined

  /** Records the fields of an event. */
  note(event: Buffer): void {
    // Data lines are long and come first or last; ids and times are short.
    for (const line of event.toString('latin1').split(/\r\n|\n|\r/)) {
      if (line.startsWith('id:')) this.lastId = valueOf(line.slice(3))
      else if (/^retry: ?[0-9]{1,6}$/.test(line))
        this.#pauseMs = Math.min(Math.max(Number(line.slice(6)), retryMinMs), retryMaxMs)
    }
  }

  /** Whether an event with a different id has arrived since the last call. */
  hasMoved(): boolean {
    const hasMoved = this.lastId !== this.#movedTo
    this.#movedTo = this.lastId
    return hasMoved
  }

  /** The header that asks to resume the stream. */
  headers(): Record<string, string> {
    return this.lastId !== undefined && /^[\x20-\x7e]{1,4096}$/.test(this.lastId)
      ? { 'last-event-id': this.lastId }
      : {}
  }

  /** How long to wait before the stream is asked for again, in milliseconds: as the server said, within limits. */
  get pauseMs(): number {
    return this.#pauseMs
  }

  /** Waits that long. */
  async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.#pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

const valueOf = (text: string): string => (text.startsWith(' ') ? text.slice(1) : text)
