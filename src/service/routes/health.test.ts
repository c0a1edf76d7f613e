import assert from 'node:assert/strict'
import { it } from 'node:test'
import fastify from 'fastify'
import type { Store } from '../../store/store.ts'
import { createLifecycle } from '../lifecycle.ts'
import { registerHealth, type HealthDependencies } from './health.ts'

const events: HealthDependencies['events'] = {
  state: () => ({ failingSince: undefined, isQueueFull: false })
}

async function readiness(changeCounter: Store['changeCounter']): Promise<[status: number, store: unknown]> {
  await using app = fastify()
  const store = { changeCounter } as Store
  registerHealth(app, { store, lifecycle: createLifecycle(), events, maintenance: { isStoreFull: false } })
  const reply = await app.inject('/readyz')
  return [reply.statusCode, reply.json<{ checks: { store: string } }>().checks.store]
}

it('the service is not ready while its store fails or stays silent', async () => {
  const startedAt = performance.now()
  const [works, fails, hangs] = await Promise.all([
    readiness(async () => 1),
    readiness(() => Promise.reject(new Error('no connection'))),
    readiness(() => new Promise(() => undefined))
  ])
  assert.deepEqual(
    [works, fails, hangs],
    [
      [200, 'ok'],
      [503, 'failed'],
      [503, 'failed']
    ]
  )
  assert.ok(performance.now() - startedAt > 1900)
})
