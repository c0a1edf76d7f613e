/** Redacts a body part by part, and passes over those that an earlier call showed to hold nothing that is acted on. */
import type { FindingSort } from '../../detection/findings.ts'
import type { BodyTexts, TextSection } from '../../dialects/dialect.ts'
import type { JsonIndex } from '../../dialects/json/json-index.ts'
import type { TextEdit } from '../../dialects/json/splice.ts'
import type { CompiledProfile } from '../../policy/redaction/decide.ts'
import { sectionBytesMin, sortsMax, type CallersSections, type PassedFind } from './clean-sections.ts'
import { Edits, redactInto, type Redactor } from './redact-texts.ts'
import { createTally } from './tally.ts'

/** A digest takes the time of a short scan, and of each byte a tenth. */
const unitsPerDigest = 64
const digestWeight = 0.1

/**
 * Does what `redactTexts` does. In a known part only what earlier texts of this call told is looked for, and where there is some of
 * it the part is searched anew; else what it holds is counted, and nothing more is done.
 */
export function redactSections(
  index: JsonIndex,
  texts: BodyTexts,
  redactor: Redactor,
  clean: CallersSections
): Generator<void, TextEdit[], void> {
  return new SectionWalk(index, redactor, clean).run(texts)
}

class SectionWalk {
  readonly #index: JsonIndex
  readonly #redactor: Redactor
  readonly #clean: CallersSections
  /** Finds what is kept, and acts on nothing. */
  readonly #recaller: Redactor
  readonly #edits = new Edits()
  readonly #seen: SeenFinds

  constructor(index: JsonIndex, redactor: Redactor, clean: CallersSections) {
    const { scanner, profile } = redactor
    this.#index = index
    this.#redactor = redactor
    this.#clean = clean
    this.#recaller = {
      ...redactor,
      scanner: scanner.recaller,
      profile: { ...profile, decide: () => 'allow' },
      tally: createTally()
    }
    this.#seen = new SeenFinds(profile)
  }

  *run(texts: BodyTexts): Generator<void, TextEdit[], void> {
    const clean = this.#clean
    for (const section of texts.sections((node) => this.#bytesOf(node) >= sectionBytesMin)) {
      if (section.node < 0) {
        yield* this.#search(section, this.#redactor)
        continue
      }
      if (this.#edits.isDue(unitsPerDigest + this.#bytesOf(section.node) * digestWeight)) yield
      const passed = yield* clean.knows(this.#index, section)
      if (passed === undefined || !(yield* this.#passOver(section, passed))) yield* this.#learn(section)
    }
    return this.#edits.inOrder()
  }

  /** Counts what a known part holds; false where that is not all, or where it does not pass any more. */
  *#passOver(section: TextSection, passed: readonly PassedFind[]): Generator<void, boolean, void> {
    const { profile, tally } = this.#redactor
    if (!passed.every(({ finding }) => profile.passes(finding)) || (yield* this.#recalls(section))) return false
    for (const { finding, count } of passed) tally.add(finding, 'allow', nowhere, count)
    this.#clean.knownBytes += this.#bytesOf(section.node)
    return true
  }

  /** Searches a part, and keeps what it holds where none of it is acted on or told to later texts. */
  *#learn(section: TextSection): Generator<void, void, void> {
    const { memory, tally } = this.#redactor
    const keptBefore = memory.keeps
    tally.onFind = this.#seen.add
    yield* this.#search(section, this.#redactor)
    tally.onFind = undefined
    const finds = this.#seen.take()
    if (finds === undefined || memory.keeps !== keptBefore) return
    // What was found because an earlier text told it is not the part's own.
    if (finds.length > 0 && (yield* this.#recalls(section))) return
    this.#clean.add(finds)
  }

  /** Whether a part holds something that earlier texts told. */
  *#recalls(section: TextSection): Generator<void, boolean, void> {
    const { memory, tally } = this.#recaller
    if (memory.size === 0) return false
    const foundBefore = tally.found
    yield* this.#search(section, this.#recaller)
    return tally.found > foundBefore
  }

  #search({ texts }: TextSection, redactor: Redactor): Generator<void, void, void> {
    return redactInto(this.#edits, this.#index, texts, redactor)
  }

  #bytesOf(node: number): number {
    return this.#index.ends[node]! - this.#index.starts[node]!
  }
}

/** A find that passes names no place. */
const nowhere = (): string => ''

/** The finds of one part, while all of them pass wherever they stand. */
class SeenFinds {
  readonly #profile: CompiledProfile
  #finds: PassedFind[] | undefined = []

  constructor(profile: CompiledProfile) {
    this.#profile = profile
  }

  readonly add = (finding: FindingSort): void => {
    const finds = this.#finds
    if (finds === undefined) return
    const known = finds.find(({ finding: one }) => isAlike(one, finding))
    if (known !== undefined) known.count++
    else if (finds.length === sortsMax || !this.#profile.passes(finding)) this.#finds = undefined
    else finds.push({ finding, count: 1 })
  }

  /** What was seen since the last call; nothing where that is too much, or acted on. */
  take(): readonly PassedFind[] | undefined {
    const finds = this.#finds
    if (finds === undefined || finds.length > 0) this.#finds = []
    return finds
  }
}

function isAlike(one: FindingSort, other: FindingSort): boolean {
  return one.kind === other.kind && one.tier === other.tier && one.confidence === other.confidence
}
