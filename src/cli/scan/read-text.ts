/** Reads bytes as text, in pieces if it is too large to hold at once. */

/** A part of a text. Pieces overlap, so that a value across a cut is complete in the later one. */
export interface Piece {
  readonly text: string
  /** Position of the piece's first code unit in the whole text, in UTF-16 code units. */
  readonly offset: number
  /** The number of the piece's first line, from 1. */
  readonly line: number
  /** How many code units of that line precede the piece: 0 unless the line is very long. */
  readonly column: number
  /** Where the part begins that was in no earlier piece, in code units of this piece. */
  readonly freshFrom: number
}

export interface PieceOptions {
  /** Length of a piece, in UTF-16 code units. */
  readonly pieceUnits: number
  readonly overlapUnits: number
}

const defaultOptions: PieceOptions = { pieceUnits: 64 * 1024 * 1024, overlapUnits: 64 * 1024 }
/** How much of the beginning is searched for a NUL, which text does not contain. */
const headBytes = 8192

export type TextKind = 'text' | 'binary'

type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Decodes UTF-8, and UTF-16 with a byte order mark, and cuts at line ends. Bytes that are not UTF-8 become U+FFFD; a
 * byte order mark is dropped.
 * @returns the pieces; none for a binary file
 */
export async function* readText(bytes: Bytes, options = defaultOptions): AsyncGenerator<Piece, TextKind, void> {
  const { pieceUnits, overlapUnits } = options
  const parts = decoded(bytes)
  let text = ''
  let place = { offset: 0, line: 1, column: 0, freshFrom: 0 }
  for (;;) {
    const { done, value } = await parts.next()
    if (done) {
      if (text.length > place.freshFrom) yield { text, ...place }
      return value
    }
    text += value
    while (text.length >= pieceUnits + overlapUnits) {
      const cut = cutNear(text, pieceUnits, pieceUnits / 2)
      yield { text: text.slice(0, cut), ...place }
      const next = cutNear(text, cut - overlapUnits, overlapUnits)
      place = { ...moved(text, next, place), offset: place.offset + next, freshFrom: cut - next }
      text = text.slice(next)
    }
  }
}

/** The text in parts as it arrives; nothing of a binary file. */
async function* decoded(bytes: Bytes): AsyncGenerator<string, TextKind, void> {
  let decoder: TextDecoder | undefined
  let head: Uint8Array = new Uint8Array(0)
  for await (const chunk of bytes) {
    if (decoder !== undefined) {
      yield decoder.decode(chunk, { stream: true })
      continue
    }
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    if (head.length < headBytes) continue
    if (isBinary(head)) return 'binary'
    decoder = new TextDecoder(encodingOf(head))
    yield decoder.decode(head, { stream: true })
  }
  if (decoder !== undefined) yield decoder.decode()
  else if (isBinary(head)) return 'binary'
  else yield new TextDecoder(encodingOf(head)).decode(head)
  return 'text'
}

function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}

function isBinary(head: Uint8Array): boolean {
  return encodingOf(head) === 'utf-8' && head.subarray(0, headBytes).includes(0)
}

/** The start of the last line before `at`, or `at` itself if that line began more than `backUnits` before. */
function cutNear(text: string, at: number, backUnits: number): number {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return start > at - backUnits && start > 0 ? start : at
}

/** Line and column at `to`, from those at the start of the text. */
function moved(text: string, to: number, from: { readonly line: number; readonly column: number }) {
  let { line } = from
  let start = -from.column
  for (let at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    line++
    start = at + 1
  }
  return { line, column: to - start }
}
