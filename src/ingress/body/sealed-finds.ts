/**
 * Keeps what the texts of parts hold: kinds and places of findings, of which something is masked or blocked. They are
 * encrypted with a key that only who has the bytes of the part can compute, and which is not kept.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { confidences, tiers, type Kind } from '../../detection/findings.ts'
import type { TextFinds } from './part-finds.ts'

/** The most findings of one part: those of a listing of commits, with the address of each author. */
export const findsMax = 256
/** What all parts take, on average. */
const bytesPerPart = 256
const wordsPerFind = 5
/** The last word of a find: the index of its kind, its tier and confidence, and whether its context revealed it. */
const kindBits = 16
const tierShift = kindBits
const confidenceShift = tierShift + 2
const contextShift = confidenceShift + 2

interface Sealed {
  readonly id: Buffer
  readonly bytes: Buffer
}

/** The parts that were kept last. */
export class SealedFinds {
  readonly #partsMax: number
  readonly #parts: (Sealed | undefined)[] = []
  #next = 0
  /** No part is kept between `#next` and this place. */
  #oldest = 0
  #bytes = 0

  /** @param partsMax parts kept at once, of 256 bytes on average; each takes 20 for each of its findings */
  constructor(partsMax: number) {
    this.#partsMax = partsMax
  }

  /**
   * @param digest the SHA-256 of the part under a secret key, as a byte string
   * @param kindNumbers the place of each kind in the list that {@link get} is given
   * @returns where the part is kept, until another takes its place; -1 if it has too many findings
   */
  add(digest: string, texts: readonly TextFinds[], kindNumbers: ReadonlyMap<string, number>): number {
    const words = wordsOf(texts, kindNumbers)
    if (words === undefined) return -1
    const place = this.#next
    this.#next = this.#behind(place)
    if (this.#parts[place] !== undefined) this.#dropOldest()
    this.#bytes += words.byteLength
    while (this.#bytes > this.#partsMax * bytesPerPart && this.#oldest !== place) this.#dropOldest()
    const bytes = createCipheriv(algorithm, keyOf(digest), iv).update(Buffer.from(words.buffer))
    this.#parts[place] = { id: idOf(digest), bytes }
    return place
  }

  #dropOldest(): void {
    this.#bytes -= this.#parts[this.#oldest]?.bytes.length ?? 0
    this.#parts[this.#oldest] = undefined
    this.#oldest = this.#behind(this.#oldest)
  }

  #behind(place: number): number {
    return (place + 1) % this.#partsMax
  }

  /** @returns the finds of the part that is kept at a place; undefined if that is another by now */
  get(place: number, digest: string, kinds: readonly Kind[]): readonly TextFinds[] | undefined {
    const part = this.#parts[place]
    if (part?.id.equals(idOf(digest)) !== true) return undefined
    const bytes = createDecipheriv(algorithm, keyOf(digest), iv).update(part.bytes)
    return findsIn(new Int32Array(Uint8Array.from(bytes).buffer), kinds)
  }
}

/** The two halves of a digest. A piece of the string would keep all of it alive. */
const idOf = (digest: string): Buffer => Buffer.from(digest.slice(0, 16), 'latin1')
const keyOf = (digest: string): Buffer => Buffer.from(digest.slice(16), 'latin1')

/** Each key encrypts one text only: the finds of one part, which are the same whenever it is scanned. */
const algorithm = 'aes-128-ctr'
const iv = Buffer.alloc(16)

function wordsOf(texts: readonly TextFinds[], kindNumbers: ReadonlyMap<string, number>): Int32Array | undefined {
  const count = texts.reduce((sum, { finds }) => sum + finds.length, 0)
  if (count > findsMax) return undefined
  const words = new Int32Array(count * wordsPerFind)
  let at = 0
  for (const { text, inner, finds } of texts)
    for (const { finding, byContext } of finds) {
      const kind = kindNumbers.get(finding.kind)
      if (kind === undefined) return undefined
      const rank =
        (tiers.indexOf(finding.tier) << tierShift) | (confidences.indexOf(finding.confidence) << confidenceShift)
      words.set([text, inner, finding.start, finding.end, kind | rank | (Number(byContext) << contextShift)], at)
      at += wordsPerFind
    }
  return words
}

function findsIn(words: Int32Array, kinds: readonly Kind[]): TextFinds[] {
  const texts: (TextFinds & { finds: TextFinds['finds'][number][] })[] = []
  for (let at = 0; at < words.length; at += wordsPerFind) {
    const [text = 0, inner = 0, start = 0, end = 0, sort = 0] = words.subarray(at, at + wordsPerFind)
    const { id: kind, group } = kinds[sort & ((1 << kindBits) - 1)]!
    const tier = tiers[(sort >> tierShift) & 3]!
    const confidence = confidences[(sort >> confidenceShift) & 3]!
    const find = { finding: { kind, group, tier, confidence, start, end }, byContext: sort >> contextShift === 1 }
    const last = texts.at(-1)
    if (last?.text === text && last.inner === inner) last.finds.push(find)
    else texts.push({ text, inner, finds: [find] })
  }
  return texts
}
