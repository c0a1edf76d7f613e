import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { DownstreamEvents } from './downstream.ts'
import { SharedDownstream } from './shared-downstream.ts'

type Message = Readonly<Record<string, unknown>>

/** A server that several clients share: what it was sent, and a way to speak as it. */
function share() {
  const sent: Message[] = []
  let events: DownstreamEvents | undefined
  const shared = new SharedDownstream((given) => {
    events = given
    return {
      isFull: false,
      openRequests: 0,
      send: (message) => void sent.push(JSON.parse(Buffer.from(message).toString()) as Message),
      close: async () => undefined
    }
  })
  const open = () => {
    const told: Message[] = []
    const onMessage = (message: Uint8Array): undefined =>
      void told.push(JSON.parse(Buffer.from(message).toString()) as Message)
    const connection = shared.open({ onMessage, onDrain: () => undefined })
    return { told, connection, send: (message: Message) => connection.send(bytesOf(message)) }
  }
  return { sent, open, tell: (message: Message) => void events?.onMessage(bytesOf(message)) }
}

const bytesOf = (message: Message): Uint8Array => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))

it('a client cannot cancel the request of another, whatever id it names', async () => {
  const { sent, open } = share()
  const [victim, other] = [open(), open()]
  victim.send({ id: 7, method: 'tools/call' })
  const { id } = sent[0] ?? {}
  other.send({ method: 'notifications/cancelled', params: { requestId: id } })
  other.send({ method: 'notifications/cancelled', params: { requestId: 7 } })
  assert.equal(sent.length, 1)
  await victim.connection.close(0)
  assert.deepEqual(sent[1]?.['params'], { requestId: id, reason: 'the client has gone' })
})

it('what is no request is sent as it is, and keeps nobody waiting', async () => {
  const { sent, open } = share()
  const { connection, send } = open()
  const told = { jsonrpc: '2.0', method: 'notifications/roots/list_changed', params: { _meta: { progressToken: 'p' } } }
  send(told)
  assert.deepEqual(sent, [told])
  assert.equal(connection.openRequests, 0)
  await connection.close(0)
  assert.equal(sent.length, 1)
})

it('what names a request goes to its client under the id that it knows, and anything else only to a single one', () => {
  const { sent, open, tell } = share()
  const [one, two] = [open(), open()]
  one.send({ id: 'a', method: 'tools/call', params: { _meta: { progressToken: 'p' } } })
  tell({ method: 'notifications/message', params: { data: 'for one' } })
  two.send({ id: 'a', method: 'tools/call' })
  tell({ method: 'notifications/message', params: { data: 'for nobody' } })
  const ids = sent.map(({ id }) => id)
  tell({ method: 'notifications/progress', params: { progressToken: ids[0] } })
  tell({ id: ids[1], result: 2 })
  tell({ id: ids[0], result: 1 })
  tell({ id: ids[0], result: 'again' })
  const short = (told: readonly Message[]) => told.map(({ id, result, params }) => [id, result ?? params])
  assert.deepEqual(short(one.told), [
    [undefined, { data: 'for one' }],
    [undefined, { progressToken: 'p' }],
    ['a', 1]
  ])
  assert.deepEqual(short(two.told), [['a', 2]])
})
