/** Notifications that a list of tools has changed: which clients receive them, and in which form. */
import { nodeKind } from '../../../dialects/json/json-index.ts'
import { metaKeys } from '../messages/protocol-names.ts'
import { addMember, applyEdits, replaceValue } from './byte-edits.ts'
import type { GatePolicy } from './gate-policy.ts'
import { membersOf } from './members.ts'
import { bufferOf, indexMessage, idOfJson } from './open-message.ts'

/** The notification that opens a subscription of 2026-07-28. */
export const subscribedNotice = 'notifications/subscriptions/acknowledged'
const changed = 'notifications/tools/list_changed'
const subscriptionsMax = 256

/** What one client was promised. */
export class ListNews {
  /** Ids of the requests that opened subscriptions, as JSON, by the key of each request. */
  readonly #subscriptions = new Map<string, string>()
  #isPromised = false
  #isOurs = false
  /** Whether the client has a list that may be out of date. */
  hasListed = false

  get isAwaited(): boolean {
    return (this.#isPromised && this.hasListed) || this.#subscriptions.size > 0
  }

  /** Whether the promise is the gate's and not the server's. */
  get isOurs(): boolean {
    return this.#isOurs
  }

  /**
   * Reads what a server of a revision with sessions promises, and adds the promise if policy filters lists.
   * @returns the answer to `initialize` for the client
   */
  *promise(message: Uint8Array, policy: GatePolicy | undefined): Generator<void, Uint8Array, void> {
    const index = yield* indexMessage(bufferOf(message))
    const members = index && membersOf(index, index.root, ['result'])
    const result = members?.[0] ?? -1
    const capabilities = index && result >= 0 ? index.find(result, 'capabilities') : -1
    const tools = index && capabilities >= 0 ? index.find(capabilities, 'tools') : -1
    if (index === undefined || tools < 0 || index.kind(tools) !== nodeKind.object) return message
    const said = index.find(tools, 'listChanged')
    this.#isPromised = said >= 0 && index.kind(said) === nodeKind.true
    if (this.#isPromised || policy === undefined || !filtersLists(policy)) return message
    this.#isPromised = this.#isOurs = true
    const edit = said < 0 ? addMember(index, tools, '"listChanged":true') : replaceValue(index, said, 'true')
    return applyEdits(message, [edit])
  }

  /** Records a subscription that the server has accepted. @param isOpen whether a request with this key asked for it */
  *subscribed(message: Uint8Array, isOpen: (key: string) => boolean): Generator<void, void, void> {
    const index = yield* indexMessage(bufferOf(message))
    const params = index ? index.find(index.root, 'params') : -1
    const [meta, filter] =
      index && params >= 0 ? [index.find(params, '_meta'), index.find(params, 'notifications')] : []
    if (index === undefined || meta === undefined || filter === undefined || meta < 0 || filter < 0) return
    const [id, tools] = [index.find(meta, metaKeys.subscription), index.find(filter, 'toolsListChanged')]
    if (id < 0 || tools < 0 || index.kind(tools) !== nodeKind.true) return
    const known = idOfJson(index.raw(id))
    if (known && isOpen(known.key) && this.#subscriptions.size < subscriptionsMax)
      this.#subscriptions.set(known.key, known.json)
  }

  /** A subscription has ended. */
  unsubscribed(key: string): void {
    this.#subscriptions.delete(key)
  }

  /** The notifications about a change. */
  *messages(): Generator<Buffer> {
    const notice = { jsonrpc: '2.0', method: changed }
    if (this.#isPromised && this.hasListed) yield Buffer.from(JSON.stringify(notice))
    for (const id of this.#subscriptions.values())
      yield Buffer.from(
        `{"jsonrpc":"2.0","method":"${changed}","params":{"_meta":{${JSON.stringify(metaKeys.subscription)}:${id}}}}`
      )
  }
}

/** Whether a client may be shown fewer tools than the server lists. */
export function filtersLists({ document }: GatePolicy): boolean {
  return document.mode === 'enforce' && document.listing === 'filter'
}
