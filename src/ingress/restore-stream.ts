/**
 * Restores a stream of server-sent events. Every event goes on as it came unless a value is put back into it; none is
 * lost, merged or reordered. An event waits only while the end of a text in it may be the beginning of a placeholder.
 */
import { isUtf8 } from 'node:buffer'
import type { AnswerReader, AnswerText } from '../dialects/answer.ts'
import { spliceBody, type TextEdit } from '../dialects/splice.ts'
import { indexAnswer } from './index-answer.ts'
import { RestoreChannel, type HeldEvent, type Piece } from './restore-channel.ts'
import { wholeTextEdits, type RestoreCounts, type RestorePlan } from './restore-text.ts'
import { eventData, splitEvents, withData } from './sse-event.ts'

/** Events that wait behind an open text; with more of them the text is taken as it stands. */
const heldEventsMax = 64

interface QueuedEvent extends HeldEvent {
  /** What goes to the client; made anew where something is put back. */
  bytes: Buffer
  readonly pieces: { readonly node: number; readonly piece: Piece }[]
  finish?: (() => Buffer) | undefined
}

export interface StreamRestorer {
  /** @returns what may go on; nothing while all of it waits */
  push(events: Buffer): Buffer
  /** The rest, at the end of the stream. */
  end(): Buffer
}

export function createStreamRestorer(reader: AnswerReader, plan: RestorePlan, counts: RestoreCounts): StreamRestorer {
  const channels = new Map<string, RestoreChannel>()
  const queue: QueuedEvent[] = []

  function take(bytes: Buffer): QueuedEvent {
    const event: QueuedEvent = { bytes, open: 0, pieces: [] }
    const data = eventData(bytes)
    if (data === undefined || !isUtf8(data.bytes)) return event
    const index = indexAnswer(data.bytes)
    if (index === undefined) return event
    const { texts, ended } = reader.read(index)
    const edits: TextEdit[] = []
    for (const text of texts) {
      if (text.tool !== undefined && !plan.mayRestoreTool(text.tool)) continue
      const content = index.text(text.node)
      if (text.channel === undefined) {
        for (const edit of wholeTextEdits(text.node, content, text.form, plan.table, counts)) edits.push(edit)
      } else {
        const piece = { event, text: content, edits: [] }
        event.pieces.push({ node: text.node, piece })
        channelOf(text).push(piece)
      }
    }
    for (const beginning of ended) end(beginning)
    event.finish = () => {
      const all = [
        ...edits,
        ...event.pieces.flatMap(({ node, piece }) => piece.edits.map((edit) => ({ node, ...edit })))
      ]
      return all.length === 0 ? bytes : withData(bytes, data, finished(spliceBody(index, all, Infinity)))
    }
    return event
  }

  function channelOf({ channel = '', form }: AnswerText): RestoreChannel {
    const known = channels.get(channel)
    if (known !== undefined) return known
    const made = new RestoreChannel(plan, form, counts)
    channels.set(channel, made)
    return made
  }

  /** Ends the channels whose names begin so. */
  function end(beginning: string): void {
    for (const [name, channel] of channels) {
      if (!name.startsWith(beginning)) continue
      channel.end()
      channels.delete(name)
    }
  }

  function flush(): Buffer {
    const ready: Buffer[] = []
    while (queue.length > 0 && (queue[0] as QueuedEvent).open === 0) {
      const event = queue.shift() as QueuedEvent
      ready.push(event.finish ? event.finish() : event.bytes)
    }
    return ready.length === 1 ? (ready[0] as Buffer) : Buffer.concat(ready)
  }

  return {
    push(events) {
      for (const bytes of splitEvents(events)) {
        queue.push(take(bytes))
        if (queue.length > heldEventsMax && (queue[0] as QueuedEvent).open > 0)
          for (const channel of channels.values()) channel.end()
      }
      return flush()
    },
    end() {
      end('')
      return flush()
    }
  }
}

function finished(splice: ReturnType<typeof spliceBody>): Uint8Array {
  for (;;) {
    const step = splice.next()
    if (step.done === true) return step.value
  }
}
