import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.ts'
import { frameOf, RawClient, startHub, type RunningHub } from './hub.fixture.ts'
import { createPolicyHub } from './hub.ts'

const never = 3_600_000
const bulk = 'x'.repeat(4_000_000)

/** Publishes until the kernel's buffers are full and frames replace each other. @returns the last sequence */
async function stall({ hub }: RunningHub, client: RawClient): Promise<number> {
  client.socket.pause()
  let sequence = 1
  // If the hub soon gives up on such a client, that may happen first.
  while (hub.stats().framesCoalesced < 2 && hub.stats().streams > 0) {
    hub.publish('w', frameOf(++sequence, bulk))
    await nextTurn()
  }
  return sequence
}

describe('what is sent', () => {
  it('is the policy at once, under headers that prevent buffering and caching', async () => {
    const frame = frameOf(1)
    await using running = await startHub(frame)
    const client = new RawClient(running.port)
    const text = await client.until(/\ndata: .*\n\n/)
    const [head = '', body = ''] = text.split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 200 /)
    assert.match(head, /^content-type: text\/event-stream\r?$/m)
    assert.match(head, /^cache-control: no-store, no-transform\r?$/m)
    assert.match(head, /^x-accel-buffering: no\r?$/m)
    assert.match(head, /^x-request-id: r\r?$/m)
    assert.deepEqual(head.match(/^connection: .*$/gim), ['connection: close'])
    assert.doesNotMatch(head, /transfer-encoding|content-length/i)
    assert.equal(body, `retry: 3000\n\nevent: policy\nid: ${frame.revision}\ndata: ${JSON.stringify(frame)}\n\n`)
    client.close()
  })

  it('is a comment if the client already has the policy', async () => {
    await using running = await startHub(frameOf(3))
    const client = new RawClient(running.port, { 'last-event-id': frameOf(3).revision })
    assert.match(await client.until(/: current\n\n/), /\r\n\r\nretry: 3000\n\n: current\n\n$/)
    running.hub.publish('w', frameOf(4))
    await client.until(/\ndata: .*\n\n/)
    assert.deepEqual(client.revisions, [frameOf(4).revision])
    client.close()
  })

  it('is each new revision once, never an older one, and only to its workspace', async () => {
    await using running = await startHub(frameOf(5))
    const clients = Array.from({ length: 200 }, () => new RawClient(running.port))
    const other = new RawClient(running.port, { 'x-workspace': 'other' })
    await Promise.all([...clients, other].map((client) => client.until(/\ndata: .*\n\n/)))
    assert.equal(running.hub.publish('w', frameOf(6)), 'published')
    assert.equal(running.hub.publish('w', frameOf(6)), 'unchanged')
    assert.equal(running.hub.publish('w', frameOf(5)), 'older')
    assert.equal(running.hub.publish('w', frameOf(6, 'another text under the same number')), 'older')
    assert.equal(running.hub.publish('w', frameOf(7)), 'published')
    const last = new RegExp(`id: ${frameOf(7).revision}\\ndata: .*\\n\\n`)
    await Promise.all(clients.map((client) => client.until(last)))
    for (const { revisions } of clients) {
      assert.deepEqual(
        revisions.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
        revisions
      )
      assert.equal(new Set(revisions).size, revisions.length)
    }
    assert.deepEqual(other.revisions, [frameOf(5).revision])
    for (const client of [...clients, other]) client.close()
  })

  it('is a heartbeat while nothing changes', async () => {
    await using running = await startHub(frameOf(1), { timings: { heartbeatMs: 60 } })
    const client = new RawClient(running.port)
    await client.until(/(: heartbeat\n\n){3}$/)
    client.close()
  })

  it('is refused if a revision could break out of its line', async () => {
    await using running = await startHub(frameOf(1))
    const frame = { ...frameOf(2), revision: '2-0123456789abcdef\ndata: {}' }
    assert.throws(() => running.hub.publish('w', frame), RangeError)
  })
})

describe('the policy of a workspace', () => {
  it('is read once for all clients that arrive during the read, and again after the last has left', async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
    await using running = await startHub(async () => {
      await asked
      return frameOf(1)
    })
    const clients = Array.from({ length: 20 }, () => new RawClient(running.port))
    await eventually('20 requests', () => running.requests.length === 20 || undefined)
    answer()
    await Promise.all(clients.map((client) => client.until(/\ndata: .*\n\n/)))
    assert.equal(running.loads(), 1)
    for (const client of clients) client.close()
    await eventually('no stream', () => running.hub.stats().streams === 0 || undefined)
    assert.deepEqual(running.hub.workspaces(), [])
    const late = new RawClient(running.port)
    await late.until(/\ndata: .*\n\n/)
    assert.equal(running.loads(), 2)
    assert.deepEqual(running.hub.workspaces(), ['w'])
    assert.equal(running.hub.stats().closed.client, 20)
    late.close()
  })

  it('that cannot be read is 503', async () => {
    await using running = await startHub(() => Promise.reject(new Error('no store')))
    const answer = await fetch(running.url)
    assert.deepEqual([answer.status, await answer.text()], [503, 'store_unavailable'])
    assert.match(answer.headers.get('retry-after') ?? '', /^([2-9]|10)$/)
    assert.equal(running.hub.stats().streams, 0)
  })

  it('is never taken from a read that is older than what was published', async () => {
    await using running = await startHub(frameOf(4))
    running.hub.publish('w', frameOf(5))
    const answer = await fetch(running.url)
    assert.deepEqual([answer.status, await answer.text()], [503, 'store_unavailable'])
  })

  it('is read again for a client that has a newer one from another instance', async () => {
    let current = frameOf(1)
    await using running = await startHub(() => Promise.resolve(current))
    const here = new RawClient(running.port)
    await here.until(/\ndata: .*\n\n/)
    current = frameOf(2)
    const moved = new RawClient(running.port, { 'last-event-id': frameOf(2).revision })
    await moved.until(/: current\n\n$/)
    await here.until(/^id: 2-[^]*\n\n$/m)
    assert.deepEqual(moved.revisions, [])
    for (const client of [here, moved]) client.close()
  })

  it('is the one at hand if such a read fails', async () => {
    let current = Promise.resolve(frameOf(1))
    await using running = await startHub(() => current)
    const here = new RawClient(running.port)
    await here.until(/\ndata: .*\n\n/)
    current = Promise.reject(new Error('no store'))
    current.catch(() => undefined)
    const moved = new RawClient(running.port, { 'last-event-id': frameOf(2).revision })
    await moved.until(/\ndata: .*\n\n/)
    assert.deepEqual(moved.revisions, [frameOf(1).revision])
    for (const client of [here, moved]) client.close()
  })

  it('is the published one if it arrives before the read ends', async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
    await using running = await startHub(async () => {
      await asked
      return frameOf(1)
    })
    const client = new RawClient(running.port)
    await eventually('a read', () => running.loads() === 1 || undefined)
    running.hub.publish('w', frameOf(2))
    answer()
    await client.until(/\ndata: .*\n\n/)
    assert.deepEqual(client.revisions, [frameOf(2).revision])
    client.close()
  })
})

describe('a client that does not read', () => {
  it('eventually gets the newest frame, and none in between', async () => {
    await using running = await startHub(frameOf(1))
    const client = new RawClient(running.port)
    await client.until(/\ndata: .*\n\n/)
    const last = await stall(running, client)
    client.socket.resume()
    await client.until(new RegExp(`^id: ${last}-[^]*\\n\\n$`, 'm'))
    const sequences = client.revisions.map((revision) => Number.parseInt(revision, 10))
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b)
    )
    assert.equal(sequences.length, last - running.hub.stats().framesCoalesced)
    client.close()
  })

  it('is cut off after the drain timeout', async () => {
    await using running = await startHub(frameOf(1), { timings: { heartbeatMs: 60, drainTimeoutMs: 100 } })
    const client = new RawClient(running.port)
    await client.until(/\ndata: .*\n\n/)
    await stall(running, client)
    await eventually('the cut', () => running.hub.stats().closed.stalled === 1 || undefined)
    await eventually('no stream', () => running.hub.stats().streams === 0 || undefined)
    client.close()
  })
})

describe('a stream ends', () => {
  it('with its client, even if that sends an unexpected body', async () => {
    await using running = await startHub(frameOf(1), { timings: { heartbeatMs: never } })
    const client = new RawClient(running.port, { 'content-length': '1000000' })
    await client.until(/\ndata: .*\n\n/)
    client.socket.write('x'.repeat(500_000))
    client.socket.end()
    await eventually('no stream', () => running.hub.stats().streams === 0 || undefined)
    assert.equal(running.hub.stats().closed.client, 1)
  })

  it('before it begins, if its client had gone before it was opened', async () => {
    const hub = createPolicyHub({ frames: { current: async () => frameOf(1) } })
    const request = new IncomingMessage(new Socket())
    const response = new ServerResponse(request)
    response.destroy()
    await once(response, 'close')
    assert.equal(await hub.open({ request, response, workspaceId: 'w', tokenId: 't' }), undefined)
    assert.deepEqual([hub.stats().streams, hub.workspaces()], [0, []])
  })

  it('at its maximum age', async () => {
    await using running = await startHub(frameOf(1), { timings: { heartbeatMs: 60, ageMaxMs: 200 } })
    await new RawClient(running.port).ended
    assert.equal(running.hub.stats().closed.age, 1)
  })

  it('when its token is closed, and those of other tokens continue', async () => {
    await using running = await startHub(frameOf(1))
    const revoked = [1, 2].map(() => new RawClient(running.port, { 'x-service-workspace-token': 'a' }))
    const other = new RawClient(running.port, { 'x-service-workspace-token': 'b' })
    await Promise.all([...revoked, other].map((client) => client.until(/\ndata: .*\n\n/)))
    running.hub.closeToken('a')
    await Promise.all(revoked.map((client) => client.ended))
    running.hub.publish('w', frameOf(2))
    await other.until(/^id: 2-/m)
    assert.equal(running.hub.stats().closed.revoked, 2)
    other.close()
  })

  it('when its token is closed, read or not', async () => {
    await using running = await startHub(frameOf(1))
    const client = new RawClient(running.port)
    await client.until(/\ndata: .*\n\n/)
    await stall(running, client)
    running.hub.closeToken('t')
    await eventually('no stream', () => running.hub.stats().streams === 0 || undefined)
    client.close()
  })

  it('before it begins, if its token is closed while the policy is read', async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
    await using running = await startHub(async () => {
      await asked
      return frameOf(1)
    })
    const fetched = fetch(running.url)
    await eventually('a read', () => running.loads() === 1 || undefined)
    running.hub.closeToken('t')
    answer()
    assert.equal((await fetched).status, 401)
    assert.equal(running.hub.stats().streams, 0)
  })

  it('with its workspace', async () => {
    await using running = await startHub(frameOf(1))
    const client = new RawClient(running.port)
    await client.until(/\ndata: .*\n\n/)
    running.hub.closeWorkspace('w')
    await client.ended
    assert.equal(running.hub.stats().closed.workspace, 1)
  })

  it('when the service drains, with a reconnect time of its own', async () => {
    await using running = await startHub(frameOf(1))
    const clients = Array.from({ length: 40 }, () => new RawClient(running.port))
    await Promise.all(clients.map((client) => client.until(/\ndata: .*\n\n/)))
    const drained = running.hub.drain({ spreadMs: 200 })
    const refused = await fetch(running.url)
    assert.deepEqual([refused.status, await refused.text()], [503, 'draining'])
    await drained
    await Promise.all(clients.map((client) => client.ended))
    const waits = clients.map(({ text }) => Number(/retry: (\d+)\n\n$/.exec(text)?.[1]))
    assert.ok(waits.every((waitMs) => waitMs >= 1500 && waitMs <= 4500))
    assert.ok(new Set(waits).size > 20)
    assert.equal(running.hub.stats().closed.drain, 40)
  })
})

describe('limits', () => {
  it('apply to a token and to the process, and ended streams free their places', async () => {
    await using running = await startHub(frameOf(1), {
      limits: { streamsMax: 3, streamsPerTokenMax: 2 },
      timings: { heartbeatMs: never },
      random: () => 0.5
    })
    const as = (token: string) => ({ 'x-service-workspace-token': token })
    const [first, second] = ['a', 'a'].map((token) => new RawClient(running.port, as(token)))
    for (const client of [first, second]) await client?.until(/\ndata: .*\n\n/)
    const ofToken = await fetch(running.url, { headers: as('a') })
    assert.deepEqual(
      [ofToken.status, await ofToken.text(), ofToken.headers.get('retry-after')],
      [429, 'too_many_streams', '6']
    )
    const third = new RawClient(running.port, as('b'))
    await third.until(/\ndata: .*\n\n/)
    const ofProcess = await fetch(running.url, { headers: as('c') })
    assert.deepEqual([ofProcess.status, await ofProcess.text()], [503, 'overloaded'])
    third.close()
    second?.close()
    await eventually('one stream', () => running.hub.stats().streams === 1 || undefined)
    const again = new RawClient(running.port, as('a'))
    await again.until(/\ndata: .*\n\n/)
    const { refused } = running.hub.stats()
    assert.deepEqual([refused.too_many_streams, refused.overloaded], [1, 1])
    for (const client of [first, again]) client?.close()
    await once(again.socket, 'close')
  })
})
