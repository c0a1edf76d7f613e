/**
 * Sends a thousand requests of every kind, each with unique values. Afterwards none of the values may occur in the data
 * directory, in the memory of the process, in any output, in a response of the service, in an audit row, or upstream.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAuditReader } from '../support/audit.ts'
import { eventually } from '../support/eventually.ts'
import { call, type Reply } from '../support/http.ts'
import { occurring } from '../support/search.ts'
import { makeDataDir } from '../support/start-service.ts'
import { startServiceProcess, type ServiceProcess } from '../support/start-service-process.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import * as upstream from '../support/upstream-behaviours.ts'
import { createShots, type Shot } from './canary-shots.ts'

const requests = 1000
const concurrency = 16
async function allFiles(dir: string): Promise<Buffer> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  return Buffer.concat(await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name)))))
}

async function fire(service: ServiceProcess, shots: readonly Shot[]): Promise<Reply[]> {
  const replies: Reply[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let i = next++; i < shots.length; i = next++) {
      const { path, body, headers } = shots[i] as Shot
      const all = {
        'content-type': 'application/json',
        'x-service-workspace-token': service.token,
        'x-request-id': randomUUID(),
        ...(headers as object)
      }
      replies[i] = await call(service.url + path, { headers: all, ...(body === undefined ? {} : { body }) })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return replies
}

test('no planted value is found anywhere afterwards', async (t) => {
  const dataDir = await makeDataDir()
  const endings = [
    upstream.answers(),
    upstream.fails,
    upstream.repeatsRequest,
    upstream.refusesKey,
    upstream.hangsUp,
    upstream.diesMidStream,
    upstream.answers()
  ]
  let turn = 0
  await using stub = await startStubUpstream((received, res) => endings[turn++ % endings.length]?.(received, res))
  const service = await startServiceProcess({ upstream: stub, dataDir, env: { SERVICE_LOG_LEVEL: 'trace' } })
  t.after(async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const shots = createShots(requests)
  const replies = await fire(service, shots)
  const audit = createAuditReader(service.url, service.auditToken)
  // The query builder keeps the parameters of its last query until the next one.
  await audit.rows(randomUUID())
  const heap = await service.heap()
  const statuses = new Set(replies.map(({ status }) => status))
  for (const status of [200, 202, 400, 403, 404, 500, 502])
    assert.ok(statuses.has(status), `no request ended with ${status}`)

  const rows: string[] = []
  for (const [i, { recorded }] of shots.entries()) {
    const requestId = replies[i]?.headers['x-request-id'] ?? ''
    const found = recorded ? [await audit.only(requestId)] : await audit.rows(requestId)
    rows.push(JSON.stringify(found))
  }
  assert.equal(await service.stop(), 0)
  await eventually('log lines', () => (service.printed().length > 0 ? true : undefined))

  const planted = shots.flatMap((shot) =>
    shot.planted.map((one) => ({ ...one, fate: shot.fate, mayGoUp: shot.mayGoUp }))
  )
  // An upstream that may see a value and repeats it responds with it, which is no leak of the service.
  const ours = replies.filter((_, i) => shots[i]?.mayGoUp !== true)
  const places: [string, Buffer][] = [
    ['the data directory', await allFiles(dataDir)],
    ['the heap', heap],
    ['what was printed', Buffer.from(service.printed())],
    ['audit rows', Buffer.from(rows.join('\n'))],
    ['answers', Buffer.from(ours.map(({ headers, text }) => JSON.stringify(headers) + text).join('\n'))]
  ]
  const sent = stub.received.flatMap(({ url, headers, body }) => [Buffer.from(url + JSON.stringify(headers)), body])
  const searched = [...places, ['upstream', Buffer.concat(sent)] as const]
  const found = searched.flatMap(([place, bytes]) => {
    const kept = occurring(
      bytes,
      planted.map(({ needle }) => needle)
    )
    const leaked = planted.filter(({ needle, mayGoUp }) => kept.has(needle) && !(mayGoUp && place === 'upstream'))
    return leaked.map(({ kind, fate }) => `${kind} ${fate}: ${place}`)
  })
  assert.deepEqual([...new Set(found)].sort(), [])
  for (const [place, bytes] of searched) assert.ok(bytes.length > 10_000, `nothing was read from ${place}`)
})
