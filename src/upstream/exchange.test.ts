import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { upstreamFailure } from './client.ts'
import { eventually } from '../../test/support/eventually.ts'
import { isFreed } from '../../test/support/collections.ts'
import { post, whole } from './exchange.fixture.ts'
import { startExchange, type ExchangeUnderWay } from './exchange.ts'

async function serving(listener: RequestListener): Promise<{ origin: string; close(): void }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { origin, close }
}

test('gives the head, then the body from its first byte, however late it is asked for', async () => {
  const upstream = await serving((_req, res) => {
    res.writeHead(201, { 'x-a': 'b' })
    res.write('one ')
    setTimeout(() => res.end('two'), 30)
  })
  const agent = new Agent()
  const answer = await startExchange(agent, post(upstream.origin), 5000).answer
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['x-a'], 'b')
  await new Promise((resolve) => setTimeout(resolve, 60))
  assert.equal(await whole(answer), 'one two')
  await agent.destroy()
  upstream.close()
})

/** An exchange in which the test plays the library. */
function played() {
  const told: string[] = []
  const controller = {
    pause: () => void told.push('pause'),
    resume: () => void told.push('resume')
  } as unknown as Dispatcher.DispatchController
  let handler: Dispatcher.DispatchHandler = {}
  const dispatch: Dispatcher['dispatch'] = (_request, to) => {
    handler = to
    return true
  }
  const { answer } = startExchange({ dispatch } as Dispatcher, post('http://127.0.0.1'), 5000)
  handler.onRequestStart?.(controller, {})
  return {
    told,
    answer,
    head: (status: number) => handler.onResponseStart?.(controller, status, {}, ''),
    data: (bytes: number) => handler.onResponseData?.(controller, Buffer.alloc(bytes))
  }
}

test('the time limit of the start ends with a call that fails or is ended before', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  let handler: Dispatcher.DispatchHandler = {}
  const dispatch: Dispatcher['dispatch'] = (_request, to) => {
    handler = to
    return true
  }
  const start = () => startExchange({ dispatch } as Dispatcher, post('http://127.0.0.1'), 3_600_000)
  const refused = start()
  assert.equal(timers(), before + 1)
  handler.onResponseError?.({} as Dispatcher.DispatchController, new Error('refused'))
  await assert.rejects(refused.answer, /refused/)
  assert.equal(timers(), before)
  const ended = start()
  ended.end(new Error('gone'))
  await assert.rejects(ended.answer, /gone/)
  assert.equal(timers(), before)
})

test('a call that ends while it connects is never sent', async () => {
  const told: unknown[] = []
  let handler: Dispatcher.DispatchHandler = {}
  const dispatch: Dispatcher['dispatch'] = (_request, to) => {
    handler = to
    return true
  }
  const { answer, end } = startExchange({ dispatch } as Dispatcher, post('http://127.0.0.1'), 5000)
  end()
  await assert.rejects(answer, { name: 'CallEnded' })
  const controller = { abort: (reason: Error) => void told.push(reason.name) } as Dispatcher.DispatchController
  handler.onRequestStart?.(controller, {})
  assert.deepEqual(told, ['CallEnded'])
})

test('a call that ends while it waits for its turn gives that up', async () => {
  const told: string[] = []
  const dispatcher = { dispatch: assert.fail } as unknown as Dispatcher
  const wait = () => () => void told.push('gave up')
  const { answer, end } = startExchange(dispatcher, post('http://127.0.0.1'), 5000, wait)
  end()
  await assert.rejects(answer, { name: 'CallEnded' })
  assert.deepEqual(told, ['gave up'])
})

test('an informational answer is not the answer', async () => {
  const { answer, head } = played()
  const isAnswered = answer.then(() => true)
  head(103)
  assert.equal(await Promise.race([isAnswered, nextTurn(false)]), false)
  head(200)
  assert.equal((await answer).status, 200)
})

test('a body that nobody takes yet is kept up to a mebibyte, and a full sink gets no more of it', async () => {
  const { told, answer, head, data } = played()
  head(200)
  data(1_048_576)
  assert.deepEqual(told, [])
  data(1)
  assert.deepEqual(told, ['pause'])
  const taken: number[] = []
  const arrived = await answer
  arrived.receive({ data: (chunk) => taken.push(chunk.length) > 1, end: assert.fail, fail: assert.fail })
  assert.deepEqual(taken, [1_048_576, 1])
  assert.deepEqual(told, ['pause', 'pause'])
  arrived.resume()
  assert.equal(told.at(-1), 'resume')
})

test('a full sink stops the upstream until it resumes', async () => {
  const chunk = Buffer.alloc(65_536, 'x')
  let written = 0
  const upstream = await serving((_req, res) => {
    const more = (): void => {
      while (written < 400) {
        written++
        if (!res.write(chunk)) return void res.once('drain', more)
      }
      res.end()
    }
    more()
  })
  const agent = new Agent()
  const answer = await startExchange(agent, post(upstream.origin), 5000).answer
  let bytes = 0
  let isFull = true
  const { promise, resolve } = Promise.withResolvers<void>()
  answer.receive({
    data(part) {
      bytes += part.length
      return !isFull
    },
    end: resolve,
    fail: () => resolve()
  })
  await new Promise((done) => setTimeout(done, 100))
  assert.ok(written < 400, 'the upstream wrote on although nobody read')
  isFull = false
  answer.resume()
  await promise
  assert.equal(bytes, 400 * chunk.length)
  await agent.destroy()
  upstream.close()
})

test('ending a call reaches the upstream, before and after the head', async () => {
  for (const sendsHead of [false, true]) {
    const arrived = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    const upstream = await serving((req, res) => {
      req.resume()
      if (sendsHead) res.writeHead(200).write('x')
      res.on('close', () => gone.resolve())
      arrived.resolve()
    })
    const agent = new Agent()
    const call = startExchange(agent, post(upstream.origin), 5000)
    if (sendsHead) await call.answer
    const settled = call.answer.then(
      () => 'answered',
      () => 'ended'
    )
    await arrived.promise
    call.end()
    assert.equal(await settled, sendsHead ? 'answered' : 'ended')
    await gone.promise
    await agent.destroy()
    upstream.close()
  }
})

test('a call that gets no connection in time rejects with that reason', async () => {
  const upstream = await serving((req) => void req.resume())
  const agent = new Agent({ connections: 1, pipelining: 1 })
  const first = startExchange(agent, post(upstream.origin), 5000)
  const second = startExchange(agent, post(upstream.origin), 30)
  await assert.rejects(second.answer, (error) => upstreamFailure(error) === 'overloaded')
  first.end()
  await assert.rejects(first.answer)
  await agent.destroy()
  upstream.close()
})

test('the code of an error says whether nobody was there, nobody answered in time, or it broke off', () => {
  for (const [code, failure] of [
    ['ECONNREFUSED', 'upstream_unreachable'],
    ['ENOTFOUND', 'upstream_unreachable'],
    ['ETIMEDOUT', 'upstream_unreachable'],
    ['UND_ERR_SOCKET', 'upstream_failed'],
    ['ECONNRESET', 'upstream_failed'],
    ['CERT_HAS_EXPIRED', 'upstream_untrusted'],
    // This process has reached its file limit.
    ['EMFILE', 'overloaded'],
    ['ENFILE', 'overloaded']
  ] as const)
    assert.equal(upstreamFailure(Object.assign(new Error('connect'), { code })), failure, code)
  for (const syscall of ['read', 'write']) {
    const silent = Object.assign(new Error(syscall), { code: 'ETIMEDOUT', syscall })
    assert.equal(upstreamFailure(silent), 'upstream_timeout', syscall)
  }
})

test('an upstream that cannot be connected to in time is not there', async () => {
  const agent = new Agent({
    // A name server, or a firewall, that never answers.
    connect: { timeout: 20, lookup: () => undefined }
  })
  const { answer } = startExchange(agent, post('http://upstream.corp.dev'), 5000)
  await assert.rejects(answer, (error) => upstreamFailure(error) === 'upstream_unreachable')
  await agent.destroy()
})

test('a call that waits for a connection can be ended at once', async () => {
  const upstream = await serving((req) => void req.resume())
  const agent = new Agent({ connections: 1, pipelining: 1 })
  const first = startExchange(agent, post(upstream.origin), 5000)
  const second = startExchange(agent, post(upstream.origin), 5000)
  second.end()
  await assert.rejects(second.answer)
  first.end()
  await assert.rejects(first.answer)
  await agent.destroy()
  upstream.close()
})

test('an upstream that breaks off in the body fails the sink', async () => {
  let socket: Socket | undefined
  const server = createTcpServer((one) => {
    socket = one
    one.on('error', () => undefined)
    one.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent()
  const answer = await startExchange(agent, post(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), 5000)
    .answer
  const body = whole(answer)
  socket?.destroy()
  await assert.rejects(body, (error) => upstreamFailure(error) === 'upstream_failed')
  await agent.destroy()
  server.close()
})

/** Sends bodies that nothing else references. */
function sendLarge(agent: Agent, origin: string, bytes: number): [WeakRef<Buffer>, ExchangeUnderWay] {
  const body = Buffer.alloc(bytes, 'x')
  const headers = { 'content-length': String(bytes) }
  return [new WeakRef(body), startExchange(agent, { ...post(origin), headers, body }, 5000)]
}

test('a large body arrives whole, and nothing holds it while its answer is in progress', async () => {
  const upstream = await serving((req, res) => {
    let bytes = 0
    req.on('data', (chunk: Buffer) => (bytes += chunk.length))
    req.on('end', () => res.write(`${req.headers['content-length']} ${bytes}`))
  })
  const agent = new Agent()
  for (const bytes of [65_536, 5_000_000]) {
    const [body, { answer, end }] = sendLarge(agent, upstream.origin, bytes)
    const text = await new Promise<string>((resolve, reject) => {
      const data = (chunk: Buffer): boolean => (resolve(chunk.toString()), true)
      answer.then((head) => head.receive({ data, end: reject, fail: reject }), reject)
    })
    assert.equal(text, `${bytes} ${bytes}`)
    assert.ok(await eventually('the body is freed', async () => (await isFreed(body)) || undefined))
    end()
  }
  await agent.destroy()
  upstream.close()
})

test('nothing holds the body of a finished exchange', async () => {
  const upstream = await serving((req, res) => req.resume().on('end', () => res.end('done')))
  const agent = new Agent()
  const [body, exchange] = sendLarge(agent, upstream.origin, 60_000)
  assert.equal(await whole(await exchange.answer), 'done')
  assert.ok(await eventually('the body is freed', async () => (await isFreed(body)) || undefined))
  exchange.end()
  await agent.destroy()
  upstream.close()
})

test('the answer of an upstream that has not read the whole body yet is passed on', async () => {
  for (const connection of ['close', 'keep-alive']) {
    const upstream = await serving((_req, res) => res.writeHead(413, { connection }).end('too large'))
    const agent = new Agent()
    const [, exchange] = sendLarge(agent, upstream.origin, 20_000_000)
    const answer = await exchange.answer
    assert.equal(answer.status, 413)
    assert.equal(await whole(answer), 'too large')
    await agent.destroy()
    upstream.close()
  }
})
