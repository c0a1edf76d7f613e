/** The service's own credentials stand in no prompt that goes up, and in none of its records, whatever they look like. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filler } from '../../src/detection/sample-text.ts'
import { TokenRequestError } from '../../src/service/tokens/tokens.ts'
import { userBody } from '../support/dialects.ts'
import { denyTool, emptyPolicy, openPolicyApi, problemOf } from '../support/policy-api.ts'
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

test('what a library reads of the environment counts as well', async () => {
  const [collector, proxy] = [filler(24, undefined, 12), filler(24, undefined, 13)]
  await using upstream = await startStubUpstream(answers())
  await using service = await startTestService({
    upstream,
    env: { OTEL_EXPORTER_OTLP_HEADERS: `x-a=b,x-key=${collector}`, ALL_PROXY: `http://sluice:${proxy}@127.0.0.1:9` }
  })
  for (const credential of [collector, proxy]) {
    const { status } = await service.send('chat-completions', userBody('chat-completions', `export X=${credential}.`))
    assert.equal(status, 403)
  }
})

test('no note, label or document holds a credential', async () => {
  await using service = await startTestService({ env: { UPSTREAM_CHAT_API_KEY: key } })
  const api = await openPolicyApi(service)
  const draft = { ...emptyPolicy, mcpToolPolicy: denyTool('noted'), note: `like ${key}` }
  const refused = await api.ask('PUT', '/policy', draft, { 'if-match': '*' })
  assert.equal(problemOf(refused, 422).errors[0]?.path, '/note')
  await assert.rejects(
    service.createToken({ label: `for ${key}` }),
    (error) => error instanceof TokenRequestError && error.path === '/label' && !error.message.includes(key)
  )
  const servers = [{ id: 'files', command: ['serve', key] }]
  const linted = await api.ask('POST', '/policy/lint', { ...emptyPolicy, mcpToolPolicy: { version: 1, servers } })
  const { findings } = linted.json() as { findings: { path: string; code: string }[] }
  const found = findings.map(({ path, code }) => `${path} ${code}`)
  assert.ok(found.includes('/mcpToolPolicy/servers/0/command secret_in_document'), linted.text)
  const tried = await api.ask('POST', '/scan', { text: `It is ${key}.`, redactionProfile: { version: 1 } })
  assert.equal(tried.json()['action'], 'block', tried.text)
  for (const { text } of [refused, linted, tried]) assert.ok(!text.includes(key))
})
