import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { listen } from './listener.ts'

const twice = ['127.0.0.1', '127.0.0.1']
const answer = (_req: unknown, res: { end(): unknown }): void => void res.end()

it('if the system chooses the port and it is taken at another address, it is chosen again, a few times', async () => {
  let asked = 0
  const settings = (hostsOf: () => readonly string[]) => ({
    get hosts() {
      asked++
      return hostsOf()
    },
    port: 0,
    requestTimeoutMs: 1000
  })
  const listener = await listen(
    answer,
    settings(() => (asked < 3 ? twice : ['127.0.0.1']))
  )
  assert.equal(asked, 3)
  assert.equal((await fetch(`http://127.0.0.1:${listener.port}`)).status, 200)
  asked = 0
  await assert.rejects(
    listen(
      answer,
      settings(() => twice)
    ),
    { code: 'EADDRINUSE' }
  )
  assert.equal(asked, 5)
  asked = 0
  await assert.rejects(listen(answer, { hosts: ['127.0.0.1'], port: listener.port ?? 0, requestTimeoutMs: 1000 }), {
    code: 'EADDRINUSE'
  })
  await listener.close(0)
})

it('answers what Node would refuse without a word: no host, and an unknown expectation', async (t) => {
  const listener = await listen(answer, { hosts: ['127.0.0.1'], port: 0, requestTimeoutMs: 1000 })
  t.after(() => listener.close(0))
  const sent = async (header: string): Promise<string> => {
    const socket = connect(listener.port ?? 0, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET / HTTP/1.1\r\nconnection: close\r\n${header}\r\n`)
    return await text(socket)
  }
  assert.match(await sent(''), /^HTTP\/1\.1 400 [^]*"code":"invalid_http"/)
  assert.match(await sent('host: localhost\r\nexpect: the-moon\r\n'), /^HTTP\/1\.1 200 /)
})

it('says at the end how many connections it cut off', async () => {
  const asked = Promise.withResolvers<void>()
  const listener = await listen(() => asked.resolve(), { hosts: ['127.0.0.1'], port: 0, requestTimeoutMs: 1000 })
  const lost = assert.rejects(fetch(`http://127.0.0.1:${listener.port}`))
  await asked.promise
  assert.equal(await listener.close(0), 1)
  await lost
})
