/** A shutdown that no longer waits for calls: the calls that it aborts are recorded all the same. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { userBody } from '../support/dialects.ts'
import { storedAudit } from '../support/events.ts'
import { makeDataDir, startTestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import * as upstream from '../support/upstream-behaviours.ts'

for (const [what, behaviour, stream] of [
  ['before their answer', upstream.hangs, false],
  ['in the middle of a stream', upstream.stallsMidStream, true]
] as const)
  test(`calls that the shutdown aborts ${what} are recorded`, async () => {
    await using stub = await startStubUpstream(behaviour)
    const dataDir = await makeDataDir()
    const ids = Array.from({ length: 5 }, () => randomUUID())
    try {
      {
        await using service = await startTestService({
          upstream: stub,
          dataDir,
          env: { SERVICE_DRAIN_TIMEOUT_MS: '50' }
        })
        const body = userBody('messages', 'Hello.', { stream })
        const calls = ids.map((id) =>
          service.send('messages', body, { headers: { 'x-request-id': id } }).catch(() => 0)
        )
        await stub.arrived(ids.length)
        await service.running.close()
        await Promise.all(calls)
      }
      await using again = await startTestService({ dataDir })
      for (const requestId of ids) {
        const [row, more] = await storedAudit(again, { requestId })
        assert.deepEqual([row?.action, more], ['ingress_proxy', undefined])
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
