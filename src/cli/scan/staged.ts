/** What a commit would add: the staged content of changed files, read from git. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { UsageError } from '../usage-error.ts'
import { createIgnoreRules } from './ignore-rules.ts'
import { shown, type Source } from './walk.ts'

const lineFeed = 10
/** The listing of changed files is read as a whole. */
const listingBytesMax = 64 * 1024 * 1024

/**
 * The staged files in the repository around `cwd`, or those that `words` name. Only lines that the last commit does not
 * contain are reported, so that nobody is stopped because of existing ones.
 * @throws UsageError outside a repository, or if git is missing
 */
export async function* staged(words: readonly string[], cwd: string): AsyncGenerator<Source, void, void> {
  const top = (await git(['rev-parse', '--show-toplevel'], cwd)).toString('utf8').trimEnd()
  const rules = createIgnoreRules(join(top))
  const listing = ['diff', '--cached', '--raw', '-z', '--no-abbrev', '--no-renames', '--diff-filter=AMT']
  const fields = (await git([...listing, '--ignore-submodules', '--', ...words], cwd)).toString('utf8').split('\0')
  const blobs = new BlobReader(cwd)
  try {
    for (let i = 0; i + 1 < fields.length; i += 2) {
      const [, mode = '', oldId = '', newId = ''] = (fields[i] as string).slice(1).split(' ')
      const path = join(top, fields[i + 1] as string)
      if (!mode.startsWith('100') || rules.ignores(path, false)) continue
      const known = await linesOf(blobs, oldId)
      const name = shown(path, cwd)
      yield { name, bytes: () => blobs.read(newId), isWanted: (line) => !known.has(line) }
    }
  } finally {
    blobs.close()
  }
}

async function linesOf(blobs: BlobReader, id: string): Promise<ReadonlySet<string>> {
  if (/^0+$/.test(id)) return new Set()
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.read(id)) chunks.push(chunk)
  return new Set(new TextDecoder().decode(Buffer.concat(chunks)).split('\n'))
}

/** Runs git to its end. */
async function git(args: readonly string[], cwd: string): Promise<Buffer> {
  const child = spawn('git', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127))
    child.on('close', (code) => resolve(code ?? 1))
  })
  child.stderr.resume()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > listingBytesMax) child.kill()
    else chunks.push(chunk)
  }
  const code = await ended
  if (code === 127) throw new UsageError('--staged needs git, which cannot be started')
  if (code !== 0) throw new UsageError('--staged works inside a git repository, on paths that git knows')
  return Buffer.concat(chunks)
}

/** One `git cat-file --batch` process that returns content by id, one after another. */
class BlobReader {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(cwd: string) {
    this.#child = spawn('git', ['cat-file', '--batch'], { cwd, stdio: ['pipe', 'pipe', 'ignore'] })
    this.#child.stdin.on('error', () => undefined)
    this.#chunks = (this.#child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  }

  /** The content of a blob. It must be read to its end before the next one is requested. */
  async *read(id: string): AsyncGenerator<Buffer, void, void> {
    this.#child.stdin.write(`${id}\n`)
    let left = sizeOf(await this.#line())
    while (left > 0) {
      const part = (await this.#some()).subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      yield part
    }
    await this.#line()
  }

  close(): void {
    this.#child.stdin.end()
    this.#child.stdout.destroy()
  }

  async #line(): Promise<string> {
    while (!this.#rest.includes(lineFeed)) this.#rest = Buffer.concat([this.#rest, await this.#next()])
    const end = this.#rest.indexOf(lineFeed)
    const line = this.#rest.toString('latin1', 0, end)
    this.#rest = this.#rest.subarray(end + 1)
    return line
  }

  async #some(): Promise<Buffer> {
    if (this.#rest.length === 0) this.#rest = await this.#next()
    return this.#rest
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next()
    if (done) throw new Error('git stopped before it gave what is staged')
    return value
  }
}

function sizeOf(header: string): number {
  const [, type, size] = header.split(' ')
  if (type !== 'blob') throw new Error('git does not have what it lists as staged')
  return Number(size)
}
