/**
 * Which parts of bodies hold nothing that is acted on, so that an agent that sends its whole conversation with each turn is not
 * searched from its beginning each time. Nothing of a text is kept, and no place in one: a part is known by a keyed
 * digest of its bytes, of what reads them and of who sent them, under a key that is thrown away within the hour. Beside it stands
 * how many finds of which kinds the policy let pass there, as the record of a call has them.
 */
import { createHash, randomBytes } from 'node:crypto'
import { confidences, tiers, type FindingSort, type Kind, type Scanner } from '../../detection/findings.ts'
import type { DialectName, TextSection } from '../../dialects/dialect.ts'
import { bytesPerStepDefault, type JsonIndex } from '../../dialects/json/json-index.ts'

/** Shorter parts are scanned in the time that their digest takes. */
export const sectionBytesMin = 64
/** Smaller bodies are hardly a conversation, and the digests of one that does not come again cost a fortieth of its call. */
const bodyBytesMin = 8192

/** Sorts of finds that are kept of a part. */
export const sortsMax = 4
/** 128 bits of a digest tell parts apart: nobody can look for two that are alike without the key. */
const wordsPerDigest = 4
const wordsPerEntry = wordsPerDigest + sortsMax
/** Entries that share a place; of more the oldest is forgotten. */
const ways = 8
const wordsPerPlace = ways * wordsPerEntry
/** A sort is a word: the number of its kind in the low bits, its tier, its confidence, and how many there are. */
const kindBits = 16
const countMax = 4095
/** How long a key, and with it every digest, is kept after the first use. */
const keptMs = 3_600_000

/** Finds of one sort in a part. */
export interface PassedFind {
  readonly finding: FindingSort
  count: number
}

/** What is known of the parts of one client's bodies. */
export interface CallersSections {
  /** All that was found in this part before; nothing where it is not known. Long ones take several steps. */
  knows(index: JsonIndex, section: TextSection): Generator<void, readonly PassedFind[] | undefined, void>
  /** Keeps what was found in the part that was asked for last. */
  add(finds: readonly PassedFind[]): void
  /** Bytes of the parts that were not searched. Whoever passes over one adds to it. */
  knownBytes: number
}

/** What a configuration asks for: nothing where it allows none. */
export function cleanSectionsOf({
  cleanSectionsMax
}: {
  readonly cleanSectionsMax: number
}): CleanSections | undefined {
  return cleanSectionsMax > 0 ? new CleanSections(cleanSectionsMax) : undefined
}

/** The digests of a process, all that it keeps of bodies once they are answered. */
export class CleanSections {
  readonly #places: number
  readonly #scanners = new WeakMap<Scanner, Numbered>()
  #scannerCount = 0
  #epoch: Epoch | undefined

  /** @param sectionsMax parts kept at once, 32 bytes each; taken for the next lower power of two, eight at least */
  constructor(sectionsMax: number) {
    this.#places = 2 ** Math.floor(Math.log2(Math.max(1, sectionsMax / ways)))
  }

  /**
   * What is known of bodies that one client sends, for as long as one call lasts.
   * @param scanner what would search them; another one, such as that of the next policy, begins with nothing
   * @param tokenId whose they are: nothing that one client sent is known to another, though all share the room
   * @param bodyBytes size of the body of this call
   * @returns nothing for a body that is no conversation, and is to be searched whole
   */
  of(scanner: Scanner, tokenId: string, dialect: DialectName, bodyBytes: number): CallersSections | undefined {
    if (dialect === 'embeddings' || bodyBytes < bodyBytesMin) return undefined
    const { key, digests } = (this.#epoch ??= this.#begin())
    const { number, kinds } = this.#numbered(scanner)
    const ownKey = createHash('sha256').update(key).update(`${number}\0${tokenId}\0${dialect}`).digest()
    return new Known(digests, ownKey, kinds)
  }

  #numbered(scanner: Scanner): Numbered {
    const known = this.#scanners.get(scanner)
    if (known !== undefined) return known
    const numbered = { number: ++this.#scannerCount, kinds: [...scanner.kinds.values()] }
    this.#scanners.set(scanner, numbered)
    return numbered
  }

  /** Forgets everything. Calls under way keep what they began with, and it goes with them. */
  forget(): void {
    clearTimeout(this.#epoch?.timer)
    this.#epoch = undefined
  }

  #begin(): Epoch {
    const timer = setTimeout(() => this.forget(), keptMs).unref()
    return { key: randomBytes(32), digests: new Uint32Array(this.#places * wordsPerPlace), timer }
  }
}

interface Epoch {
  readonly key: Buffer
  readonly digests: Uint32Array
  readonly timer: NodeJS.Timeout
}

interface Numbered {
  readonly number: number
  readonly kinds: readonly Kind[]
}

const none: readonly PassedFind[] = []

class Known implements CallersSections {
  knownBytes = 0
  readonly #entries: Uint32Array
  readonly #key: Buffer
  readonly #kinds: readonly Kind[]
  /** The entry of the part that was asked for last. */
  readonly #entry = new Uint32Array(wordsPerEntry)

  constructor(entries: Uint32Array, key: Buffer, kinds: readonly Kind[]) {
    this.#entries = entries
    this.#key = key
    this.#kinds = kinds
  }

  *knows(
    index: JsonIndex,
    { name, node, codes }: TextSection
  ): Generator<void, readonly PassedFind[] | undefined, void> {
    // A name and a count that are closed by a zero, and as many codes as that: no two parts come to the same bytes.
    const hash = createHash('sha256').update(this.#key).update(`${name}\0${codes.length}\0`).update(codes)
    const end = index.ends[node]!
    for (let at = index.starts[node]!; at < end;) {
      const to = Math.min(end, at + bytesPerStepDefault)
      hash.update(index.bytes.subarray(at, to))
      at = to
      if (at < end) yield
    }
    const digest = hash.digest('latin1')
    for (let i = 0; i < wordsPerDigest; i++) this.#entry[i] = wordAt(digest, i * 4)
    const at = this.#find()
    return at < 0 ? undefined : this.#findsAt(at + wordsPerDigest)
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
    const at = this.#place()
    this.#entries.copyWithin(at + wordsPerEntry, at, at + wordsPerPlace - wordsPerEntry)
    this.#entries.set(entry, at)
  }

  #wordOf({ finding, count }: PassedFind): number | undefined {
    const kind = this.#kinds.findIndex(({ id }) => id === finding.kind)
    if (kind < 0 || kind >= 1 << kindBits || count > countMax) return undefined
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

  /** Where the entry stands, or -1. */
  #find(): number {
    const entries = this.#entries
    const [a, b, c, d] = this.#entry as unknown as [number, number, number, number]
    const from = this.#place()
    for (let at = from; at < from + wordsPerPlace; at += wordsPerEntry)
      if (entries[at] === a && entries[at + 1] === b && entries[at + 2] === c && entries[at + 3] === d) return at
    return -1
  }

  /** Where entries stand whose digests begin as this one does. */
  #place(): number {
    return (this.#entry[0]! * wordsPerPlace) % this.#entries.length
  }
}

/** Four letters of a string of bytes as a number. */
function wordAt(digest: string, at: number): number {
  return (
    (digest.charCodeAt(at) |
      (digest.charCodeAt(at + 1) << 8) |
      (digest.charCodeAt(at + 2) << 16) |
      (digest.charCodeAt(at + 3) << 24)) >>>
    0
  )
}
