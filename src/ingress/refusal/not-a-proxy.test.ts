import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Duplex } from 'node:stream'
import { it } from 'node:test'
import { refuseTunnels } from './not-a-proxy.ts'

it('what a client sends after CONNECT is read, so that closing does not reset the connection before the answer arrives', async () => {
  const server = createServer()
  refuseTunnels(server, () => 'http://localhost:1/v1')
  let answer = ''
  const socket = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      answer += chunk.toString()
      done()
    }
  })
  server.emit('connect', {}, socket)
  socket.push('a handshake that nobody waits for')
  socket.push(null)
  await once(socket, 'close')
  assert.ok(socket.readableEnded)
  assert.match(answer, /^HTTP\/1\.1 421 .*\r\n/)
})
