/**
 * Restores a stream of server-sent events. Every event passes unchanged unless a value is restored in it; none is lost,
 * merged or reordered. An event waits only while a text in it may end with the beginning of a placeholder. If a glance
 * rules that out, the event is parsed after it was passed on.
 */
import type { AnswerReader } from '../../dialects/answer/answer.ts'
import { endOfEvent } from '../answer/sse-event.ts'
import { EventTemplates } from './event-template.ts'
import { EventTexts } from './event-texts.ts'
import { mayHoldPlaceholder } from './glance.ts'
import { HeldEvents } from './held-events.ts'
import type { RestoreCounts, RestorePlan } from './text.ts'

export interface StreamRestorer {
  /** @returns what may be sent; empty while everything waits */
  push(events: Buffer): Buffer
  /** The rest, at the end of the stream. */
  end(): Buffer
  /** Parses what was passed on unparsed. Until then, the counts may lack it. */
  catchUp(): void
}

/**
 * @param reader of this answer only: it remembers what it has read
 * @param counts restored values and remaining placeholders are added here
 */
export function createStreamRestorer(
  reader: AnswerReader,
  plan: RestorePlan,
  counts: RestoreCounts,
  templates = new EventTemplates(reader),
  mayHold = mayHoldPlaceholder
): StreamRestorer {
  const texts = new EventTexts(reader, plan, counts, templates)
  const held = new HeldEvents()
  const widest = plan.editTable ?? plan.table
  /** What was passed on before it was parsed. */
  let unread: Buffer | undefined
  let isToCatchUp = false

  /** Parses what was already passed on, for the sake of what follows. Nothing in it can be restored or has to wait. */
  function readOn(events: Buffer): void {
    for (let at = 0, next = 0; at < events.length; at = next) {
      const like = templates.match(events, at)
      next = like?.end ?? endOfEvent(events, at)
      if (like === undefined) texts.take(events.subarray(at, next))
      else if (!held.isEmpty || !texts.passes(like)) texts.takeLike(like, events.subarray(at, next))
    }
  }

  function catchUp(): void {
    if (unread) readOn(unread)
    unread = undefined
    templates.remember()
  }

  /**
   * Catches up once what was pushed has been passed on. An error here comes up again in the next push, which reports
   * it.
   */
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
      /** From here to the start of the next event, everything passes unchanged. */
      let passed = 0
      for (let at = 0, next = 0; at < events.length; at = next) {
        const like = templates.match(events, at)
        next = like?.end ?? endOfEvent(events, at)
        if (like && held.isEmpty && texts.passes(like)) continue
        if (!like) catchUpSoon()
        if (!like && held.isEmpty && !texts.isWatching && !mayHold(events, at, widest)) {
          unread = events.subarray(at)
          break
        }
        if (at > passed) ready.push(events.subarray(passed, at))
        passed = next
        const bytes = events.subarray(at, next)
        held.push(like ? texts.takeLike(like, bytes) : texts.take(bytes), ready)
      }
      if (passed === 0) return events
      if (events.length > passed) ready.push(events.subarray(passed))
      return ready.length === 1 ? (ready[0] as Buffer) : Buffer.concat(ready)
    },
    end() {
      // Nothing waits behind what was passed on unparsed, but the client does.
      const ready: Buffer[] = []
      texts.end('')
      held.release(ready)
      return Buffer.concat(ready)
    },
    catchUp
  }
}
