import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { inTurn } from './in-turn.ts'

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`

async function serving(listener: RequestListener, talk: (socket: Socket) => Promise<void>): Promise<void> {
  const server = createServer(inTurn(listener)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  try {
    await talk(socket)
  } finally {
    socket.destroy()
    server.close().closeAllConnections()
  }
}

/** Collects what arrives. */
function heard(socket: Socket): () => string {
  let text = ''
  socket.setEncoding('utf8').on('data', (more: string) => void (text += more))
  return () => text
}

test('requests of one connection are served one after the other, in order', async () => {
  const open: ServerResponse[] = []
  const seen: string[] = []
  const listener: RequestListener = ({ url = '' }, res) => {
    seen.push(url)
    open.push(res)
  }
  await serving(listener, async (socket) => {
    const text = heard(socket)
    socket.write(get('/1') + get('/2') + get('/3'))
    for (const number of [1, 2, 3]) {
      const res = await eventually(`request ${number}`, () => open[number - 1])
      assert.equal(seen.length, number, 'nobody is served before the answer of the one before')
      res.end(`answer ${number}`)
    }
    await eventually('the answers', () => text().includes('answer 3') || undefined)
    assert.deepEqual(seen, ['/1', '/2', '/3'])
    assert.match(text(), /answer 1[^]*answer 2[^]*answer 3/)
  })
})

test('an upload that waits is complete when its turn comes', async () => {
  const bodies: string[] = []
  const listener: RequestListener = (req, res) => {
    let body = ''
    req.setEncoding('utf8').on('data', (more: string) => void (body += more))
    req.once('end', () => {
      bodies.push(body)
      setImmediate(() => res.end())
    })
  }
  await serving(listener, async (socket) => {
    heard(socket)
    for (const body of ['one', 'x'.repeat(300_000), 'three'])
      socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    await eventually('the bodies', () => bodies.length === 3 || undefined)
    assert.deepEqual(bodies, ['one', 'x'.repeat(300_000), 'three'])
  })
})

test('a client that sends very many requests and reads no answer is cut off, and gets no work done', async () => {
  let served = 0
  const listener: RequestListener = (_req, res) => {
    served++
    res.end('x'.repeat(10_000_000))
  }
  await serving(listener, async (socket) => {
    socket.pause()
    socket.write(get('/').repeat(2000))
    await once(socket.resume(), 'close')
    assert.equal(served, 1)
  })
})

for (const side of ['client', 'server']) {
  test(`nothing is done for a request after one with which the ${side} ends the connection`, async () => {
    const seen: string[] = []
    const listener: RequestListener = ({ url = '' }, res) => {
      seen.push(url)
      if (side === 'server') res.setHeader('connection', 'close')
      setImmediate(() => res.end())
    }
    await serving(listener, async (socket) => {
      heard(socket)
      socket.write(get('/1', side === 'client' ? 'connection: close\r\n' : '') + get('/2'))
      await once(socket, 'close')
      assert.deepEqual(seen, ['/1'])
    })
  })
}
