import assert from 'node:assert/strict'
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
