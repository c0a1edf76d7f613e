/** What becomes of a request whose connection is closed before anything of it was sent. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { post, whole } from './exchange.fixture.ts'
import { startExchange } from './exchange.ts'

const nothing = (): void => {}

test('a request goes to another connection if its own was closed before anything was sent', async (t) => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agent = new Agent({ connections: 1, pipelining: 1 })
  t.after(async () => {
    await agent.destroy()
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  assert.equal(await whole(await startExchange(agent, post(origin), 5000).answer), 'ok')
  // undici waits a turn for news of a connection before it sends a further request, and this is the news.
  await nextTurn()
  const { answer } = startExchange(agent, post(origin), 5000)
  sockets[0]?.resetAndDestroy()
  assert.equal(await whole(await answer), 'ok')
  assert.equal(sockets.length, 2)
})

/** Exchanges of which each attempt ends with a code; `sent` says whether the request was being sent by then. */
async function attempted(code: string, sent: boolean): Promise<number> {
  let attempts = 0
  let left = 0
  const dispatch: Dispatcher['dispatch'] = (_request, handler) => {
    attempts++
    const controller = { abort: nothing } as unknown as Dispatcher.DispatchController
    if (sent) handler.onRequestStart?.(controller, {})
    handler.onResponseError?.(controller, Object.assign(new Error('closed'), { code }))
    return true
  }
  const enter = (start: (leave: () => void) => void) => {
    start(() => void left++)
    return nothing
  }
  const { answer } = startExchange({ dispatch } as Dispatcher, post('http://127.0.0.1'), 5000, enter)
  await assert.rejects(answer, { code })
  assert.equal(left, 1)
  return attempts
}

test('a request is tried again only if it was not sent, and not for ever', async () => {
  assert.equal(await attempted('ECONNRESET', false), 3)
  // The upstream may have begun to work on it.
  assert.equal(await attempted('ECONNRESET', true), 1)
  assert.equal(await attempted('ECONNREFUSED', false), 1)
})

test('a request that is ended before it is tried again is not sent', async () => {
  const told: string[] = []
  const controller = { abort: () => void told.push('abort') } as unknown as Dispatcher.DispatchController
  const dispatch: Dispatcher['dispatch'] = (_request, handler) => {
    if (told.push('dispatch') > 1) handler.onRequestStart?.(controller, {})
    else handler.onResponseError?.(controller, Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    return true
  }
  const { answer, end } = startExchange({ dispatch } as Dispatcher, post('http://127.0.0.1'), 5000)
  end()
  await assert.rejects(answer, { name: 'CallEnded' })
  await nextTurn()
  assert.deepEqual(told, ['dispatch', 'dispatch', 'abort'])
})
