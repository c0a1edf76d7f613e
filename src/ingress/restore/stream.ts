/**
 * Restores a stream of server-sent events. Every event goes on as it came unless a value is put back into it; none is
 * lost, merged or reordered. An event waits only while the end of a text in it may be the beginning of a placeholder, and
 * where a glance tells that nothing in it can be, it is read when it is on its way.
 */
import { isUtf8 } from 'node:buffer'
import type { AnswerReader, AnswerText } from '../../dialects/answer/answer.ts'
import type { JsonIndex } from '../../dialects/json/json-index.ts'
import { spliceBody, type TextEdit } from '../../dialects/json/splice.ts'
import { EventTemplates, type LikeEvent } from './event-template.ts'
import { mayHoldPlaceholder } from './glance.ts'
import { indexAnswer } from './index-answer.ts'
import { RestoreChannel, type HeldEvent, type Piece } from './channel.ts'
import { formOf, wholeTextEdits, type RestoreCounts, type RestorePlan } from './text.ts'
import { endOfEvent, eventData, withData, type EventData } from '../answer/sse-event.ts'

/** What waits behind an open text; with more than that this text is taken as it stands, and those behind it wait on. */
const heldEventsMax = 64
const heldBytesMax = 1_048_576

interface QueuedEvent extends HeldEvent {
  readonly bytes: Buffer
  readonly pieces: { readonly node: number; readonly piece: Piece; readonly channel: RestoreChannel }[]
  /** What is put back into texts that stand in it as a whole. */
  readonly edits: TextEdit[]
  /** Its JSON; absent where it was not read. */
  read?: { readonly data: EventData; readonly index: JsonIndex } | undefined
}

export interface StreamRestorer {
  /** @returns what may go on; nothing while all of it waits */
  push(events: Buffer): Buffer
  /** The rest, at the end of the stream. */
  end(): Buffer
  /** Reads what has gone on unread; before that, the counts may lack it. */
  catchUp(): void
}

export function createStreamRestorer(
  reader: AnswerReader,
  plan: RestorePlan,
  counts: RestoreCounts,
  templates = new EventTemplates(reader),
  mayHold = mayHoldPlaceholder
): StreamRestorer {
  const channels = new Map<string, RestoreChannel>()
  const queue: QueuedEvent[] = []
  let heldBytes = 0
  /** What has gone on before it was read. */
  let unread: Buffer | undefined
  let isToCatchUp = false

  /** Reads an event. */
  function take(bytes: Buffer): QueuedEvent {
    const event: QueuedEvent = { bytes, open: 0, pieces: [], edits: [] }
    const data = eventData(bytes)
    if (data === undefined || !isUtf8(data.bytes)) return event
    const index = indexAnswer(data.bytes)
    if (index === undefined) return event
    event.read = { data, index }
    const { texts, ended } = reader.read(index)
    const restored = texts.filter(({ tool }) => tool === undefined || plan.mayRestoreTool(tool))
    for (const text of restored) {
      const content = index.text(text.node)
      if (text.channel === undefined) {
        for (const edit of wholeTextEdits(text.node, content, formOf(text, plan), plan.table, counts))
          event.edits.push(edit)
      } else hold(event, text, content)
    }
    for (const beginning of ended) end(beginning)
    learn(bytes, data, index, restored, ended)
    return event
  }

  /** Remembers an event of at most one text. */
  function learn(
    bytes: Buffer,
    data: EventData,
    index: JsonIndex,
    texts: readonly AnswerText[],
    ended: readonly string[]
  ): void {
    const [text] = texts
    if (texts.length > 1 || (text && text.channel === undefined) || data.lines.length > 1) return
    const dataStart = data.bytes.byteOffset - bytes.byteOffset
    const dataEnd = dataStart + data.bytes.length
    templates.learn({ bytes, dataStart, dataEnd, index, text, ended, revision: reader.revision })
  }

  function hold(event: QueuedEvent, text: AnswerText, content: string): void {
    const piece = { event, text: content, edits: [] }
    const channel = channelOf(text)
    event.pieces.push({ node: text.node, piece, channel })
    channel.push(piece)
  }

  /** Whether an event that is like an earlier one goes on at once as it is. */
  function passes({ template: { text, ended }, content }: LikeEvent): boolean {
    if (queue.length > 0 || (text && !channelOf(text).pass(content))) return false
    for (const beginning of ended) end(beginning)
    return true
  }

  function takeLike({ template: { text, ended }, content }: LikeEvent, bytes: Buffer): QueuedEvent {
    const event: QueuedEvent = { bytes, open: 0, pieces: [], edits: [] }
    if (text) hold(event, text, content)
    for (const beginning of ended) end(beginning)
    return event
  }

  function channelOf(text: AnswerText): RestoreChannel {
    const { channel = '' } = text
    const known = channels.get(channel)
    if (known !== undefined) return known
    const made = new RestoreChannel(plan, formOf(text, plan), counts)
    channels.set(channel, made)
    return made
  }

  /**
   * Ends the channels whose names begin so. They are kept: a client joins what comes before and after the call of a tool
   * to one text.
   */
  function end(beginning: string): void {
    for (const [name, channel] of channels) if (name.startsWith(beginning)) channel.end()
  }

  function flush(ready: Buffer[]): void {
    while (queue.length > 0 && (queue[0] as QueuedEvent).open === 0) {
      const event = queue.shift() as QueuedEvent
      heldBytes -= event.bytes.length
      ready.push(finished(event))
    }
  }

  /** Takes note of what has gone on unread, for what comes after it. Nothing of it can be put back or wait. */
  function readOn(events: Buffer): void {
    for (let at = 0, next = 0; at < events.length; at = next) {
      const like = templates.match(events, at)
      next = like?.end ?? endOfEvent(events, at)
      if (like === undefined) take(events.subarray(at, next))
      else if (!passes(like)) takeLike(like, events.subarray(at, next))
    }
  }

  function catchUp(): void {
    if (unread) readOn(unread)
    unread = undefined
    templates.remember()
  }

  /** Catches up when what was pushed is on its way. What fails there fails again where the next push sees it. */
  function catchUpSoon(): void {
    if (isToCatchUp) return
    isToCatchUp = true
    setImmediate(() => {
      isToCatchUp = false
      try {
        catchUp()
      } catch {}
    })
  }

  return {
    push(events) {
      if (events.length === 0) return events
      catchUp()
      const ready: Buffer[] = []
      /** From here to where the next event begins everything goes on as it is. */
      let passed = 0
      for (let at = 0, next = 0; at < events.length; at = next) {
        const like = templates.match(events, at)
        next = like?.end ?? endOfEvent(events, at)
        if (like && passes(like)) continue
        if (!like) catchUpSoon()
        if (!like && queue.length === 0 && !mayHold(events, at, plan.table)) {
          unread = events.subarray(at)
          break
        }
        if (at > passed) ready.push(events.subarray(passed, at))
        passed = next
        const bytes = events.subarray(at, next)
        queue.push(like ? takeLike(like, bytes) : take(bytes))
        heldBytes += bytes.length
        flush(ready)
        while (queue.length > heldEventsMax || heldBytes > heldBytesMax) {
          for (const { channel } of (queue[0] as QueuedEvent).pieces) channel.end()
          flush(ready)
        }
      }
      if (passed === 0) return events
      if (events.length > passed) ready.push(events.subarray(passed))
      return ready.length === 1 ? (ready[0] as Buffer) : Buffer.concat(ready)
    },
    end() {
      // Behind what went on unread nothing waits, and the client does.
      const ready: Buffer[] = []
      end('')
      flush(ready)
      return Buffer.concat(ready)
    },
    catchUp
  }
}

/** The event as the client gets it. */
function finished({ bytes, pieces, edits, read }: QueuedEvent): Buffer {
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
