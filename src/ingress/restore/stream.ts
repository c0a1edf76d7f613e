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
import type { RestoreTable } from '../../policy/restore/restore.ts'
import type { RestoreCounts, RestorePlan } from './text.ts'

/** The way of one stream; it remembers what it has read. */
export class StreamRestorer {
  readonly #templates: EventTemplates
  readonly #mayHold: typeof mayHoldPlaceholder
  readonly #texts: EventTexts
  readonly #widest: RestoreTable
  readonly #held = new HeldEvents()
  /** What was passed on before it was parsed. */
  #unread: Buffer | undefined
  #isToCatchUp = false

  /**
   * @param reader of this answer only: it remembers what it has read
   * @param counts restored values and remaining placeholders are added here
   */
  constructor(
    reader: AnswerReader,
    plan: RestorePlan,
    counts: RestoreCounts,
    templates = new EventTemplates(reader),
    mayHold = mayHoldPlaceholder
  ) {
    this.#templates = templates
    this.#mayHold = mayHold
    this.#texts = new EventTexts(reader, plan, counts, templates)
    this.#widest = plan.editTable ?? plan.table
  }

  /** @returns what may be sent; empty while everything waits */
  push(events: Buffer): Buffer {
    if (events.length === 0) return events
    this.catchUp()
    const texts = this.#texts
    const held = this.#held
    const ready: Buffer[] = []
    /** From here to the start of the next event, everything passes unchanged. */
    let passed = 0
    for (let at = 0, next = 0; at < events.length; at = next) {
      const like = this.#templates.match(events, at)
      next = like?.end ?? endOfEvent(events, at)
      if (like && held.isEmpty && texts.passes(like)) continue
      if (!like) this.#catchUpSoon()
      if (!like && held.isEmpty && !texts.isWatching && !this.#mayHold(events, at, this.#widest)) {
        this.#unread = events.subarray(at)
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
  }

  /** The rest, at the end of the stream. */
  end(): Buffer {
    // Nothing waits behind what was passed on unparsed, but the client does.
    const ready: Buffer[] = []
    this.#texts.end([''])
    this.#held.release(ready)
    return Buffer.concat(ready)
  }

  /**
   * Parses what was passed on unparsed, for the sake of what follows: nothing in it can be restored or has to wait.
   * Until then, the counts may lack it.
   */
  catchUp(): void {
    if (this.#unread) this.#readOn(this.#unread)
    this.#unread = undefined
    this.#templates.remember()
  }

  #readOn(events: Buffer): void {
    for (let at = 0, next = 0; at < events.length; at = next) {
      const like = this.#templates.match(events, at)
      next = like?.end ?? endOfEvent(events, at)
      if (like === undefined) this.#texts.take(events.subarray(at, next))
      else if (!this.#held.isEmpty || !this.#texts.passes(like)) this.#texts.takeLike(like, events.subarray(at, next))
    }
  }

  /**
   * Catches up once what was pushed has been passed on. An error here comes up again in the next push, which reports
   * it.
   */
  #catchUpSoon(): void {
    if (this.#isToCatchUp) return
    this.#isToCatchUp = true
    setImmediate(() => {
      this.#isToCatchUp = false
      try {
        this.catchUp()
      } catch {}
    })
  }
}
