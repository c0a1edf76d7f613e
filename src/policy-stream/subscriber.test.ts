import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTcpRelay } from '../../test/support/tcp-relay.ts'
import { eventually } from '../../test/support/eventually.ts'
import { encodeComment, encodeFrame, encodeRetry } from './frame.ts'
import { frameOf, startHub } from './hub.fixture.ts'
import { serve, watch } from './subscriber.fixture.ts'

const stream = { 'content-type': 'text/event-stream' }

describe('a subscriber', () => {
  it('follows the policy, reports each revision once, and reconnects with the one it has', async () => {
    await using running = await startHub(frameOf(1), { timings: { retryMs: 100 } })
    // Requests are counted here: none may be made because a busy machine was silent for a while.
    const timings = { firstByteMs: 60_000, watchdogMs: 60_000 }
    await using watched = watch(`${running.url}/api/ingress/v1`, { timings })
    assert.equal(watched.subscriber.policy, undefined)
    assert.deepEqual(await watched.subscriber.ready(), { frame: frameOf(1), compiled: 'version 1' })
    running.publish(frameOf(2))
    await watched.untilSequence(2)
    running.hub.closeWorkspace('w')
    await eventually('a second request', () => running.requests.length >= 2 || undefined)
    assert.equal(running.requests[1]?.['last-event-id'], frameOf(2).revision)
    assert.equal(running.requests[1]?.['x-service-workspace-token'], 'svw_a')
    assert.deepEqual(watched.reports, [
      { kind: 'policy_applied', policyRevision: frameOf(1).revision, reasonCode: 'stream' },
      { kind: 'policy_applied', policyRevision: frameOf(2).revision, reasonCode: 'stream' }
    ])
    assert.deepEqual(
      watched.states.map(({ state }) => state),
      ['unresolved', 'fresh', 'fresh']
    )
  })

  it('rejects an older revision and one with a wrong hash, and keeps the one it has', async () => {
    const forged = { ...frameOf(6), revision: `6-${'0'.repeat(16)}` }
    let rounds = 0
    await using server = await serve((_request, response) => {
      rounds++
      response.writeHead(200, stream)
      for (const frame of [frameOf(5), frameOf(4), forged]) response.write(encodeFrame(frame))
      response.end(Buffer.concat([encodeRetry(100), encodeComment('heartbeat')]))
    })
    await using watched = watch(server.url)
    await watched.untilStatus({ state: 'stale', problem: 'rejected', revision: frameOf(5).revision })
    await eventually('both reports', () => watched.reports.length === 3 || undefined)
    await eventually('some rounds', () => rounds > 4 || undefined)
    assert.ok(watched.states.filter(({ state }) => state === 'stale').every(({ problem }) => problem === 'rejected'))
    assert.deepEqual(watched.reports.slice(1), [
      { kind: 'policy_rejected', policyRevision: frameOf(4).revision, reasonCode: 'older_revision' },
      { kind: 'policy_rejected', policyRevision: forged.revision, reasonCode: 'hash_mismatch' }
    ])
    assert.equal(watched.subscriber.policy?.frame.revision, frameOf(5).revision)
  })

  it('is not fresh again by a comment that follows a rejected policy, but by the next valid one', async () => {
    const forged = { ...frameOf(6), revision: `6-${'0'.repeat(16)}` }
    await using server = await serve((_request, response) => {
      response.writeHead(200, stream)
      for (const frame of [frameOf(5), forged]) response.write(encodeFrame(frame))
      response.write(encodeComment('heartbeat'))
      response.write(encodeFrame(frameOf(7)))
    })
    await using watched = watch(server.url)
    await watched.untilSequence(7)
    const known = watched.states.filter(({ revision }) => revision !== undefined)
    assert.deepEqual(
      known.map(({ state, revision }) => `${state} ${revision?.slice(0, 1)}`),
      ['fresh 5', 'stale 5', 'fresh 7']
    )
  })

  it('rejects once what it cannot compile or read, and accepts the next valid policy', async () => {
    let round = 0
    await using server = await serve((_request, response) => {
      response.writeHead(200, stream)
      round++
      response.write('event: policy\ndata: {"revision": 7}\n\nevent: other\ndata: {}\n\n')
      response.end(encodeFrame(round < 3 ? frameOf(1) : frameOf(2)))
    })
    await using watched = watch(server.url, {
      validate: (frame) => {
        if (frame.revision.startsWith('1-')) throw new Error('not this one')
        return 'good'
      }
    })
    await watched.untilSequence(2)
    assert.deepEqual(watched.reports, [
      { kind: 'policy_rejected', reasonCode: 'invalid_frame' },
      { kind: 'policy_rejected', policyRevision: frameOf(1).revision, reasonCode: 'invalid_policy' },
      { kind: 'policy_applied', policyRevision: frameOf(2).revision, reasonCode: 'stream' }
    ])
    assert.equal(watched.subscriber.status.state, 'fresh')
  })

  it('accepts the same sequence with other documents, which a server switch causes', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, stream)
      response.write(encodeFrame(frameOf(3)))
      response.end(encodeFrame(frameOf(3, 'switched')))
    })
    await using watched = watch(server.url)
    await eventually(
      'the other',
      () => watched.subscriber.policy?.frame.mcpToolPolicy['note'] === 'switched' || undefined
    )
  })

  it('rejects a policy that never ends', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, stream)
      response.write('event: policy\ndata: ')
      const line = 'x'.repeat(100_000)
      const more = (): void => void (response.write(line) ? setImmediate(more) : response.once('drain', more))
      more()
    })
    await using watched = watch(server.url)
    await watched.untilStatus({ state: 'unresolved', problem: 'rejected' })
    assert.deepEqual(watched.reports, [{ kind: 'policy_rejected', reasonCode: 'too_large' }])
  })

  it('regularly reports a policy that stays in force', async () => {
    await using running = await startHub(frameOf(1), { timings: { retryMs: 10 } })
    let nowMs = 0
    const clock = { monotonicMs: () => nowMs, wallMs: () => Date.now() }
    await using watched = watch(running.url, { clock, timings: { reportMs: 1000, watchdogMs: 60_000 } })
    await watched.untilSequence(1)
    for (const [time, reports] of [
      [999, 1],
      [1000, 2],
      [1999, 2],
      [2000, 3]
    ] as const) {
      nowMs = time
      const requests = running.requests.length
      running.hub.closeWorkspace('w')
      await eventually('two more streams', () => {
        if (running.requests.length === requests + 1) running.hub.closeWorkspace('w')
        return running.requests.length > requests + 1 || undefined
      })
      assert.equal(watched.reports.length, reports, String(time))
    }
    assert.deepEqual(watched.reports[2], watched.reports[0])
  })

  it('regularly reports a policy that stays rejected', async () => {
    let rounds = 0
    await using server = await serve((_request, response) => {
      rounds++
      response.writeHead(200, stream)
      response.end(Buffer.concat([encodeRetry(100), encodeFrame({ ...frameOf(6), revision: `6-${'0'.repeat(16)}` })]))
    })
    let nowMs = 0
    const clock = { monotonicMs: () => nowMs, wallMs: () => Date.now() }
    await using watched = watch(server.url, { clock, timings: { reportMs: 1000 } })
    for (const [time, reports] of [
      [0, 1],
      [999, 1],
      [1000, 2]
    ] as const) {
      nowMs = time
      const before = rounds
      await eventually('two more rounds', () => rounds > before + 2 || undefined)
      assert.equal(watched.reports.length, reports, String(time))
    }
  })

  it('survives callbacks that throw', async () => {
    await using running = await startHub(frameOf(1))
    const fail = (): never => {
      throw new Error('not my day')
    }
    await using watched = watch(running.url, { onPolicy: fail, onState: fail, report: fail })
    await watched.subscriber.ready()
    running.publish(frameOf(2))
    await watched.untilSequence(2)
    assert.ok(watched.warnings.includes('callback_failed'))
  })

  it('is not created with an invalid target or token', () => {
    assert.throws(() => watch('sluice:8080'), /target must be an http/)
    assert.throws(() => watch('http://127.0.0.1:9', { token: 'svw_a\n' }), /token must be visible/)
  })

  it('has no policy if closed before one came, and can be closed twice', async () => {
    await using server = await serve(() => {})
    const watched = watch(server.url)
    await watched.subscriber.close()
    await watched.subscriber.close()
    await assert.rejects(watched.subscriber.ready(), /closed before/)
  })
})

describe('refusals', () => {
  it('401 and 403 are reported as such and retried', async () => {
    let status = 401
    await using server = await serve((_request, response) => response.writeHead(status).end())
    await using watched = watch(server.url)
    await watched.untilStatus({ state: 'unresolved', problem: 'unauthorized' })
    status = 403
    await watched.untilStatus({ state: 'unresolved', problem: 'forbidden' })
  })

  it('Retry-After is waited for', async () => {
    let tries = 0
    await using server = await serve((_request, response) => {
      tries++
      response.writeHead(503, { 'retry-after': '3600' }).end()
    })
    await using watched = watch(server.url)
    await watched.untilStatus({ problem: 'unavailable' })
    // Its own waits are at most 40 ms.
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal(tries, 1)
  })

  it('a redirect is not followed: the token is only for the service that was configured', async () => {
    await using elsewhere = await startHub(frameOf(1))
    await using server = await serve((_request, response) => response.writeHead(307, { location: elsewhere.url }).end())
    await using watched = watch(server.url)
    await watched.untilStatus({ problem: 'not_found' })
    assert.equal(elsewhere.requests.length, 0)
  })
})

describe('if the stream does not get through', () => {
  /** Answers the polled route, and the stream as the test says. */
  const twin =
    (frame: () => ReturnType<typeof frameOf>, ofStream: Parameters<typeof serve>[0]): Parameters<typeof serve>[0] =>
    (request, response) => {
      if (request.url !== '/api/workspace/policy') return ofStream(request, response)
      const tag = `"${frame().revision}"`
      if (request.headers['if-none-match'] === tag) return response.writeHead(304, { etag: tag }).end()
      response.writeHead(200, { etag: tag, 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...frame(), author: 'someone' }))
    }

  it('it polls, and follows the stream again once that works', async () => {
    let frame = frameOf(1)
    let isHeld = true
    let held = 0
    let polls = 0
    await using server = await serve(
      twin(
        () => {
          polls++
          return frame
        },
        (_request, response) => {
          if (isHeld) return void held++
          response.writeHead(200, stream)
          response.write(encodeFrame(frameOf(9)))
        }
      )
    )
    await using watched = watch(server.url, { timings: { firstByteMs: 50, streamRetryMs: 60 } })
    // While the stream is retried, the status already names it.
    await watched.untilStatus({ revision: frameOf(1).revision, transport: 'poll' })
    frame = frameOf(2)
    await watched.untilSequence(2)
    await eventually('a probe of the stream', () => held >= 2 || undefined)
    await eventually('more polls', () => polls > 8 || undefined)
    assert.equal(watched.subscriber.status.state, 'fresh')
    isHeld = false
    await watched.untilSequence(9)
    await watched.untilStatus({ state: 'fresh', transport: 'stream' })
  })

  for (const [name, answer] of [
    ['an answer of another type', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    ['404', (response) => response.writeHead(404).end()]
  ] as [string, (response: Parameters<Parameters<typeof serve>[0]>[1]) => void][]) {
    it(`it polls after ${name}`, async () => {
      await using server = await serve(
        twin(
          () => frameOf(3),
          (_request, response) => answer(response)
        )
      )
      await using watched = watch(server.url)
      await watched.untilSequence(3)
      assert.equal(watched.reports[0]?.reasonCode, 'poll')
      await watched.untilStatus({ state: 'fresh', transport: 'poll' })
    })
  }

  it('a URL that is not the service is reported as such', async () => {
    await using server = await serve((_request, response) => response.writeHead(404).end())
    await using watched = watch(server.url)
    await watched.untilStatus({ state: 'unresolved', problem: 'not_found', transport: 'poll' })
  })
})

describe('networks that fail', () => {
  it('a stream that arrives byte by byte works', async () => {
    await using running = await startHub(frameOf(1, 'å'.repeat(500)))
    await using relay = await startTcpRelay(() => running.port)
    relay.mode = 'bytewise'
    await using watched = watch(`http://127.0.0.1:${relay.port}`)
    await watched.untilSequence(1)
  })

  for (const fault of ['reset', 'halfOpen', 'blackhole'] as const) {
    it(`after ${fault} it has the newest policy again`, async () => {
      await using running = await startHub(frameOf(1), { timings: { heartbeatMs: 60, retryMs: 100 } })
      await using relay = await startTcpRelay(() => running.port)
      await using watched = watch(`http://127.0.0.1:${relay.port}`, { timings: { watchdogMs: 500 } })
      await watched.untilSequence(1)
      if (fault === 'blackhole') relay.mode = 'blackhole'
      else relay[fault]()
      running.publish(frameOf(2))
      if (fault === 'blackhole') {
        await watched.untilStatus({ state: 'stale', problem: 'silent', revision: frameOf(1).revision })
        assert.equal(watched.subscriber.policy?.frame.revision, frameOf(1).revision)
        relay.mode = 'pass'
      }
      await watched.untilSequence(2)
      assert.ok(relay.connections() >= 2)
    })
  }

  it('retryNow ends a wait', async () => {
    let isOpen = false
    await using server = await serve((request, response) => {
      if (!isOpen) return request.socket.destroy()
      response.writeHead(200, stream)
      response.write(encodeFrame(frameOf(1)))
    })
    await using watched = watch(server.url, {
      timings: { backoffMinMs: 3_600_000, backoffMaxMs: 3_600_000 },
      random: () => 0.9
    })
    await watched.untilStatus({ problem: 'unreachable' })
    isOpen = true
    watched.subscriber.retryNow()
    await watched.untilSequence(1)
  })
})
