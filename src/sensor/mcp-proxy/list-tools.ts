/** Asks a server for its tools like a client: with a session, or without one if the server's revision has none. */
import { version } from '../../config/version.ts'
import { nodeKind, type JsonIndex } from '../../dialects/json/json-index.ts'
import { resultWithin } from '../../timing/within.ts'
import type { Downstream, OpenDownstream } from './servers/downstream.ts'
import { membersOf, textOf } from './gate/members.ts'
import { relaySentence, startsAgain } from './messages/json-rpc-error.ts'
import { metaKeys, statelessRevision } from './messages/protocol-names.ts'
import { bufferOf, indexMessage } from './gate/open-message.ts'
import { driveWork } from './gate/run-steps.ts'
import { readDefinition, type ToolDefinition } from './gate/tool-definition.ts'

const pagesMax = 1000
const answerTimeoutMs = 30_000
const closeGraceMs = 1000
const cursorBytesMax = 16_384

/** A page of a list. */
interface ToolPage {
  readonly definitions: readonly ToolDefinition[]
  readonly cursor: string | undefined
  readonly next: string | undefined
}

/** The server could not be asked, or gave an invalid answer. The message is a full sentence that quotes nothing. */
export class ListingError extends Error {
  override readonly name = 'ListingError'
}

const clientInfo = { name: 'sluice-dry-run', version: version() }
const statelessMeta = {
  [metaKeys.version]: statelessRevision,
  [metaKeys.clientInfo]: clientInfo,
  [metaKeys.clientCapabilities]: {}
}

/** @throws ListingError */
export async function listTools(open: OpenDownstream): Promise<ToolPage[]> {
  const line = new Line(open)
  try {
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const hasSession = (await line.ask('initialize', hello)) !== undefined
    // A server without sessions answers that with an error of its own, and does not stop at it.
    if (line.problem?.endsWith(startsAgain)) throw new ListingError(sayStopped(line.problem))
    if (hasSession) line.tell('notifications/initialized')
    const more = hasSession ? {} : { _meta: statelessMeta }
    const pages: ToolPage[] = []
    let cursor: string | undefined
    do {
      const answer = await line.ask('tools/list', { ...more, ...(cursor !== undefined && { cursor }) })
      if (answer === undefined)
        throw new ListingError(
          sayStopped(line.problem) ?? 'The server answered the request for its tools with an error.'
        )
      const page = pageOf(answer, cursor)
      pages.push(page)
      cursor = page.next
    } while (cursor !== undefined && pages.length < pagesMax)
    return pages
  } finally {
    await line.close()
  }
}

/** Nothing is asked again here, so a program that stopped is the reader's to look at. */
function sayStopped<Problem extends string | undefined>(problem: Problem) {
  return problem?.replace(startsAgain, ' Run its command by itself to see why.') as Problem
}

function pageOf(index: JsonIndex, cursor: string | undefined): ToolPage {
  const members = membersOf(index, index.find(index.root, 'result'), ['tools', 'nextCursor'])
  const [tools = -1, nextCursor] = members ?? []
  if (members === undefined || tools < 0 || index.kind(tools) !== nodeKind.array)
    throw new ListingError('The list of tools of the server could not be read.')
  const definitions: ToolDefinition[] = []
  const end = index.nexts[tools] as number
  for (let node = tools + 1; node < end; node = index.nexts[node] as number) {
    const definition = readDefinition(index, node)
    if (definition !== undefined) definitions.push(definition)
  }
  return { definitions, cursor, next: textOf(index, nextCursor, cursorBytesMax) }
}

/** Sends one request at a time over a connection. */
class Line {
  /** Why the last request got an error, if the server did not write it itself. */
  problem: string | undefined
  readonly #downstream: Downstream
  #id = 0
  #waiting: { readonly id: number; readonly resolve: (answer: JsonIndex) => void } | undefined

  constructor(open: OpenDownstream) {
    this.#downstream = open({ onMessage: (message) => this.#take(message), onDrain: () => undefined })
  }

  /** @returns the answer with its result; undefined for an error. @throws ListingError if there is no answer */
  async ask(method: string, params: object): Promise<JsonIndex | undefined> {
    const id = ++this.#id
    const { promise, resolve } = Promise.withResolvers<JsonIndex>()
    this.#waiting = { id, resolve }
    this.#downstream.send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params })))
    const late = (): Error => new ListingError('The server did not answer in time.')
    const answer = await resultWithin(answerTimeoutMs, promise, late)
    return answer.find(answer.root, 'result') < 0 ? undefined : answer
  }

  tell(method: string): void {
    this.#downstream.send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method })))
  }

  close(): Promise<void> {
    return this.#downstream.close(closeGraceMs)
  }

  async #take(message: Uint8Array): Promise<void> {
    const problem = relaySentence(message)
    const index = await driveWork(indexMessage(bufferOf(message)))
    if (index === undefined || index.find(index.root, 'method') >= 0) return
    const id = index.find(index.root, 'id')
    if (id < 0 || index.raw(id) !== String(this.#waiting?.id)) return
    this.problem = problem
    this.#waiting?.resolve(index)
  }
}
