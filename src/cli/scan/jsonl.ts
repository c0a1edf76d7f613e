/** `sluice scan --jsonl`: a filter for other programs. Lines of texts in, lines of findings out, in the same order. */
import type { Finding, Scanner } from '../../detection/findings.ts'
import type { Output } from './output.ts'
import type { Judge } from './report.ts'

/** The longest line that is read, in bytes; V8 cannot hold a much longer text. */
const lineBytesMax = 256 * 1024 * 1024

interface FilterOptions {
  readonly scanner: Scanner
  readonly judge: Judge
  readonly input: AsyncIterable<Buffer>
  readonly output: Output
  /** Receives a sentence about a line that cannot be read; it never quotes the line. */
  complain(sentence: string): void
}

/**
 * Answers each line `{"id","text"}` with `{"id","findings":[...]}`. Each text is scanned separately.
 * @returns how many lines could not be read
 */
export async function filterLines({ scanner, judge, input, output, complain }: FilterOptions): Promise<number> {
  let bad = 0
  for await (const { number, bytes, isLast } of linesOf(input)) {
    const line = readLine(bytes)
    if (typeof line === 'string') {
      bad++
      complain(`line ${number}: ${line}`)
    } else if (line !== undefined) {
      const findings = scanner.scan(line.text, scanner.createMemory()).filter(judge.isReported)
      await output.write(`{"id":${JSON.stringify(line.id)},"findings":${JSON.stringify(findings.map(answered))}}\n`)
    }
    // A program that waits for its answer before it sends the next line must get it.
    if (isLast) await output.flush()
  }
  await output.flush()
  return bad

  function answered(finding: Finding) {
    const { kind, group, tier, confidence, start, end } = finding
    return { kind, group, tier, confidence, action: judge.action(finding), start, end }
  }
}

interface Line {
  readonly number: number
  /** Undefined for a line that is too long. */
  readonly bytes: Buffer | undefined
  /** Whether no further line has arrived yet. */
  readonly isLast: boolean
}

async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<Line, void, void> {
  let number = 0
  let parts: Buffer[] = []
  let size = 0
  const take = (isLast: boolean): Line => {
    const bytes = size > lineBytesMax ? undefined : Buffer.concat(parts)
    parts = []
    size = 0
    return { number: ++number, bytes, isLast }
  }
  const add = (part: Buffer): void => {
    size += part.length
    if (size <= lineBytesMax) parts.push(part)
    else parts = []
  }
  for await (const chunk of input) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, at))
      from = at + 1
      yield take(!chunk.includes(10, from))
    }
    add(chunk.subarray(from))
  }
  if (size > 0) yield take(true)
}

/** The text and id of a line, undefined for a blank one, or what is wrong with it. */
function readLine(bytes: Buffer | undefined): { readonly id: unknown; readonly text: string } | string | undefined {
  if (bytes === undefined) return `is longer than ${lineBytesMax} bytes`
  const source = bytes.toString('utf8')
  if (source.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    // The parser's message would quote the line.
    return 'is not JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not a JSON object'
  const { id, text } = value as { readonly id?: unknown; readonly text?: unknown }
  if (typeof id !== 'string' && typeof id !== 'number') return '"id" must be a text or a number'
  return typeof text === 'string' ? { id, text } : '"text" must be a text'
}
