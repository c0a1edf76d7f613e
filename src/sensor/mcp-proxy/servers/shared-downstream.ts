/**
 * One server for many clients' requests, in the revision without sessions. Their ids may collide, so each request gets
 * a new id on its way in, and its own again on its way back; nothing else of a message changes.
 */
import type { Downstream, DownstreamEvents, OpenDownstream } from './downstream.ts'
import { readEnvelope } from '../messages/envelope.ts'
import { findMember, rawOf, withSpans, type Span } from '../messages/json-members.ts'
import { cancelledMessage } from '../messages/json-rpc-error.ts'
import { metaKeys } from '../messages/protocol-names.ts'

interface Share {
  readonly events: DownstreamEvents
  /** Ids as the clients wrote them. */
  readonly id: string
  readonly progressToken: string | undefined
}

const idPath = ['id']
const tokenUpPath = ['params', '_meta', 'progressToken']
const tokenDownPath = ['params', 'progressToken']
const subscriptionPaths = [
  ['params', '_meta', metaKeys.subscription],
  ['result', '_meta', metaKeys.subscription]
]

export class SharedDownstream {
  readonly #server: Downstream
  /** By the id that the server receives. */
  readonly #shares = new Map<string, Share>()
  #lastId = 0

  constructor(open: OpenDownstream) {
    this.#server = open({
      onMessage: (message) => this.#take(message),
      onDrain: () => {
        for (const { events } of this.#shares.values()) events.onDrain()
      }
    })
  }

  /** A connection for one request. Closing it before the answer cancels the request. */
  open(events: DownstreamEvents): Downstream {
    let own: string | undefined
    const server = this.#server
    const shares = this.#shares
    return {
      get isFull() {
        // To be notified of room, a connection must be registered first.
        return own !== undefined && server.isFull
      },
      get openRequests() {
        return own !== undefined && shares.has(own) ? 1 : 0
      },
      send: (message) => {
        const { kind, id, method } = readEnvelope(message)
        // On HTTP, a request is cancelled by closing it; an id here could be another client's.
        if (method === 'notifications/cancelled') return
        if (kind !== 'request' || id === undefined) return server.send(message)
        own = String(++this.#lastId)
        const token = findMember(message, tokenUpPath)
        shares.set(own, { events, id, progressToken: token && rawOf(message, token) })
        server.send(replaced(message, [findMember(message, idPath), token], own))
      },
      close: async () => {
        if (own !== undefined && shares.delete(own)) server.send(cancelledMessage(own, 'the client has gone'))
      }
    }
  }

  close(graceMs: number): Promise<void> {
    return this.#server.close(graceMs)
  }

  #take(message: Uint8Array): Promise<void> | undefined {
    const { kind, id } = readEnvelope(message)
    const subscription = subscriptionPaths.map((path) => findMember(message, path)).find((span) => span !== undefined)
    if (kind === 'response') {
      const share = id === undefined ? undefined : this.#shares.get(id)
      if (id === undefined || share === undefined) return undefined
      this.#shares.delete(id)
      return share.events.onMessage(replaced(message, [findMember(message, idPath), subscription], share.id))
    }
    // A server of this revision sends no requests of its own.
    if (kind !== 'notification') return undefined
    if (subscription) {
      const share = this.#shares.get(rawOf(message, subscription))
      return share?.events.onMessage(replaced(message, [subscription], share.id))
    }
    const token = findMember(message, tokenDownPath)
    if (token) {
      const share = this.#shares.get(rawOf(message, token))
      return share?.events.onMessage(replaced(message, [token], share.progressToken ?? share.id))
    }
    // A pipe does not say which request a log line belongs to, and another client must not read it.
    const [only, ...others] = this.#shares.values()
    return others.length === 0 ? only?.events.onMessage(message) : undefined
  }
}

function replaced(message: Uint8Array, spans: readonly (Span | undefined)[], text: string): Uint8Array {
  const known = spans.filter((span) => span !== undefined).sort((a, b) => a.from - b.from)
  return withSpans(
    message,
    known.map((span) => ({ ...span, text }))
  )
}
