/**
 * Restores a stream of server-sent events. Every event goes on as it came unless a value is put back into it; none is
 * lost, merged or reordered. An event waits only while the end of a text in it may be the beginning of a placeholder, and
 * where a glance tells that nothing in it can be, it is read when it is on its way.
 */
import type { AnswerReader } from '../../dialects/answer/answer.ts'
import { endOfEvent } from '../answer/sse-event.ts'
import { EventTemplates } from './event-template.ts'
import { EventTexts } from './event-texts.ts'
import { mayHoldPlaceholder } from './glance.ts'
import { HeldEvents } from './held-events.ts'
import type { RestoreCounts, RestorePlan } from './text.ts'

export interface StreamRestorer {
  /** @returns what may go on; nothing while all of it waits */
  push(events: Buffer): Buffer
  /** The rest, at the end of the stream. */
  end(): Buffer
  /** Reads what has gone on unread; before that, the counts may lack it. */
  catchUp(): void
}

/**
 * @param reader of this answer alone: it remembers what it has read
 * @param counts what is put back, and what is not, is added here
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
  /** What has gone on before it was read. */
  let unread: Buffer | undefined
  let isToCatchUp = false

  /** Takes note of what has gone on unread, for what comes after it. Nothing of it can be put back or wait. */
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
        if (like && held.isEmpty && texts.passes(like)) continue
        if (!like) catchUpSoon()
        if (!like && held.isEmpty && !mayHold(events, at, widest)) {
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
      // Behind what went on unread nothing waits, and the client does.
      const ready: Buffer[] = []
      texts.end('')
      held.release(ready)
      return Buffer.concat(ready)
    },
    catchUp
  }
}
