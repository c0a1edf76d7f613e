/**
 * Redacts a body part by part. Parts in which an earlier call found nothing to act on are skipped, and others are
 * redacted by what that call found in them.
 */
import type { FindingSort } from '../../detection/findings.ts'
import type { BodyTexts, TextSection } from '../../dialects/dialect.ts'
import type { JsonIndex } from '../../dialects/json/json-index.ts'
import type { TextEdit } from '../../dialects/json/splice.ts'
import type { CompiledProfile } from '../../policy/redaction/decide.ts'
import { sectionBytesMin, sortsMax, type CallersSections, type PassedFind } from './clean-sections.ts'
import { KnownPart, NotedPart } from './part-finds.ts'
import { Edits, redactInto, type Redactor } from './redact-texts.ts'
import { createTally } from './tally.ts'

/** A shorter part is scanned in less than twice the time in which what is known of it is decrypted. */
const sealedBytesMin = 512
/** Hashing costs as much as a short scan, plus a tenth of a scan per byte. */
const unitsPerDigest = 64
const digestWeight = 0.1

/**
 * Like `redactTexts`, but a known part is searched only for values that earlier texts of this call revealed. If it holds
 * nothing to act on by itself and any of those, it is scanned again; if none, its known findings are counted, and nothing
 * else is done.
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
  /** Finds values that earlier texts revealed, and acts on none. */
  readonly #recaller: Redactor
  /** Notes what the texts of a part hold. */
  readonly #noted: NotedPart
  readonly #noting: Redactor
  /** Redacts a part by what its texts are known to hold. */
  readonly #known: KnownPart
  readonly #knowing: Redactor
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
    this.#noted = new NotedPart(scanner, redactor.memory)
    this.#noting = { ...redactor, part: this.#noted }
    this.#known = new KnownPart(scanner, redactor.memory)
    this.#knowing = { ...redactor, part: this.#known }
    this.#seen = new SeenFinds(profile)
  }

  *run(texts: BodyTexts): Generator<void, TextEdit[], void> {
    const clean = this.#clean
    for (const section of texts.sections((node) => this.#bytesOf(node) >= sectionBytesMin)) {
      if (section.node < 0) {
        yield* this.#search(section, this.#redactor)
        continue
      }
      if (this.#redactor.pace.isDue(unitsPerDigest + this.#bytesOf(section.node) * digestWeight)) yield
      const passed = yield* clean.knows(this.#index, section)
      if (passed === undefined ? !(yield* this.#resume(section)) : !(yield* this.#passOver(section, passed)))
        yield* this.#learn(section)
    }
    return yield* this.#edits.inOrder(this.#redactor.pace)
  }

  /** Counts the findings of a known part. @returns false if there are more, or if one of them no longer passes */
  *#passOver(section: TextSection, passed: readonly PassedFind[]): Generator<void, boolean, void> {
    const { profile, tally } = this.#redactor
    if (!passed.every(({ finding }) => profile.passes(finding)) || (yield* this.#recalls(section))) return false
    for (const { finding, count } of passed) tally.add(finding, 'allow', nowhere, count)
    this.#clean.knownBytes += this.#bytesOf(section.node)
    return true
  }

  /** Redacts a part by what its texts hold, if that is known. @returns whether it is */
  *#resume(section: TextSection): Generator<void, boolean, void> {
    const texts = this.#clean.sealed()
    if (texts === undefined) return false
    this.#known.open(texts)
    yield* this.#search(section, this.#knowing)
    this.#clean.knownBytes += this.#bytesOf(section.node)
    return true
  }

  /**
   * Scans a part, and remembers its findings: without their places if none is acted on or revealed to later texts.
   */
  *#learn(section: TextSection): Generator<void, void, void> {
    const { memory, tally } = this.#redactor
    const keptBefore = memory.keeps
    tally.onFind = this.#seen.add
    this.#noted.open()
    yield* this.#search(section, this.#noting)
    tally.onFind = undefined
    const finds = this.#seen.take()
    const noted = this.#noted.take()
    if (finds === undefined || memory.keeps !== keptBefore) {
      if (noted !== undefined && this.#bytesOf(section.node) >= sealedBytesMin) this.#clean.seal(noted)
      return
    }
    // A finding that only an earlier text made possible does not belong to the part itself.
    if (finds.length > 0 && (yield* this.#recalls(section))) return
    this.#clean.add(finds)
  }

  /** Whether a part holds a value that earlier texts revealed. */
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

/** The place of a finding that passes is never named. */
const nowhere = (): string => ''

/** The findings of one part, for as long as all of them pass wherever they are. */
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

  /** The findings since the last call, or `undefined` if there were too many sorts or one was acted on. */
  take(): readonly PassedFind[] | undefined {
    const finds = this.#finds
    if (finds === undefined || finds.length > 0) this.#finds = []
    return finds
  }
}

function isAlike(one: FindingSort, other: FindingSort): boolean {
  return one.kind === other.kind && one.tier === other.tier && one.confidence === other.confidence
}
