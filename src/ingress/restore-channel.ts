/**
 * One text of an answer that comes in pieces. A placeholder may be cut at any place, so a piece waits while its end may
 * be the beginning of one.
 */
import { UrlTrail } from '../policy/url-trail.ts'
import { isSettled, restoredValue, type RestoreCounts, type RestorePlan } from './restore-text.ts'

/** An event that waits until every piece in it is settled. */
export interface HeldEvent {
  /** Pieces of it that are not settled. */
  open: number
}

/** How much of what is settled is kept: a placeholder that nobody knows is counted by its label, which stands in it. */
const labelLookBack = 128

/** A part of a text with what is to be written in place of `start..end` of it. */
export interface PieceEdit {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

export interface Piece {
  readonly event: HeldEvent
  readonly text: string
  readonly edits: PieceEdit[]
}

export class RestoreChannel {
  readonly #plan: RestorePlan
  readonly #form: 'plain' | 'json'
  readonly #counts: RestoreCounts
  readonly #trail: UrlTrail
  /** Of the joined open pieces, how much the trail has followed. */
  #followed = 0
  /** The end of what came before the open pieces. */
  #before = ''
  #pieces: Piece[] = []
  /** Of the joined open pieces, how much is settled already. */
  #settled = 0

  constructor(plan: RestorePlan, form: 'plain' | 'json', counts: RestoreCounts) {
    this.#plan = plan
    this.#form = form
    this.#counts = counts
    this.#trail = new UrlTrail(form)
  }

  get isOpen(): boolean {
    return this.#pieces.length > 0
  }

  /** Takes the next piece. Pieces of which nothing is in doubt any more are settled, this one among them or not. */
  push(piece: Piece): void {
    piece.event.open++
    this.#pieces.push(piece)
    this.#decide(false)
  }

  /** Nothing more comes: what may have been a beginning was none. */
  end(): void {
    this.#decide(true)
  }

  #decide(isWhole: boolean): void {
    const text = this.#pieces.map((one) => one.text).join('')
    const seen = this.#before + text
    const lead = this.#before.length
    let matched = this.#settled
    // Only a placeholder that nobody knows, and that is counted alone, can begin before the open pieces.
    for (const match of this.#plan.table.matches(seen, lead + this.#settled)) {
      // Whether it is a word of its own, and no part of a host, is told by what follows it.
      if (!isWhole && match.value !== undefined && !isSettled(seen, match.end))
        return this.#settle(text, match.start - lead)
      this.#follow(text, match.start - lead)
      const replacement = restoredValue(seen, match, this.#trail, this.#form, this.#counts)
      if (replacement !== undefined) this.#edit(match.start - lead, match.end - lead, replacement)
      matched = match.end - lead
    }
    this.#settle(text, isWhole ? text.length : matched + this.#plan.table.openFrom(text.slice(matched)))
  }

  /** Everything before `until` of the joined pieces is decided. */
  #settle(text: string, until: number): void {
    this.#follow(text, until)
    let gone = 0
    while (this.#pieces.length > 0) {
      const { event, text: own } = this.#pieces[0] as Piece
      if (gone + own.length > until) break
      gone += own.length
      event.open--
      this.#pieces.shift()
    }
    this.#before = (this.#before + text.slice(0, gone)).slice(-labelLookBack)
    this.#settled = until - gone
    this.#followed -= gone
  }

  #follow(text: string, until: number): void {
    this.#trail.advance(text, this.#followed, until)
    this.#followed = Math.max(this.#followed, until)
  }

  /** Writes `replacement` where `start` falls, and takes away the rest of `start..end` from the pieces that hold it. */
  #edit(start: number, end: number, replacement: string): void {
    let from = 0
    let written = false
    for (const { text, edits } of this.#pieces) {
      const to = from + text.length
      if (from < end && to > start) {
        edits.push({
          start: Math.max(0, start - from),
          end: Math.min(text.length, end - from),
          replacement: written ? '' : replacement
        })
        written = true
      }
      from = to
    }
  }
}
