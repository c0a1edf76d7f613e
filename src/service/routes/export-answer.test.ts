import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { request } from 'node:http'
import { test } from 'node:test'
import Fastify from 'fastify'
import type { Access } from '../access.ts'
import { createExportPlaces, exportTypes, sendExport } from './export-answer.ts'

test('an export whose client left before it began takes no place', async () => {
  const principal = { tokenId: 'a', workspaceId: 'w', scopes: ['audit:read'] }
  const access = { tokens: { authenticate: () => ({ ok: true, principal }) } } as unknown as Access
  const to = { access, places: createExportPlaces() }
  const format = { type: exportTypes.jsonl, first: '', line: (row: string) => `${row}\n` }
  const asked = Promise.withResolvers<void>()
  const isLeft = Promise.withResolvers<void>()
  let areRowsRead = false
  async function* rows() {
    areRowsRead = true
    yield 'a row'
  }
  const app = Fastify()
  app.get('/api/events/export', async (req, reply) => {
    asked.resolve()
    // As long as the records of calls wait for a slow disk.
    await once(reply.raw, 'close')
    isLeft.resolve()
    return sendExport(req, reply, { name: 'rows.jsonl', rows: rows(), format }, { key: 'a' }, to)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const leaving = request({ host: '127.0.0.1', port, path: '/api/events/export' }).on('error', () => undefined)
  leaving.end()
  await asked.promise
  leaving.destroy()
  await isLeft.promise
  const { taken } = to.places
  await app.close()
  assert.deepEqual([taken, areRowsRead], [0, false])
})
