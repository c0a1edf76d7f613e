/**
 * One text of an answer that comes in pieces. A placeholder may be cut at any place, so a piece waits while its end may
 * be the beginning of one.
 */
import { tagUnits } from '../../policy/restore/restore.ts'
import { UrlTrail } from '../../policy/restore/url-trail.ts'
import { isSettled, restoredValue, type RestoreCounts, type RestoreWay } from './text.ts'

/** An event that waits until every piece in it is settled. */
export interface HeldEvent {
  /** Pieces of it that are not settled. */
  open: number
}

/** A placeholder that nobody knows is counted by its label, which stands in what came before. */
const lookBackUnits = 128
/** What is settled is followed for URLs when that is asked for, or when this much has come. */
const pastUnitsMax = 1024

/** A part of a text with what is to be written in place of `start..end` of it. */
interface PieceEdit {
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
  readonly #way: RestoreWay
  readonly #counts: RestoreCounts
  readonly #trail: UrlTrail
  /** What came before the open pieces: as much of its end as is looked back at, and all that the trail has not followed. */
  #past = ''
  /** Of `#past` and the joined open pieces, how much the trail has followed. */
  #followed = 0
  /** Units behind the last `_` of the past: within a tag's length of it one may be under way. */
  #sinceBar = Infinity
  #pieces: Piece[] = []
  /** Of the joined open pieces, how much is settled already. */
  #settled = 0

  constructor(way: RestoreWay, counts: RestoreCounts) {
    const { form } = way
    this.#way = way
    this.#counts = counts
    this.#trail = new UrlTrail(form === 'json' ? form : 'plain')
  }

  /**
   * Takes the next piece, if nothing in it is put back or counted and nothing of it has to wait. To be asked while no
   * piece is open.
   */
  pass(text: string): boolean {
    const bar = text.lastIndexOf('_')
    if ((bar >= 0 || this.#sinceBar < tagUnits) && this.#hasMatch(text)) return false
    if (this.#way.table.openFrom(text) < text.length) return false
    this.#keep(text, bar)
    return true
  }

  /** Takes the next piece. Pieces of which nothing is in doubt any more are settled, this one among them or not. */
  push(piece: Piece): void {
    piece.event.open++
    this.#pieces.push(piece)
    this.#decide(false)
  }

  /** Whether a piece of it waits. */
  get isOpen(): boolean {
    return this.#pieces.length > 0
  }

  /** Nothing more comes for now: what may have been a beginning was none. A URL goes on, should more come. */
  end(): void {
    if (this.#pieces.length > 0) this.#decide(true)
  }

  #hasMatch(text: string): boolean {
    const before = this.#lookBack()
    return this.#way.table.matches(before + text, before.length).length > 0
  }

  #lookBack(): string {
    return this.#past.slice(-lookBackUnits)
  }

  #decide(isWhole: boolean): void {
    const text = this.#pieces.map((one) => one.text).join('')
    const before = this.#lookBack()
    const seen = before + text
    const lead = before.length
    let matched = this.#settled
    for (const found of this.#way.table.matches(seen, lead + this.#settled)) {
      // One that begins in what is gone can only be counted.
      const match = found.start < lead + this.#settled ? { ...found, value: undefined } : found
      // Whether it is a word of its own, and no part of a host, is told by what follows it.
      if (!isWhole && match.value !== undefined && !isSettled(seen, match.end))
        return this.#settle(text, match.start - lead)
      if (match.value !== undefined) this.#follow(text, match.start - lead)
      const replacement = restoredValue(seen, match, this.#trail, this.#way, this.#counts)
      if (replacement !== undefined) this.#edit(match.start - lead, match.end - lead, replacement)
      matched = match.end - lead
    }
    this.#settle(text, isWhole ? text.length : matched + this.#way.table.openFrom(text.slice(matched)))
  }

  /** Everything before `until` of the joined pieces is decided. */
  #settle(text: string, until: number): void {
    let gone = 0
    while (this.#pieces.length > 0) {
      const { event, text: own } = this.#pieces[0] as Piece
      if (gone + own.length > until) break
      gone += own.length
      event.open--
      this.#pieces.shift()
    }
    const settled = text.slice(0, gone)
    this.#keep(settled, settled.lastIndexOf('_'))
    this.#settled = until - gone
  }

  /**
   * Adds to the past what is settled.
   * @param bar the last `_` in it, or -1
   */
  #keep(text: string, bar: number): void {
    this.#past += text
    this.#sinceBar = bar < 0 ? this.#sinceBar + text.length : text.length - bar - 1
    if (this.#past.length <= pastUnitsMax) return
    this.#follow('', 0)
    const cut = this.#past.length - lookBackUnits
    this.#past = this.#past.slice(cut)
    this.#followed -= cut
  }

  /** Lets the trail and the edit follow the past and the joined open pieces up to `until` of them. */
  #follow(text: string, until: number): void {
    const past = this.#past.length
    if (this.#followed < past) this.#advance(this.#past, this.#followed, past)
    this.#advance(text, Math.max(0, this.#followed - past), until)
    this.#followed = Math.max(this.#followed, past + until)
  }

  #advance(text: string, from: number, to: number): void {
    this.#trail.advance(text, from, to)
    this.#way.edit?.advance(text, from, to)
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
