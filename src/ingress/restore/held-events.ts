/** The queue of waiting events of a stream, and each event as the client gets it. */
import type { JsonIndex } from '../../dialects/json/json-index.ts'
import { spliceBody, type TextEdit } from '../../dialects/json/splice.ts'
import { eventData, withData, type EventData } from '../answer/sse-event.ts'
import type { HeldEvent, Piece, RestoreChannel } from './channel.ts'
import { indexAnswer } from './index-answer.ts'

/** The most that may wait after an open text. Beyond that the text is taken as it is, and those after it wait on. */
const heldEventsMax = 64
const heldBytesMax = 1_048_576

/** One event of a stream, with what is to be restored in it. */
export interface StreamEvent extends HeldEvent {
  readonly bytes: Buffer
  readonly pieces: { readonly node: number; readonly piece: Piece; readonly channel: RestoreChannel }[]
  /** Restored values in texts that are complete in this event. */
  readonly edits: TextEdit[]
  /** Its JSON; absent if it was not parsed. */
  read?: { readonly data: EventData; readonly index: JsonIndex } | undefined
}

/** A queue in which an event waits while a piece in it, or in an earlier one, is open. */
export class HeldEvents {
  readonly #events: StreamEvent[] = []
  #bytes = 0

  get isEmpty(): boolean {
    return this.#events.length === 0
  }

  /**
   * Adds the next event. If too much waits, the texts of the first event are ended.
   * @param ready receives the events that may go on
   */
  push(event: StreamEvent, ready: Buffer[]): void {
    const events = this.#events
    events.push(event)
    this.#bytes += event.bytes.length
    this.release(ready)
    while (events.length > heldEventsMax || this.#bytes > heldBytesMax) {
      for (const { channel } of (events[0] as StreamEvent).pieces) channel.end()
      this.release(ready)
    }
  }

  /**
   * Releases the events at the front in which nothing is open any more.
   * @param ready receives them
   */
  release(ready: Buffer[]): void {
    while (this.#events[0]?.open === 0) {
      const event = this.#events.shift() as StreamEvent
      this.#bytes -= event.bytes.length
      ready.push(finished(event))
    }
  }
}

/** The event as the client gets it. */
function finished({ bytes, pieces, edits, read }: StreamEvent): Buffer {
  const ofPieces = pieces.flatMap(({ node, piece }) => piece.edits.map((edit) => ({ node, ...edit })))
  const all = [...edits, ...ofPieces]
  if (all.length === 0) return bytes
  const data = read?.data ?? eventData(bytes)
  const index = read?.index ?? (data && indexAnswer(data.bytes))
  if (!data || !index) return bytes
  for (const splice = spliceBody(index, all, Infinity); ;) {
    const step = splice.next()
    if (step.done === true) return withData(bytes, data, step.value)
  }
}
