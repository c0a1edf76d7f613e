/**
 * Which parts of bodies a scan found nothing in, so that an agent that sends its whole conversation with each turn is not
 * searched from its beginning each time. Nothing of a text is kept, and nothing that was found: a part is known by a keyed
 * digest of its bytes, of what reads them and of who sent them, under a key that is thrown away within the hour.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Scanner } from '../../detection/findings.ts'
import type { DialectName, TextSection } from '../../dialects/dialect.ts'
import { bytesPerStepDefault, type JsonIndex } from '../../dialects/json/json-index.ts'

/** Shorter parts are scanned in the time that their digest takes. */
export const sectionBytesMin = 64
/** Smaller bodies are hardly a conversation, and the digests of one that does not come again cost a fortieth of its call. */
const bodyBytesMin = 8192

/** 128 bits of a digest tell parts apart: nobody can look for two that are alike without the key. */
const wordsPerDigest = 4
/** Digests that share a place; of more the oldest is forgotten. */
const ways = 8
const wordsPerPlace = ways * wordsPerDigest
/** How long a key, and with it every digest, is kept after the first use. */
const keptMs = 3_600_000

/** What is known of the parts of one client's bodies. */
export interface CallersSections {
  /** Whether nothing was found in this part before. Long ones take several steps. */
  knows(index: JsonIndex, section: TextSection): Generator<void, boolean, void>
  /** Bytes of those parts in which nothing was found before. */
  readonly knownBytes: number
  /** Keeps that nothing was found in the part that was asked for last. */
  add(): void
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
  readonly #scanners = new WeakMap<Scanner, number>()
  #scannerCount = 0
  #epoch: Epoch | undefined

  /** @param sectionsMax digests kept at once, 16 bytes each; taken for the next lower power of two, eight at least */
  constructor(sectionsMax: number) {
    this.#places = 2 ** Math.floor(Math.log2(Math.max(1, sectionsMax / ways)))
  }

  /**
   * What is known of bodies that one client sends, for as long as one call lasts.
   * @param scanner what would search them; another one, such as that of the next policy, begins with nothing
   * @param tokenId whose they are: nothing that one client sent has an effect on another's calls
   * @param bodyBytes size of the body of this call
   * @returns nothing for a body that is no conversation, and is to be searched whole
   */
  of(scanner: Scanner, tokenId: string, dialect: DialectName, bodyBytes: number): CallersSections | undefined {
    if (dialect === 'embeddings' || bodyBytes < bodyBytesMin) return undefined
    const { key, digests } = (this.#epoch ??= this.#begin())
    let number = this.#scanners.get(scanner)
    if (number === undefined) this.#scanners.set(scanner, (number = ++this.#scannerCount))
    return new Known(digests, createHash('sha256').update(key).update(`${number}\0${tokenId}\0${dialect}`).digest())
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

class Known implements CallersSections {
  knownBytes = 0
  readonly #digests: Uint32Array
  readonly #key: Buffer
  /** The digest of the part that was asked for last. */
  readonly #words = new Uint32Array(wordsPerDigest)

  constructor(digests: Uint32Array, key: Buffer) {
    this.#digests = digests
    this.#key = key
  }

  *knows(index: JsonIndex, { name, node, codes }: TextSection): Generator<void, boolean, void> {
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
    const words = this.#words
    for (let i = 0; i < wordsPerDigest; i++) words[i] = wordAt(digest, i * 4)
    const isKnown = this.#has()
    if (isKnown) this.knownBytes += end - index.starts[node]!
    return isKnown
  }

  add(): void {
    if (this.#has()) return
    const at = this.#place()
    this.#digests.copyWithin(at + wordsPerDigest, at, at + wordsPerPlace - wordsPerDigest)
    this.#digests.set(this.#words, at)
  }

  #has(): boolean {
    const digests = this.#digests
    const [a, b, c, d] = this.#words as unknown as [number, number, number, number]
    const from = this.#place()
    for (let at = from; at < from + wordsPerPlace; at += wordsPerDigest)
      if (digests[at] === a && digests[at + 1] === b && digests[at + 2] === c && digests[at + 3] === d) return true
    return false
  }

  /** Where digests stand that begin as this one does. */
  #place(): number {
    return (this.#words[0]! * wordsPerPlace) % this.#digests.length
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
