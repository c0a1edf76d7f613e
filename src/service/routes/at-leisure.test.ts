/**
 * Work of the API that takes milliseconds without a pause: one piece of it per turn of the event loop, however much is
 * requested.
 */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import Fastify, { type FastifyRequest } from 'fastify'
import { createByteBudget } from '../../ingress/body/byte-budget.ts'
import { countTurns, leastBetween } from '../../../test/support/count-turns.ts'
import type { Access } from '../access.ts'
import { createExportPlaces, exportTypes, sendExport } from './export-answer.ts'
import { readJsonObject } from './read-json.ts'

const url = '/api/events/export'
const headers = { 'x-service-workspace-token': 'a token' }
const good = { ok: true, principal: { tokenId: 'a', workspaceId: 'w', scopes: ['audit:read'] } }

/** About the number of turns that a model call takes. */
const turnsMin = 8

test('bodies that are parsed in one go', async () => {
  using counter = countTurns()
  const limits = { bodyBytesMax: 1_000_000, inflatedBytesMax: 1_000_000, uploadTimeoutMs: 10_000 }
  const to = { limits, budget: createByteBudget(100_000_000) }
  const read = async (text: string) => {
    const body = Buffer.from(JSON.stringify({ text }))
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const raw = Object.assign(new PassThrough(), { headers, rawHeaders: [] })
    raw.end(body)
    await readJsonObject({ headers, raw } as unknown as FastifyRequest, to)
    return counter.turn
  }
  const large = await Promise.all(Array.from({ length: 6 }, () => read('x'.repeat(100_000))))
  assert.ok(leastBetween(large.toSorted((a, b) => a - b)) >= turnsMin, large.join(' '))
  const small = await Promise.all(Array.from({ length: 6 }, () => read('x')))
  assert.ok(Math.max(...small) - Math.min(...small) < turnsMin, 'short ones wait for nobody')
})

test('chunks of exports', async () => {
  using counter = countTurns()
  const turns: number[] = []
  async function* rows() {
    for (let n = 0; n < 4; n++) {
      turns.push(counter.turn)
      yield 'a row that fills a chunk'.repeat(4000)
    }
  }
  const access = { tokens: { authenticate: () => good } } as unknown as Access
  const to = { access, places: createExportPlaces() }
  const format = { type: exportTypes.jsonl, first: '', line: (row: string) => `${row}\n` }
  const app = Fastify()
  app.get(url, (request, reply) =>
    sendExport(request, reply, { name: 'rows.jsonl', rows: rows(), format }, { key: 'a' }, to)
  )
  const answers = await Promise.all(Array.from({ length: 3 }, () => app.inject({ url, headers })))
  assert.deepEqual(
    answers.map(({ body }) => body.split('\n').length),
    [5, 5, 5]
  )
  assert.equal(turns.length, 12)
  assert.ok(leastBetween(turns) >= turnsMin, turns.join(' '))
  await app.close()
})

test('an export ends with the token with which it was requested', async () => {
  let given = 0
  const revoked = { ok: false, code: 'revoked_token' }
  const access = { tokens: { authenticate: () => (given < 3 ? good : revoked) } } as unknown as Access
  async function* rows() {
    for (; given < 9; given++) yield 'a row that fills a chunk'.repeat(4000)
  }
  const format = { type: exportTypes.jsonl, first: '', line: (row: string) => `${row}\n` }
  const app = Fastify()
  const to = { access, places: createExportPlaces() }
  app.get(url, (request, reply) =>
    sendExport(request, reply, { name: 'rows.jsonl', rows: rows(), format }, { key: 'a' }, to)
  )
  await assert.rejects(app.inject({ url, headers }), 'half a file is none')
  assert.equal(given, 3)
  assert.equal(to.places.taken, 0)
  await app.close()
})
