/** A hub behind a bare HTTP server, and clients that see its bytes. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { revisionId, standardPolicy } from '../policy/revision.ts'
import { createPolicyHub, type HubOptions, type PolicyHub } from './hub.ts'
import type { PolicyFrame } from './frame.ts'

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A frame whose revision matches its documents. `filler` makes it as large as a test needs. */
export function frameOf(sequence: number, filler = ''): PolicyFrame {
  const documents = {
    mcpToolPolicy: { version: 1, defaultEffect: 'allow', rules: [], ...(filler === '' ? {} : { note: filler }) },
    redactionProfile: standardPolicy.redactionProfile
  }
  return { revision: revisionId(sequence, documents, sha256Hex), ...documents }
}

export interface RunningHub extends AsyncDisposable {
  readonly hub: PolicyHub
  readonly port: number
  /** Base URL of the service that the hub stands for. */
  readonly url: string
  /** Headers of every stream request, oldest first. */
  readonly requests: IncomingMessage['headers'][]
  /** Publishes to the workspace `w`, and makes the policy what a read returns. */
  publish(frame: PolicyFrame): void
  /** How often the policy was read. */
  readonly loads: () => number
}

function answerPoll(request: IncomingMessage, response: ServerResponse, frame: PolicyFrame): void {
  const etag = `"${frame.revision}"`
  const isKnown = request.headers['if-none-match'] === etag
  response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? '' : JSON.stringify(frame))
}

/**
 * Serves a hub at every path except that of the polled policy. The token header is the token's id, `x-workspace` the
 * workspace (default `w`).
 * @param first the policy that a read returns; a function to make it fail or wait
 */
export async function startHub(
  first: PolicyFrame | ((workspaceId: string) => Promise<PolicyFrame>),
  options: Partial<HubOptions> = {}
): Promise<RunningHub> {
  let current = first
  let loads = 0
  const requests: IncomingMessage['headers'][] = []
  const read = async (workspaceId: string): Promise<PolicyFrame> => {
    loads++
    return typeof current === 'function' ? await current(workspaceId) : current
  }
  const hub = createPolicyHub({ ...options, frames: { current: read } })
  const server = createServer(async (request, response) => {
    if (request.url === '/api/workspace/policy') return answerPoll(request, response, await read('w'))
    requests.push(request.headers)
    const refusal = await hub.open({
      request,
      response,
      workspaceId: String(request.headers['x-workspace'] ?? 'w'),
      tokenId: String(request.headers['x-service-workspace-token'] ?? 't'),
      headers: { 'x-request-id': 'r' }
    })
    if (refusal === undefined) return
    const status = refusal.code === 'revoked_token' ? 401 : refusal.code === 'too_many_streams' ? 429 : 503
    if (refusal.retryAfterS !== undefined) response.setHeader('retry-after', refusal.retryAfterS)
    response.writeHead(status).end(refusal.code)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    hub,
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    publish(frame) {
      current = frame
      hub.publish('w', frame)
    },
    loads: () => loads,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** A client that exposes every byte and only reads when told to. */
export class RawClient {
  readonly socket: Socket
  readonly ended: Promise<void>
  text = ''
  #wake = (): void => {}

  constructor(port: number, headers: Readonly<Record<string, string>> = {}) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.setEncoding('utf8')
    this.socket.on('data', (chunk: string) => {
      this.text += chunk
      this.#wake()
    })
    this.socket.on('error', () => {})
    this.ended = new Promise((resolve) => {
      this.socket.once('close', () => resolve())
    })
    const lines = Object.entries({ host: 'hub', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    this.socket.write(`GET /api/workspace/policy-stream HTTP/1.1\r\n${lines.join('')}\r\n`)
  }

  /** Waits until the bytes so far match. Rejects if the connection ends first. */
  async until(pattern: RegExp): Promise<string> {
    const gone = this.ended.then(() => 'gone' as const)
    while (!pattern.test(this.text)) {
      const more = new Promise<'more'>((resolve) => {
        this.#wake = () => resolve('more')
      })
      if ((await Promise.race([more, gone])) === 'gone' && !pattern.test(this.text)) {
        throw new Error(`the connection ended before ${pattern}`)
      }
    }
    return this.text
  }

  /** Revisions of the policy events so far. */
  get revisions(): string[] {
    return [...this.text.matchAll(/^id: (.*)$/gm)].map((match) => match[1] as string)
  }

  close(): void {
    this.socket.destroy()
  }
}
