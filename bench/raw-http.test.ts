import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createAnswerReader, makeRequest, openConnection } from './raw-http.ts'

const answers = {
  'content-length': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  chunked: 'HTTP/1.1 403 Forbidden\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'chunked without data': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'no body': 'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n'
}

test('a response is parsed wherever it is split, and so is the next one', () => {
  for (const [name, text] of Object.entries(answers)) {
    for (let cut = 1; cut < text.length; cut++) {
      const reader = createAnswerReader()
      for (let round = 0; round < 2; round++) {
        assert.equal(reader.push(Buffer.from(text.slice(0, cut))), undefined, `${name} cut at ${cut}`)
        assert.equal(
          reader.push(Buffer.from(text.slice(cut)))?.status,
          Number(text.slice(9, 12)),
          `${name} cut at ${cut}`
        )
      }
    }
  }
})

test('requests arrive whole and in order on one connection to a real server', async () => {
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
    response.end(`${request.headers['x-number']}:${Buffer.concat(chunks).length}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const connection = await openConnection(port)
  try {
    for (const size of [0, 3, 500_000]) {
      const target = { name: 'test', port, path: '/', headers: { 'x-number': String(size) } }
      const answer = await connection.send(makeRequest(target, new Uint8Array(size)))
      assert.equal(answer.status, 200)
      assert.match(answer.head, new RegExp(`content-length: ${`${size}:${size}`.length}`, 'i'))
    }
  } finally {
    connection.close()
    server.close()
  }
})

test('a cut connection is reported as an error', async () => {
  const server = createServer((request) => request.socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const connection = await openConnection(port)
  await assert.rejects(connection.send(makeRequest({ name: 'test', port, path: '/', headers: {} }, new Uint8Array(1))))
  server.close()
})
