/** What the texts of a part of a body hold by themselves: noted while the part is scanned, used when it comes again. */
import type { OwnFind, ScanHint, Scanner, ScanMemory, ScanRun } from '../../detection/findings.ts'

/** What one text of a part holds. */
export interface TextFinds {
  /** The number of the text among those of the part. */
  readonly text: number
  /** The number of the string within a text that is JSON; -1 for the text itself. */
  readonly inner: number
  readonly finds: readonly OwnFind[]
}

/** A part whose texts are read one after the other, always in the same order. */
export interface PartTexts {
  /** Turns to the next text. @returns whether it need not be read */
  next(): boolean
  /** Begins to scan it, or a string within it. */
  begin(content: string, hint: ScanHint | undefined, inner: number): ScanRun
  /** Says that what is scanned depends on what is masked. */
  refuse(): void
}

/** A part that is scanned, and whose finds are noted. */
export class NotedPart implements PartTexts {
  readonly #scanner: Scanner
  readonly #memory: ScanMemory
  #text = -1
  #noted: TextFinds[] | undefined = []
  /** The scan that was begun last. */
  #run: ScanRun | undefined
  #inner = -1

  constructor(scanner: Scanner, memory: ScanMemory) {
    this.#scanner = scanner
    this.#memory = memory
  }

  /** Turns to another part. */
  open(): void {
    this.#text = -1
    this.#noted = []
    this.#run = undefined
  }

  next(): boolean {
    this.#note()
    this.#text++
    return false
  }

  begin(content: string, hint: ScanHint | undefined, inner: number): ScanRun {
    this.#note()
    this.#inner = inner
    return (this.#run = this.#scanner.begin(content, this.#memory, hint))
  }

  refuse(): void {
    this.#noted = undefined
  }

  /** What was noted; undefined if the part must be scanned each time. */
  take(): readonly TextFinds[] | undefined {
    this.#note()
    return this.#noted
  }

  #note(): void {
    const finds = this.#run?.own()
    if (this.#run !== undefined && finds === undefined) this.#noted = undefined
    else if (finds !== undefined && finds.length > 0) this.#noted?.push({ text: this.#text, inner: this.#inner, finds })
    this.#run = undefined
  }
}

/** A part whose finds are known. */
export class KnownPart implements PartTexts {
  readonly #scanner: Scanner
  readonly #memory: ScanMemory
  #known: readonly TextFinds[] = []
  #text = -1
  /** The first of what is known that belongs to the text, or to a later one. */
  #at = 0

  constructor(scanner: Scanner, memory: ScanMemory) {
    this.#scanner = scanner
    this.#memory = memory
  }

  /** Turns to another part. */
  open(known: readonly TextFinds[]): void {
    this.#known = known
    this.#text = -1
    this.#at = 0
  }

  next(): boolean {
    this.#text++
    while ((this.#known[this.#at]?.text ?? Infinity) < this.#text) this.#at++
    return this.#memory.size === 0 && this.#known[this.#at]?.text !== this.#text
  }

  begin(content: string, hint: ScanHint | undefined, inner: number): ScanRun {
    for (let i = this.#at; this.#known[i]?.text === this.#text; i++) {
      const { inner: one, finds } = this.#known[i] as TextFinds
      if (one === inner) return this.#scanner.resume(content, finds, this.#memory, hint)
    }
    return this.#scanner.recaller.begin(content, this.#memory)
  }

  refuse(): void {}
}
