/**
 * Remembers what parts of earlier bodies held, so that an agent that resends its whole conversation each turn is not
 * scanned from the beginning each time. No text is kept: a part is identified by half of a digest of its bytes, of how
 * they are read and of who sent them, under a key that is discarded within the hour. Of a part with nothing to act on is
 * stored how many findings of which sorts the policy let pass, as the record of a call counts them; of others where what
 * is, encrypted with the other half of the digest.
 */
import { createHash, randomBytes } from 'node:crypto'
import { confidences, tiers, type FindingSort, type Kind, type Scanner } from '../../detection/findings.ts'
import type { DialectName, TextSection } from '../../dialects/dialect.ts'
import { bytesPerStepDefault, type JsonIndex } from '../../dialects/json/json-index.ts'
import type { TextFinds } from './part-finds.ts'
import { SealedFinds } from './sealed-finds.ts'

/** Scanning a shorter part takes no longer than hashing it. */
export const sectionBytesMin = 64
/** Smaller bodies are rarely conversations, and hashing a body that is not repeated costs a fortieth of its call. */
const bodyBytesMin = 8192

/** Sorts of findings that are kept per part. */
export const sortsMax = 4
/** 128 bits of the digest identify a part: without the key nobody can search for a collision. */
const wordsPerDigest = 4
const wordsPerEntry = wordsPerDigest + sortsMax
/** Entries per slot. Beyond that the oldest is dropped. */
const ways = 8
const wordsPerPlace = ways * wordsPerEntry
/** A sort is one word: the index of its kind in the low bits, then its tier, its confidence and the count. */
const kindBits = 16
const countMax = 4095
/** In place of the first sort, for a part whose finds are sealed. The place of these is the next word. */
const sealedMark = 0xffffffff
/** One of so many parts may hold something to act on. */
const partsPerSealed = 16
/** How long a key, and with it every digest, is kept after its first use. */
const keptMs = 3_600_000

/** Findings of one sort in a part. */
export interface PassedFind {
  readonly finding: FindingSort
  count: number
}

/** What is known about the parts of one client's bodies. */
export interface CallersSections {
  /**
   * The findings of this part in an earlier call, or `undefined` if it is not known. A long part takes several steps.
   */
  knows(index: JsonIndex, section: TextSection): Generator<void, readonly PassedFind[] | undefined, void>
  /** What the texts of the part that was last looked up hold, if it has something to act on and is known. */
  sealed(): readonly TextFinds[] | undefined
  /** Stores the findings of the part that was last looked up, all of which passed. */
  add(finds: readonly PassedFind[]): void
  /** Stores what the texts of that part hold. */
  seal(texts: readonly TextFinds[]): void
  /** Bytes of parts that were not scanned again. Whoever skips a part adds to it. */
  knownBytes: number
}

/** Creates the memory that the configuration asks for, or none if its limit is 0. */
export function cleanSectionsOf({
  cleanSectionsMax
}: {
  readonly cleanSectionsMax: number
}): CleanSections | undefined {
  return cleanSectionsMax > 0 ? new CleanSections(cleanSectionsMax) : undefined
}

/** The digests that a process keeps: all that remains of a body once it is answered. */
export class CleanSections {
  readonly #places: number
  readonly #scanners = new WeakMap<Scanner, Numbered>()
  #scannerCount = 0
  #epoch: Epoch | undefined

  /** @param sectionsMax parts kept at once, 32 bytes each; rounded down to a power of two, at least eight */
  constructor(sectionsMax: number) {
    this.#places = 2 ** Math.floor(Math.log2(Math.max(1, sectionsMax / ways)))
  }

  /**
   * What is known about one client's bodies, for the duration of one call.
   * @param scanner what would scan them; another one, such as the next policy's, starts with nothing
   * @param tokenId whose bodies they are: clients share the room, but nothing that one sent is known to another
   * @param bodyBytes size of this call's body
   * @returns `undefined` if the body is not a conversation and is to be scanned whole
   */
  of(scanner: Scanner, tokenId: string, dialect: DialectName, bodyBytes: number): CallersSections | undefined {
    if (dialect === 'embeddings' || bodyBytes < bodyBytesMin) return undefined
    const { key, digests, sealed } = (this.#epoch ??= this.#begin())
    const { number, kinds, kindNumbers } = this.#numbered(scanner)
    const ownKey = createHash('sha256').update(key).update(`${number}\0${tokenId}\0${dialect}`).digest()
    return new Known(digests, sealed, ownKey, kinds, kindNumbers)
  }

  #numbered(scanner: Scanner): Numbered {
    const known = this.#scanners.get(scanner)
    if (known !== undefined) return known
    const kinds = [...scanner.kinds.values()]
    const kindNumbers = new Map(kinds.map(({ id }, i) => [id, i]))
    const numbered = { number: ++this.#scannerCount, kinds, kindNumbers }
    this.#scanners.set(scanner, numbered)
    return numbered
  }

  /** Forgets everything. Calls under way keep what they started with until they end. */
  forget(): void {
    clearTimeout(this.#epoch?.timer)
    this.#epoch = undefined
  }

  #begin(): Epoch {
    const timer = setTimeout(() => this.forget(), keptMs).unref()
    const sealed = new SealedFinds(Math.ceil((this.#places * ways) / partsPerSealed))
    return { key: randomBytes(32), digests: new Uint32Array(this.#places * wordsPerPlace), sealed, timer }
  }
}

interface Epoch {
  readonly key: Buffer
  readonly digests: Uint32Array
  readonly sealed: SealedFinds
  readonly timer: NodeJS.Timeout
}

interface Numbered {
  readonly number: number
  readonly kinds: readonly Kind[]
  readonly kindNumbers: ReadonlyMap<string, number>
}

const none: readonly PassedFind[] = []

class Known implements CallersSections {
  knownBytes = 0
  readonly #entries: Uint32Array
  readonly #sealed: SealedFinds
  readonly #key: Buffer
  readonly #kinds: readonly Kind[]
  readonly #kindNumbers: ReadonlyMap<string, number>
  /** The entry of the part that was last looked up. */
  readonly #entry = new Uint32Array(wordsPerEntry)
  #digest = ''

  constructor(
    entries: Uint32Array,
    sealed: SealedFinds,
    key: Buffer,
    kinds: readonly Kind[],
    kindNumbers: ReadonlyMap<string, number>
  ) {
    this.#entries = entries
    this.#sealed = sealed
    this.#key = key
    this.#kinds = kinds
    this.#kindNumbers = kindNumbers
  }

  *knows(
    index: JsonIndex,
    { name, node, codes }: TextSection
  ): Generator<void, readonly PassedFind[] | undefined, void> {
    // The name and the number of codes each end in a zero, and exactly so many codes follow: no two parts hash the same
    // bytes.
    const hash = createHash('sha256').update(this.#key).update(`${name}\0${codes.length}\0`).update(codes)
    const end = index.ends[node]!
    for (let at = index.starts[node]!; at < end;) {
      const to = Math.min(end, at + bytesPerStepDefault)
      hash.update(index.bytes.subarray(at, to))
      at = to
      if (at < end) yield
    }
    const digest = hash.digest('latin1')
    this.#digest = digest
    for (let i = 0; i < wordsPerDigest; i++) this.#entry[i] = wordAt(digest, i * 4)
    const at = this.#find()
    return at < 0 || this.#isSealed(at) ? undefined : this.#findsAt(at + wordsPerDigest)
  }

  sealed(): readonly TextFinds[] | undefined {
    const at = this.#find()
    return at < 0 || !this.#isSealed(at)
      ? undefined
      : this.#sealed.get(this.#entries[at + wordsPerDigest + 1]!, this.#digest, this.#kinds)
  }

  #isSealed(at: number): boolean {
    return this.#entries[at + wordsPerDigest] === sealedMark
  }

  add(finds: readonly PassedFind[]): void {
    if (this.#find() >= 0) return
    const entry = this.#entry
    for (let i = 0; i < sortsMax; i++) {
      const find = finds[i]
      const word = find === undefined ? 0 : this.#wordOf(find)
      if (word === undefined) return
      entry[wordsPerDigest + i] = word
    }
    this.#insert()
  }

  seal(texts: readonly TextFinds[]): void {
    const at = this.#find()
    if (at >= 0 && !this.#isSealed(at)) return
    const place = this.#sealed.add(this.#digest, texts, this.#kindNumbers)
    if (place < 0) return
    this.#entry.set([sealedMark, place], wordsPerDigest)
    if (at < 0) this.#insert()
    else this.#entries.set(this.#entry, at)
  }

  /** Enters the part that was last looked up; the oldest of its slot is dropped. */
  #insert(): void {
    const at = this.#place()
    this.#entries.copyWithin(at + wordsPerEntry, at, at + wordsPerPlace - wordsPerEntry)
    this.#entries.set(this.#entry, at)
  }

  #wordOf({ finding, count }: PassedFind): number | undefined {
    const kind = this.#kindNumbers.get(finding.kind)
    if (kind === undefined || kind >= 1 << kindBits || count > countMax) return undefined
    const rank = tiers.indexOf(finding.tier) | (confidences.indexOf(finding.confidence) << 2)
    return (kind | (rank << kindBits) | (count << (kindBits + 4))) >>> 0
  }

  #findsAt(from: number): readonly PassedFind[] {
    if (this.#entries[from] === 0) return none
    const words = this.#entries.subarray(from, from + sortsMax)
    return Array.from(
      words.filter((word) => word !== 0),
      (word) => {
        const { id: kind, group } = this.#kinds[word & ((1 << kindBits) - 1)]!
        const tier = tiers[(word >>> kindBits) & 3]!
        const confidence = confidences[(word >>> (kindBits + 2)) & 3]!
        return { finding: { kind, group, tier, confidence }, count: word >>> (kindBits + 4) }
      }
    )
  }

  /** The offset of the entry, or -1. */
  #find(): number {
    const entries = this.#entries
    const [a, b, c, d] = this.#entry as unknown as [number, number, number, number]
    const from = this.#place()
    for (let at = from; at < from + wordsPerPlace; at += wordsPerEntry)
      if (entries[at] === a && entries[at + 1] === b && entries[at + 2] === c && entries[at + 3] === d) return at
    return -1
  }

  /** The offset of the slot for digests that begin like this one. */
  #place(): number {
    return (this.#entry[0]! * wordsPerPlace) % this.#entries.length
  }
}

/** Four characters of a byte string as a number. */
function wordAt(digest: string, at: number): number {
  return (
    (digest.charCodeAt(at) |
      (digest.charCodeAt(at + 1) << 8) |
      (digest.charCodeAt(at + 2) << 16) |
      (digest.charCodeAt(at + 3) << 24)) >>>
    0
  )
}
