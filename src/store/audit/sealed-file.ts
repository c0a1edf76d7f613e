/**
 * Reads what `sealed-export.ts` wrote as a verification reads a store, so that a file is judged by the same rules. Roots
 * are kept in memory, and of rows their places.
 */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { z } from 'zod'
import type { AuditHead, AuditRoot, ChainedAuditRow } from '../store.ts'
import type { RootContent } from './root.ts'
import { verifyAudit, type AuditReader, type AuditReport, type VerifyOptions } from './verify.ts'

/** A root as it is printed, logged and exported. */
export const auditRootSchema = z.object({
  workspaceId: z.string(),
  sequence: z.int().positive(),
  sealedAt: z.int(),
  payload: z.string(),
  hash: z.string(),
  signature: z.string()
})

/** Nothing else may be in a line: no hash and no signature would cover it, and whoever reads the file may believe it. */
const rootSchema = z.strictObject(auditRootSchema.shape)
const rowSchema = z.strictObject({
  writerId: z.string(),
  writerSequence: z.int().positive(),
  sequence: z.int().positive(),
  day: z.int(),
  previousHash: z.string(),
  hash: z.string(),
  text: z.string()
})

const textSchema = z.object({
  workspaceId: z.string(),
  at: z.int(),
  requestId: z.string().nullable(),
  tokenId: z.string().nullable(),
  actor: z.string(),
  action: z.string(),
  detail: z.record(z.string(), z.json())
})

/** Where a row stands in the file, in bytes. */
interface Place {
  readonly number: number
  readonly start: number
  readonly length: number
}

/** What a writer's rows and the roots say of the end of its chain. */
type End = Pick<AuditHead, 'rows' | 'hash' | 'lastAt'>

/**
 * Verifies a sealed export. What no root covers explains nothing: whoever has the file can add rows to it which say that
 * retention dropped a day.
 * @returns undefined if the file has no root, so that nothing in it is signed
 * @throws the system's error if the file cannot be read; Error that names the line if one is neither a root nor a row,
 *   and repeats nothing of it
 */
export async function verifySealedFile(
  path: string,
  options: Omit<VerifyOptions, 'store' | 'auditDays' | 'now'>
): Promise<AuditReport | undefined> {
  using store = await SealedFile.open(path, options.workspaceId)
  return store.hasRoots ? await verifyAudit({ ...options, store, auditDays: Infinity }) : undefined
}

/** The roots and rows of one workspace in a file. Dispose it to close the file. */
class SealedFile implements AuditReader, Disposable {
  readonly #file: number
  readonly #workspaceId: string
  readonly #roots: AuditRoot[] = []
  readonly #places = new Map<string, Place[]>()
  readonly #ends = new Map<string, End>()

  private constructor(path: string, workspaceId: string) {
    this.#file = openSync(path, 'r')
    this.#workspaceId = workspaceId
  }

  static async open(path: string, workspaceId: string): Promise<SealedFile> {
    const opened = new SealedFile(path, workspaceId)
    try {
      let number = 0
      for await (const { start, line } of linesOf(path)) opened.#take(line, start, ++number)
      opened.#settle()
      return opened
    } catch (error) {
      opened[Symbol.dispose]()
      throw error
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  get hasRoots(): boolean {
    return this.#roots.length > 0
  }

  #take(line: Buffer, start: number, number: number): void {
    const value = parsed(line)
    const root = rootSchema.safeParse(value)
    if (root.success) {
      if (root.data.workspaceId === this.#workspaceId) this.#roots.push(root.data)
      return
    }
    const row = readRow(value)
    if (!row) throw new Error(`line ${number} of the file is neither a root nor a row of a sealed export`)
    if (row.row.workspaceId !== this.#workspaceId) return
    const { writerId, writerSequence, hash } = row
    const places = this.#places.get(writerId) ?? []
    if (places.length === 0) this.#places.set(writerId, places)
    places.push({ number: writerSequence, start, length: line.length })
    if (writerSequence >= (this.#ends.get(writerId)?.rows ?? 0))
      this.#ends.set(writerId, { rows: writerSequence, hash, lastAt: row.row.at })
  }

  /** Brings everything into the order of a store, whose rows have none in which they were inserted. */
  #settle(): void {
    this.#roots.sort((one, other) => one.sequence - other.sequence)
    for (const places of this.#places.values()) places.sort((one, other) => one.number - other.number)
    // All rows of a writer may have expired; then only roots name it.
    for (const { payload, sealedAt } of this.#roots)
      for (const { writerId, rows, hash } of writersIn(payload))
        if (rows > (this.#ends.get(writerId)?.rows ?? 0)) this.#ends.set(writerId, { rows, hash, lastAt: sealedAt })
  }

  async auditHeads(): Promise<AuditHead[]> {
    return [...this.#ends].map(([writerId, end]) => ({
      writerId,
      ...end,
      startedAt: end.lastAt,
      closedAt: null,
      isLost: false
    }))
  }

  async auditChain({ writerId, after, limit }: Parameters<AuditReader['auditChain']>[0]): Promise<ChainedAuditRow[]> {
    const page = pageOf(this.#places.get(writerId) ?? [], ({ number }) => number, after, limit)
    return page.map((place) => this.#rowAt(place))
  }

  async auditRoots({ after, limit }: Parameters<AuditReader['auditRoots']>[0]): Promise<AuditRoot[]> {
    return pageOf(this.#roots, ({ sequence }) => sequence, after, limit)
  }

  /** A file says no more of its roots than it has. */
  async auditRootsStored(): Promise<number> {
    return this.#roots.at(-1)?.sequence ?? 0
  }

  #rowAt({ start, length }: Place): ChainedAuditRow {
    const line = Buffer.alloc(length)
    readSync(this.#file, line, 0, length, start)
    const row = readRow(parsed(line))
    if (!row) throw new Error('the file was changed while it was read')
    return row
  }
}

/**
 * Up to `limit` items behind `after`, and all that have the number of the last one: a second row with the number of a
 * first must not be skipped because a page ends between them.
 * @param items ascending by number
 */
function pageOf<Item>(items: readonly Item[], numberOf: (item: Item) => number, after: number, limit: number): Item[] {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numberOf(items[middle] as Item) > after) high = middle
    else low = middle + 1
  }
  const last = items[low + limit - 1]
  if (last === undefined) return items.slice(low)
  const number = numberOf(last)
  let end = low + limit
  while (end < items.length && numberOf(items[end] as Item) === number) end++
  return items.slice(low, end)
}

/** Undefined for what is no row. Its columns are those of the hashed text, since the file has them only once. */
function readRow(value: unknown): ChainedAuditRow | undefined {
  const read = rowSchema.safeParse(value)
  const said = textSchema.safeParse(read.success ? parsed(read.data.text) : undefined)
  if (!read.success || !said.success) return undefined
  const { sequence, text, ...link } = read.data
  return { ...link, payload: text, row: { sequence, ...said.data } }
}

/** The writers of a root that may be forged, in which case the verification says so. */
function writersIn(payload: string): RootContent['writers'] {
  const content = parsed(payload) as Partial<RootContent> | undefined
  return Array.isArray(content?.writers) ? content.writers : []
}

function parsed(text: Buffer | string): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

/** The lines of a file that are not empty, with the place of each in bytes. */
async function* linesOf(path: string): AsyncGenerator<{ start: number; line: Buffer }, void, void> {
  let rest = Buffer.alloc(0)
  let start = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    let from = 0
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, from)) {
      if (end > from) yield { start: start + from, line: rest.subarray(from, end) }
      from = end + 1
    }
    start += from
    rest = rest.subarray(from)
  }
  if (rest.length > 0) yield { start, line: rest }
}
