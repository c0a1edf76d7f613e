import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, it } from 'node:test'
import { createHttpServer, type Taker } from './server.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

const logged: unknown[] = []
const log = { error: (fields: unknown) => void logged.push(fields) }

/** @returns the port of a server whose framework answers 404 */
async function listen(...ahead: Taker[]): Promise<number> {
  const server = createHttpServer((_req, res) => res.writeHead(404).end(), { ahead, log, uploadTimeoutMs: 1000 })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

async function statusOf(port: number, path: string): Promise<number | undefined> {
  const [answer] = (await once(get({ port, path, host: '127.0.0.1' }), 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

const takes =
  (url: string, status: number): Taker =>
  (req, res) => {
    if (req.url !== url) return false
    res.writeHead(status).end()
    return true
  }

it('asks the handlers in order, and the framework last', async () => {
  const port = await listen(takes('/a', 201), takes('/a', 202), takes('/b', 203))
  assert.deepEqual(await Promise.all(['/a', '/b', '/c'].map((path) => statusOf(port, path))), [201, 203, 404])
})

it('reduces a target in absolute form to its path before it asks', async () => {
  const port = await listen(takes('/a?x=1', 201), takes('/', 202))
  const targets = ['http://elsewhere.example/a?x=1', 'https://elsewhere.example', 'http://elsewhere.example/b']
  assert.deepEqual(await Promise.all(targets.map((target) => statusOf(port, target))), [201, 202, 404])
})

it('loses only the request in which the program fails, logs the error by name only, and serves the next', async () => {
  const secret = 'text of a client'
  const port = await listen((req) => {
    if (req.url === '/a') throw new TypeError(secret)
    return false
  })
  await assert.rejects(statusOf(port, '/a'), /socket hang up/)
  assert.deepEqual(logged, [{ error: 'TypeError' }])
  assert.equal(await statusOf(port, '/b'), 404)
})

it('has the timeouts of the service and not those of Node', () => {
  const server = createHttpServer(() => {}, { ahead: [], log, uploadTimeoutMs: 50_000 })
  const { keepAliveTimeout, requestTimeout } = server
  assert.deepEqual([keepAliveTimeout, requestTimeout], [75_000, 80_000])
  assert.notEqual(createServer().requestTimeout, requestTimeout)
})
