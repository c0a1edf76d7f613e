/**
 * Words of the APIs that stand in every body: roles, types of blocks, types of JSON Schema. A third of an agent's texts
 * are such words. One in which a scan finds nothing is not scanned each time.
 */
import type { Scanner } from '../../detection/findings.ts'
import { kindMask, type JsonIndex } from '../../dialects/json/json-index.ts'
import { NameTable } from '../../dialects/plan/names.ts'

const words = [
  ...['array', 'boolean', 'integer', 'number', 'object', 'string'],
  ...['assistant', 'developer', 'system', 'tool', 'user'],
  ...['ephemeral', 'function', 'function_call', 'function_call_output', 'input_text', 'message', 'output_text'],
  ...['reasoning', 'text', 'thinking', 'tool_result', 'tool_use']
]
const table = new NameTable(words)

/** Those of the words in which one scanner finds nothing: a policy may ask for any of them. */
export class QuietWords {
  static readonly #known = new WeakMap<Scanner, QuietWords>()
  readonly #isQuiet: readonly boolean[]

  private constructor(scanner: Scanner) {
    this.#isQuiet = words.map((word) => scanner.scan(word).length === 0)
  }

  static of(scanner: Scanner): QuietWords {
    let known = QuietWords.#known.get(scanner)
    if (known === undefined) QuietWords.#known.set(scanner, (known = new QuietWords(scanner)))
    return known
  }

  /** Whether a string is one of them. Says nothing of what its field or an earlier text may make of it. */
  has(index: JsonIndex, node: number): boolean {
    if (index.kinds[node]! > kindMask) return false
    const id = table.idOf(index, node)
    return id >= 0 && this.#isQuiet[id] === true
  }
}
