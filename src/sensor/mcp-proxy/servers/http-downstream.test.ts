import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { Agent } from 'undici'
import { eventually } from '../../../../test/support/eventually.ts'
import { HttpDownstream } from './http-downstream.ts'

test('a server that answers too slowly is full, and says when it has room again', async () => {
  const waiting: ServerResponse[] = []
  let isSlow = true
  const server = createServer((req, res) => {
    req.resume()
    if (isSlow) waiting.push(res)
    else res.writeHead(202).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const dispatcher = new Agent()
  let roomSeen = 0
  const downstream = new HttpDownstream(
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
      headers: {},
      dispatcher,
      messageBytesMax: 65_536,
      requestTimeoutMs: 60_000,
      log: pino({ level: 'silent' })
    },
    {
      onMessage: () => undefined,
      onDrain: () => {
        if (!downstream.isFull) roomSeen++
      }
    }
  )
  try {
    const notification = Buffer.from('{"jsonrpc":"2.0","method":"notifications/progress","params":{}}')
    let sent = 0
    while (!downstream.isFull && sent < 10_000) sent += (downstream.send(notification), 1)
    assert.ok(sent > 1 && downstream.isFull, `full after ${sent} messages`)
    await eventually('the first message', () => waiting.length > 0 || undefined)
    assert.equal(roomSeen, 0)
    isSlow = false
    for (const res of waiting) res.writeHead(202).end()
    await eventually('room', () => roomSeen > 0 || undefined)
  } finally {
    await downstream.close(0)
    await dispatcher.destroy()
    server.close()
  }
})
