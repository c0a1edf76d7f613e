import assert from 'node:assert/strict'
import { createServer, get, IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { Socket, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { mock, test } from 'node:test'
import type { AnswerSink, UpstreamAnswer } from '../../upstream/exchange.ts'
import { endOfLastEvent } from './event-cutter.ts'
import { relayAnswer, type EventRelay, type RelayedAnswer } from './relay.ts'

/** A stream that stands in for the upstream. */
const asAnswer = (body: PassThrough): Pick<UpstreamAnswer, 'receive' | 'resume'> => ({
  receive(sink) {
    body.on('data', (chunk: Buffer) => {
      if (!sink.data(chunk)) body.pause()
    })
    body.on('end', () => sink.end())
    body.on('error', (error) => sink.fail(error))
  },
  resume: () => void body.resume()
})

/** Relays what `feed` writes to a real client. @returns what both sides saw */
async function relayed(
  feed: (body: PassThrough) => void,
  events = true,
  keepAliveMs = 5000,
  restorer?: EventRelay['restorer']
) {
  let result: Promise<RelayedAnswer> | undefined
  const seen: Buffer[] = []
  const server = createServer((_req, res) => {
    const body = new PassThrough()
    result = relayAnswer(asAnswer(body), res, {
      events: events
        ? { errorFrame: () => 'event: error\n\n', keepAlive: { frame: ': alive\n\n', afterMs: keepAliveMs }, restorer }
        : undefined,
      stallTimeoutMs: 5000,
      onChunk: (chunk) => seen.push(chunk)
    })
    feed(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const req = get({ port: (server.address() as AddressInfo).port, agent: false })
  const chunks: Buffer[] = []
  let cutOff = false
  try {
    const [res] = (await once(req, 'response')) as [NodeJS.ReadableStream]
    for await (const chunk of res) chunks.push(chunk as Buffer)
  } catch {
    cutOff = true
  }
  const relayResult = await result
  server.close()
  return { text: Buffer.concat(chunks).toString(), seen: Buffer.concat(seen).toString(), cutOff, relayResult }
}

test('finds the end of the last whole event', () => {
  const end = (text: string): number => endOfLastEvent(Buffer.from(text))
  assert.equal(end('data: 1\n\ndata: 2'), 9)
  assert.equal(end('data: 1\r\n\r\ndata: 2\r\n'), 11)
  assert.equal(end('data: 1\r\rdata'), 9)
  assert.equal(end('data: 1\n'), 0)
  assert.equal(end(''), 0)
})

test('a stream passes byte for byte, however it is cut into chunks', async () => {
  const text = 'event: a\ndata: {"x":1}\n\n: c\n\ndata: [DONE]\n\n'
  for (const size of [1, 3, 7, text.length]) {
    const { text: got, relayResult } = await relayed((body) => {
      for (let at = 0; at < text.length; at += size) body.write(text.slice(at, at + size))
      body.end()
    })
    assert.equal(got, text)
    assert.deepEqual(relayResult, { bytes: text.length, end: 'complete' })
  }
})

test('a comment line on its own does not wait for a blank line', async () => {
  const { text } = await relayed((body) => {
    body.write('data: 1\n\n: keep-alive\n')
    setImmediate(() => body.destroy(new Error('gone')))
  })
  assert.equal(text, 'data: 1\n\n: keep-alive\nevent: error\n\n')
})

test('an event that begins with a comment stays whole, and no frame is inserted into it', async () => {
  const { text } = await relayed(
    (body) => {
      body.write(': c\nevent: a\n')
      setTimeout(() => body.end('data: 1\n\n'), 100)
    },
    true,
    20
  )
  assert.match(text, /^(: alive\n\n)+: c\nevent: a\ndata: 1\n\n$/)
})

test('a stream without a final blank line loses nothing', async () => {
  const { text } = await relayed((body) => body.end('data: 1\n\ndata: 2'))
  assert.equal(text, 'data: 1\n\ndata: 2')
})

test('a stream starts at once, and its head goes out together with the bytes that arrived with it', async () => {
  for (const [early, flushes] of [
    ['data: 1\n\n', 0],
    ['data: 1', 1],
    ['', 1]
  ] as const) {
    let flushed = 0
    const server = createServer((_req, res) => {
      const flush = res.flushHeaders.bind(res)
      res.flushHeaders = () => {
        flushed++
        flush()
      }
      const body = new PassThrough()
      const came = Buffer.from(early)
      const answer = {
        ...asAnswer(body),
        receive(sink: Parameters<UpstreamAnswer['receive']>[0]) {
          if (came.length > 0) sink.data(came)
          asAnswer(body).receive(sink)
        }
      }
      const keepAlive = { frame: ': alive\n\n', afterMs: 5000 }
      void relayAnswer(answer, res, {
        events: { errorFrame: () => '', keepAlive },
        stallTimeoutMs: 5000,
        onChunk: () => undefined
      })
      // The client gets the head while the stream is still silent.
      req.once('response', () => body.end('\n\n'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const req = get({ port: (server.address() as AddressInfo).port, agent: false })
    const [res] = (await once(req, 'response')) as [NodeJS.ReadableStream]
    assert.equal((await Array.fromAsync(res)).join(''), `${early}\n\n`)
    assert.equal(flushed, flushes, JSON.stringify(early))
    server.close()
  }
})

test('if the upstream dies inside an event, the client gets whole events and an error', async () => {
  const { text, relayResult } = await relayed((body) => {
    body.write('data: 1\n\ndata: {"half')
    setImmediate(() => body.destroy(new Error('gone')))
  })
  assert.equal(text, 'data: 1\n\nevent: error\n\n')
  assert.equal(relayResult?.end, 'broken')
})

test('a plain answer that breaks off is cut, so that no client takes it for complete', async () => {
  const { cutOff, relayResult } = await relayed((body) => {
    body.write('{"half')
    setTimeout(() => body.destroy(new Error('gone')), 20)
  }, false)
  assert.equal(cutOff, true)
  assert.equal(relayResult?.end, 'broken')
  assert.deepEqual(relayResult.error, new Error('gone'))
})

test('an event over the limit passes in pieces and arrives whole', async () => {
  const big = `data: ${'x'.repeat(3_000_000)}\n\n`
  const { text, seen } = await relayed((body) => body.end(big))
  assert.equal(text, big)
  assert.equal(seen, big)
})

test('a silent stream is kept alive between its events, never inside one', async () => {
  const { text } = await relayed(
    (body) => {
      body.write('data: 1\n\ndata: 2')
      setTimeout(() => body.end('\n\n'), 120)
    },
    true,
    20
  )
  assert.match(text, /^data: 1\n\n(: alive\n\n)+data: 2\n\n$/)
})

test('no frame is inserted into an event that passes in pieces', async () => {
  const half = 'x'.repeat(1_100_000)
  const { text } = await relayed(
    (body) => {
      body.write(`data: ${half}`)
      setTimeout(() => body.end(`${half}\n\n`), 120)
    },
    true,
    20
  )
  assert.ok(text === `data: ${half}${half}\n\n`, 'a frame within an event')
})

test('what a restorer holds back reaches the client before the end of the stream, and before an error frame', async () => {
  const held: string[] = []
  const restorer = {
    push(events: Buffer) {
      held.push(events.toString())
      return Buffer.alloc(0)
    },
    end: () => Buffer.from(held.splice(0).join(''))
  }
  for (const [finish, expected] of [
    [(body: PassThrough) => body.end(), 'data: 1\n\n'],
    [(body: PassThrough) => body.destroy(new Error('gone')), 'data: 1\n\nevent: error\n\n']
  ] as const) {
    const { text } = await relayed(
      (body) => {
        body.write('data: 1\n\n')
        setTimeout(() => finish(body), 20)
      },
      true,
      5000,
      restorer
    )
    assert.equal(text, expected)
  }
})

/** Relays what `feed` writes to a client that never reads. @returns the result, and the unhandled errors */
async function unread(feed: (body: PassThrough) => void, keepAliveMs: number, stallTimeoutMs: number) {
  const restorer = { push: () => Buffer.alloc(0), end: () => Buffer.alloc(32 * 1024 * 1024, 'x') }
  const errors: Error[] = []
  let result: Promise<RelayedAnswer> | undefined
  const server = createServer((_req, res) => {
    const body = new PassThrough()
    res.on('error', (error) => errors.push(error))
    result = relayAnswer(asAnswer(body), res, {
      events: { errorFrame: () => '', keepAlive: { frame: ': alive\n\n', afterMs: keepAliveMs }, restorer },
      stallTimeoutMs,
      onChunk: () => undefined
    })
    res.flushHeaders()
    feed(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const req = get({ port: (server.address() as AddressInfo).port, agent: false })
  const [res] = (await once(req, 'response')) as [NodeJS.ReadableStream]
  res.pause().on('error', () => undefined)
  const relayResult = await result
  const closed = once(server, 'close')
  server.close()
  // An open answer would keep the server, and therefore the test, running.
  await closed
  req.destroy()
  return { relayResult, errors }
}

const endings: Readonly<Record<string, (body: PassThrough) => void>> = {
  'in good order': (body) => body.end('data: 1\n\n'),
  'in a failure': (body) => {
    body.write('data: 1\n\n')
    setImmediate(() => body.destroy(new Error('gone')))
  }
}
for (const [how, feed] of Object.entries(endings)) {
  test(`a client that stops reading before the last bytes of a stream that ends ${how} is eventually cut off`, async () => {
    const { relayResult } = await unread(feed, 5000, 50)
    assert.equal(relayResult?.end, how === 'in a failure' ? 'broken' : 'left')
  })

  // An unhandled error event of a response ends the process, and with it every other call.
  test(`nothing is written after the end of a stream that ends ${how}, however slowly its client reads`, async () => {
    const { errors } = await unread(feed, 10, 100)
    assert.deepEqual(errors, [])
  })
}

test('a client is cut off for reading nothing, however long ago it was slow before', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const res = new ServerResponse(new IncomingMessage(new Socket()))
    const sinks: AnswerSink[] = []
    const answer = { receive: (sink: AnswerSink) => void sinks.push(sink), resume: () => undefined }
    void relayAnswer(answer, res, { stallTimeoutMs: 5000, onChunk: () => undefined })
    const [sink] = sinks
    for (const isRead of [true, false]) {
      assert.equal(sink?.data(Buffer.alloc(1_000_000)), false)
      mock.timers.tick(4999)
      if (isRead) res.emit('drain')
      mock.timers.tick(1)
      assert.equal(res.destroyed, !isRead)
    }
  } finally {
    mock.timers.reset()
  }
})

test('a client that has not read its stream gets no frames on top', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const res = new ServerResponse(new IncomingMessage(new Socket()))
    const sinks: AnswerSink[] = []
    const answer = { receive: (sink: AnswerSink) => void sinks.push(sink), resume: () => undefined }
    const events = { errorFrame: () => '', keepAlive: { frame: ': alive\n\n', afterMs: 1000 } }
    void relayAnswer(answer, res, { events, stallTimeoutMs: 5000, onChunk: () => undefined })
    assert.equal(sinks[0]?.data(Buffer.from(`data: ${'x'.repeat(100_000)}\n\n`)), false)
    const { writableLength } = res
    mock.timers.tick(3000)
    assert.equal(res.writableLength, writableLength)
  } finally {
    mock.timers.reset()
  }
})

test('relaying to a client that has already gone ends at once', async () => {
  const req = new IncomingMessage(new Socket())
  const res = new ServerResponse(req)
  res.destroy()
  const body = new PassThrough()
  body.end('{}')
  const options = { stallTimeoutMs: 5000, onChunk: () => assert.fail('nothing is read') }
  assert.deepEqual(await relayAnswer(asAnswer(body), res, options), { bytes: 0, end: 'left' })
})
