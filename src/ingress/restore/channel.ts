/**
 * One text of an answer that arrives in pieces. A placeholder may be cut anywhere, so a piece waits while its end may
 * be the beginning of one.
 */
import { tagUnits } from '../../policy/redaction/placeholder.ts'
import type { UrlTrail } from '../../policy/restore/url-trail.ts'
import { isSettled, restoredValue, trailOf, type RestoreCounts, type RestoreWay } from './text.ts'

/** An event that waits until every piece in it is settled. */
export interface HeldEvent {
  /** The number of its pieces that are not settled. */
  open: number
}

/** An unknown placeholder is recognised by its label, which may be in an earlier piece. */
const lookBackUnits = 128
/** Settled text is searched for URLs when someone asks, or when this much has accumulated. */
const pastUnitsMax = 1024

/** Part of a piece, and what to write in place of its `start..end`. */
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
  /** Settled text before the open pieces: its last `lookBackUnits`, and everything the trail has not followed yet. */
  #past = ''
  /** How much of `#past` and the joined open pieces the trail has followed. */
  #followed = 0
  /** Code units since the last `_` of the past: within the length of a tag, a tag may be in progress. */
  #sinceBar = Infinity
  #pieces: Piece[] = []
  /** How much of the joined open pieces is settled. */
  #settled = 0

  constructor(way: RestoreWay, counts: RestoreCounts) {
    this.#way = way
    this.#counts = counts
    this.#trail = trailOf(way)
  }

  /** A trail that has followed only what precedes the text. */
  trailAtStart(): UrlTrail {
    return trailOf(this.#way)
  }

  /** A trail that has followed all that has arrived. */
  trailAtEnd(): UrlTrail {
    const trail = this.#trail.copy()
    const text = this.#past + this.#pieces.map((one) => one.text).join('')
    trail.advance(text, this.#followed, text.length)
    return trail
  }

  /**
   * Takes the next piece if nothing in it is restored or counted and nothing has to wait. Call it only while no piece
   * is open.
   * @returns whether it took the piece
   */
  pass(text: string): boolean {
    if (this.isWatching) return false
    const bar = text.lastIndexOf('_')
    if ((bar >= 0 || this.#sinceBar < tagUnits) && this.#hasMatch(text)) return false
    if (this.#way.table.openFrom(text) < text.length) return false
    this.#keep(text, bar)
    return true
  }

  /**
   * Takes the next piece, and settles every piece about which nothing is in doubt any more, possibly this one too. A
   * piece without text changes nothing and does not wait: an event may hold ten thousands of them behind an open one,
   * all of which would be read again for each.
   */
  push(piece: Piece): void {
    if (piece.text === '') return
    piece.event.open++
    this.#pieces.push(piece)
    this.#decide(false)
  }

  /** Whether every piece must be followed before it is sent. */
  get isWatching(): boolean {
    return this.#way.edit?.isWatching === true
  }

  /** Whether one of its pieces waits. */
  get isOpen(): boolean {
    return this.#pieces.length > 0
  }

  /**
   * Nothing more comes for now: what could have been the beginning of a placeholder was none. A URL continues if more
   * comes.
   */
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
      // A placeholder that begins in text already sent can only be counted.
      const match = found.start < lead + this.#settled ? { ...found, value: undefined } : found
      // What follows a placeholder decides whether it is a word of its own and not part of a host name.
      if (!isWhole && match.value !== undefined && !isSettled(seen, match.end))
        return this.#settle(text, match.start - lead)
      if (match.value !== undefined) this.#follow(text, match.start - lead)
      const replacement = restoredValue(seen, match, this.#trail, this.#way, this.#counts)
      if (replacement !== undefined) this.#edit(match.start - lead, match.end - lead, replacement)
      matched = match.end - lead
    }
    this.#settle(text, isWhole ? text.length : matched + this.#way.table.openFrom(text.slice(matched)))
  }

  /** Everything before `until` in the joined pieces is decided. */
  #settle(text: string, until: number): void {
    if (this.isWatching) this.#follow(text, until)
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
   * Adds settled text to the past.
   * @param bar position of its last `_`, or -1
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

  /** Lets the trail and the edit follow the past and the joined open pieces up to `until`. */
  #follow(text: string, until: number): void {
    const past = this.#past.length
    if (this.#followed < past) this.#advance(this.#past, this.#followed, past)
    this.#advance(text, Math.max(0, this.#followed - past), until)
    this.#followed = Math.max(this.#followed, past + until)
  }

  #advance(text: string, from: number, to: number): void {
    this.#trail.advance(text, from, to)
    const { edit, repeatMark = '' } = this.#way
    edit?.advance(text, from, to, (at) => this.#insert(at, repeatMark))
  }

  /** Writes `text` before `at`, in the piece that holds what is before it. */
  #insert(at: number, text: string): void {
    let from = 0
    for (const { text: own, edits } of this.#pieces) {
      const to = from + own.length
      if (from < at && at <= to) edits.push({ start: at - from, end: at - from, replacement: text })
      from = to
    }
  }

  /** Writes `replacement` at `start`, and removes the rest of `start..end` from the pieces that hold it. */
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
