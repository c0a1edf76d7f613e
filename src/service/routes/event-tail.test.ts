import assert from 'node:assert/strict'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { eventually } from '../../../test/support/eventually.ts'
import type { Store, StoredEvent } from '../../store/store.ts'
import type { Access } from '../access.ts'
import { createLifecycle } from '../lifecycle.ts'
import { registerEventTail, type TailDependencies } from './event-tail.ts'

const principal = { tokenId: 'a', workspaceId: 'w', scopes: ['audit:read'] }
const access = {
  tokens: { authenticate: () => ({ ok: true, principal }), isGood: () => true, onRevoked: () => () => undefined }
} as unknown as Access

/** Asks for the tail of a store, and reads nothing. */
async function tailing(store: Pick<Store, 'lastEventSequence' | 'eventsAfter'>, header = '') {
  const places = { taken: 0 }
  const set = (_name: string, value: number): void => void (places.taken = value)
  const metrics = { set } as unknown as TailDependencies['metrics']
  const app = Fastify()
  const to = { access, store: store as Store, lifecycle: createLifecycle(), metrics, drainTimeoutMs: 3_600_000 }
  registerEventTail(app, to)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  client.pause()
  client.write(`GET /api/events/tail HTTP/1.1\r\nhost: x\r\nx-service-workspace-token: a\r\n${header}\r\n`)
  const leave = async (): Promise<void> => {
    client.destroy()
    await eventually('the place is free', () => places.taken === 0 || undefined)
    await app.close()
  }
  return { places, leave }
}

test('a client that stops reading and leaves gives its place back at once', async () => {
  let asked = 0
  let pages = 0
  const large = { sensorMetadata: { text: 'x'.repeat(20_000_000) }, sequence: 2, occurredAt: 0, receivedAt: 0 }
  const { places, leave } = await tailing({
    lastEventSequence: async () => ++asked,
    eventsAfter: async () => (pages++ === 0 ? [large as unknown as StoredEvent] : [])
  })
  await eventually('the frame is written', () => pages > 0 || undefined)
  assert.equal(places.taken, 1)
  await leave()
})

test('a client that knows more events than a restored store has goes on from the last of them', async () => {
  const after = Promise.withResolvers<number>()
  const store = {
    lastEventSequence: async () => 5,
    eventsAfter: async ({ sequence }: { readonly sequence: number }) => {
      after.resolve(sequence)
      return []
    }
  }
  const { leave } = await tailing(store, 'last-event-id: 900\r\n')
  assert.equal(await after.promise, 5)
  await leave()
})
