import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { it } from 'node:test'
import { testToken as token } from '../../test/support/mcp/test-token.ts'
import { createSensor } from './index.ts'

const target = 'http://sluice.example'

it('a sensor goes through the proxy of the environment that it is given, and not of another', async () => {
  const asked = Promise.withResolvers<string>()
  const proxy = createServer((req, res) => {
    asked.resolve(req.url ?? '')
    res.writeHead(502).end()
  })
  proxy.on('connect', (req, socket: Socket) => {
    asked.resolve(req.url ?? '')
    socket.on('error', () => undefined).end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  await using undo = new AsyncDisposableStack()
  undo.defer(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  await using _sensor = createSensor({ target, token, env: { HTTP_PROXY: address } })
  assert.match(await asked.promise, /sluice\.example/)
})

it('the address of a proxy that is none is an error that names the variable, and not the value', () => {
  const password = ['proxy', 'password', '4711'].join('-')
  assert.throws(
    () => createSensor({ target, token, env: { https_proxy: `http://me:${password}@proxy:99999` } }),
    (error) =>
      error instanceof TypeError &&
      error.message.startsWith('The variable https_proxy must be the address of a proxy') &&
      !error.message.includes(password)
  )
})
