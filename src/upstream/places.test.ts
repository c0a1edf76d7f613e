import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Agent } from 'undici'
import { upstreamFailure } from './client.ts'
import { eventually } from '../../test/support/eventually.ts'
import { startExchange } from './exchange.ts'
import { createUpstreamPlaces, reservedPlaces, type UpstreamPlaces } from './places.ts'

const origin = 'http://upstream.example'

/** Starts calls and records the names of their holders in the order in which they started. */
function calls(places: UpstreamPlaces) {
  const started: string[] = []
  const leaves: (() => void)[] = []
  return {
    started,
    enter: (holder: string, to = origin) =>
      places.enter(to, holder, (leave) => {
        started.push(holder)
        leaves.push(leave)
      }),
    /** Ends the n-th call that started. */
    end: (index: number) => leaves[index]?.()
  }
}

test('calls start up to the limit of their upstream, and then as others end', () => {
  const { started, enter, end } = calls(createUpstreamPlaces(2))
  for (const holder of ['a', 'b', 'c']) enter(holder)
  assert.deepEqual(started, ['a', 'b'])
  enter('c', 'http://other.example')
  assert.deepEqual(started, ['a', 'b', 'c'], 'another upstream has places of its own')
  end(0)
  end(0)
  enter('d')
  assert.deepEqual(started, ['a', 'b', 'c', 'c'], 'a place that is given back twice is one place')
})

test('the reserve is only for holders with few calls', () => {
  const { started, enter, end } = calls(createUpstreamPlaces(16, 8))
  for (let count = 0; count < 16; count++) enter('greedy')
  assert.equal(started.length, 8)
  for (let count = 0; count < 3; count++) enter('modest')
  assert.deepEqual(started.slice(8), ['modest', 'modest'], 'a quarter of it, and no more')
  for (const holder of ['b', 'b', 'c', 'c', 'd', 'd', 'e']) enter(holder)
  assert.deepEqual(started.slice(10), ['b', 'b', 'c', 'c', 'd', 'd'], 'the bound of all')
  end(0)
  assert.equal(started.at(-1), 'e', 'what a holder of much gives back is not its own again')
  assert.equal(started.length, 17)
})

test('of those who wait, the one with the fewest calls goes first, and equals take turns', () => {
  const { started, enter, end } = calls(createUpstreamPlaces(3))
  for (const holder of ['a', 'a', 'b', 'a', 'a', 'b', 'c', 'c', 'd']) enter(holder)
  for (let index = 0; index < 6; index++) end(index)
  assert.deepEqual(started, ['a', 'a', 'b', 'c', 'a', 'b', 'd', 'c', 'a'])
})

test('a call that stopped waiting does not start', () => {
  const { started, enter, end } = calls(createUpstreamPlaces(1))
  enter('a')
  const giveUp = enter('b')
  enter('c')
  giveUp()
  giveUp()
  end(0)
  assert.deepEqual(started, ['a', 'c'])
  giveUp()
  end(1)
  enter('b')
  assert.deepEqual(started, ['a', 'c', 'b'])
})

test('giving up twice, late, does not take back what the same holder has by then', () => {
  const { started, enter, end } = calls(createUpstreamPlaces(4, 2))
  for (const holder of ['b', 'b', 'c', 'd']) enter(holder)
  const giveUp = enter('a')
  giveUp()
  for (const index of [0, 1, 2, 3]) end(index)
  enter('a')
  enter('a')
  giveUp()
  enter('a')
  assert.deepEqual(started.slice(4), ['a', 'a'], 'a third one would be of what is reserved')
})

test('calls that end as they start, as when a client is shut down, make room one after the other', () => {
  const places = createUpstreamPlaces(1)
  let end = (): void => {}
  places.enter(origin, 'a', (leave) => (end = leave))
  const waiting = 20_000
  let over = 0
  for (let count = 0; count < waiting; count++)
    places.enter(origin, String(count % 50), (leave) => {
      over++
      leave()
    })
  end()
  assert.equal(over, waiting)
})

test('a quarter is reserved', () => {
  assert.deepEqual([512, 8, 4, 3, 1].map(reservedPlaces), [128, 2, 1, 0, 0])
  const { started, enter } = calls(createUpstreamPlaces(4, 1))
  for (const holder of ['a', 'a', 'a', 'a', 'b']) enter(holder)
  assert.deepEqual(started, ['a', 'a', 'a', 'b'])
})

/** An upstream with a single place. */
async function onePlace(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const to = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/',
    method: 'POST' as const
  }
  const places = createUpstreamPlaces(1)
  const agent = new Agent({ connections: 1, connect: { timeout: 2000 } })
  return {
    server,
    start: (startTimeoutMs = 5000) =>
      startExchange(agent, { ...to, body: Buffer.from('{}') }, startTimeoutMs, (begin) =>
        places.enter(to.origin, 'a', begin)
      ),
    isFree: () => {
      let isFree = false
      places.enter(to.origin, 'b', (leave) => {
        isFree = true
        leave()
      })()
      return isFree
    },
    [Symbol.asyncDispose]: async () => {
      await agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

test('a call gives its place back however it ends', async () => {
  await using one = await onePlace((req, res) => {
    req.resume()
    res.write('half')
  })
  const under = one.start()
  await under.answer
  assert.equal(one.isFree(), false)
  const late = one.start(20)
  await assert.rejects(late.answer, (error) => upstreamFailure(error) === 'overloaded')
  const left = one.start()
  left.end()
  await assert.rejects(left.answer)
  assert.equal(one.isFree(), false)
  under.end()
  await until(one.isFree)
  const cut = one.start()
  await cut.answer
  one.server.closeAllConnections()
  await until(one.isFree)
  await new Promise((resolve) => one.server.close(resolve))
  const refused = one.start()
  await assert.rejects(refused.answer, (error) => upstreamFailure(error) === 'upstream_unreachable')
  assert.ok(one.isFree())
})

async function until(isSo: () => boolean): Promise<void> {
  await eventually('the place is free', () => isSo() || undefined)
}
