/** The service's own credentials never go up in a prompt, whatever they look like. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filler } from '../../src/detection/sample-text.ts'
import { userBody } from '../support/dialects.ts'
import { startTestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const key = `gw.${filler(24, undefined, 11)}`

test('a prompt with the key of an upstream is blocked, or reaches the upstream without it', async () => {
  await using upstream = await startStubUpstream(answers())
  for (const blocks of ['true', 'false']) {
    const env = { UPSTREAM_CHAT_API_KEY: key, SERVICE_INGRESS_BLOCK_HIGH_RISK: blocks }
    await using service = await startTestService({ upstream, env })
    for (const text of [`It printed ${key} and ended.`, Buffer.from(`key: ${key}\n`).toString('base64')]) {
      const { status, text: answer } = await service.send('chat-completions', userBody('chat-completions', text))
      assert.equal(status, blocks === 'true' ? 403 : 200)
      assert.ok(!answer.includes(key))
    }
    const { status } = await service.send('chat-completions', userBody('chat-completions', 'Hello.'))
    assert.equal(status, 200)
  }
  assert.equal(upstream.received.length, 4)
  for (const { body } of upstream.received) {
    const text = String(body)
    assert.ok(!text.includes(key) && !text.includes(Buffer.from(key).toString('base64').slice(4, 28)), text)
  }
})
