import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { closingHeaders, endAnswer } from './early-answer.ts'

const answer: RequestListener = (req, res) => {
  res.writeHead(413, { 'content-length': 4, ...closingHeaders(req) })
  endAnswer(req, res, 'full')
}

/** Sends one request and waits until the server closes the connection. */
async function exchange(listener: RequestListener, request: string): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => void (received += text))
  socket.write(request)
  await once(socket, 'close')
  server.close()
  return received
}

test('a stalled upload is not waited for once it is answered', async () => {
  const received = await exchange(answer, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 500\r\n\r\nxx')
  assert.match(received, /^HTTP\/1\.1 413 [^]*connection: close[^]*\r\n\r\nfull$/i)
})

test('a request without a body keeps its connection', async () => {
  const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'
  const received = await exchange(answer, `${get}GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
  assert.equal(received.match(/413/g)?.length, 2, received)
})

test('a request that has arrived in full is answered at once', async () => {
  const listener: RequestListener = (req, res) => void req.resume().once('end', () => answer(req, res))
  const received = await exchange(
    listener,
    'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n'
  )
  assert.match(received, /\r\n\r\nfull$/)
})
