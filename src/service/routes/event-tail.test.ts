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

test('a client that stops reading and leaves gives its place back at once', async () => {
  let taken = 0
  let asked = 0
  let pages = 0
  const large = { sensorMetadata: { text: 'x'.repeat(20_000_000) }, sequence: 2, occurredAt: 0, receivedAt: 0 }
  const store = {
    lastEventSequence: async () => ++asked,
    eventsAfter: async () => (pages++ === 0 ? [large as unknown as StoredEvent] : [])
  } as unknown as Store
  const metrics = {
    set: (_name: string, value: number) => void (taken = value)
  } as unknown as TailDependencies['metrics']
  const app = Fastify()
  registerEventTail(app, { access, store, lifecycle: createLifecycle(), metrics, drainTimeoutMs: 3_600_000 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  client.pause()
  client.write('GET /api/events/tail HTTP/1.1\r\nhost: x\r\nx-service-workspace-token: a\r\n\r\n')
  await eventually('the frame is written', () => pages > 0 || undefined)
  assert.equal(taken, 1)
  client.destroy()
  await eventually('the place is free', () => taken === 0 || undefined)
  await app.close()
})
