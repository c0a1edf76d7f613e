import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPlanter } from '../../../../test/support/planted.ts'
import { bytesOf, callOf, errorOf, TestGate, valueOf } from './gate.fixture.ts'

const plant = createPlanter(29)
const email = plant('email')
const awsKey = plant('aws_access_key_id')
const masked = /EMAIL_[A-Z2-7]{10}/

type Json = Readonly<Record<string, unknown>>

const sampled = (content: unknown): Json => ({ role: 'assistant', model: 'm', stopReason: 'endTurn', content })
const response = (result: unknown): object => ({ jsonrpc: '2.0', id: 'of-the-server', result })
const part = (text: string): Json => ({ type: 'text', text })
const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }

/** Results of a model, with a text in each place that can hold one. */
const results = (text: string): Json[] => [
  sampled(part(text)),
  sampled([part('hello'), part(text)]),
  sampled([{ type: 'tool_use', id: 'call_1', name: 'send', input: { to: text } }]),
  sampled([{ type: 'tool_result', toolUseId: 'call_1', content: [part(text)] }]),
  { ...sampled(part('hello')), _meta: { note: text } }
]

describe('what a person fills into a form of a server', () => {
  const form = (text: string): Json => ({ action: 'accept', content: { to: text, days: 3, tags: ['a', text] } })

  it('passes byte for byte, except for high-risk values, which are masked with one event', async () => {
    for (const result of [form(email.value), { action: 'decline' }, { action: 'cancel' }]) {
      const message = bytesOf(response(result))
      assert.equal((await new TestGate().session().session.fromClient(message)).forward, message)
    }
    for (const request of [
      response(form(awsKey.sentence)),
      response({ ...form('hello'), note: awsKey.sentence }),
      callOf(1, 'send', {}, { inputResponses: { who: form(awsKey.sentence) }, ...modern })
    ]) {
      const gate = new TestGate()
      const { forward } = await gate.session().client(request)
      const text = Buffer.from(forward ?? '').toString()
      assert.match(text, /AWS_[A-Z_]+[A-Z2-7]{10}/)
      assert.ok(!text.includes(awsKey.needle), text)
      const told = gate.events.map(({ kind, action, reasonCode }) => [kind, action, reasonCode])
      assert.deepEqual(told[0], ['client_words_enforcement', 'mask', 'form_answer'])
    }
  })

  it('is an error for the server if there is no policy, unless nothing was filled in', async () => {
    const gate = new TestGate()
    gate.policy = undefined
    const declined = bytesOf(response({ action: 'decline' }))
    assert.equal((await gate.session().session.fromClient(declined)).forward, declined)
    assert.ok(valueOf((await gate.session().client(response(form('hello')))).forward)['error'])
  })
})

describe('what a model answers to a server', () => {
  it('is masked like the arguments of a tool, with one event', async () => {
    for (const result of results(email.sentence)) {
      const gate = new TestGate()
      const text = Buffer.from((await gate.session().client(response(result))).forward ?? '').toString()
      assert.match(text, masked)
      assert.ok(!text.includes(email.needle), text)
      assert.deepEqual(
        gate.events.map(({ kind, action, reasonCode, mcpServer }) => [kind, action, reasonCode, mcpServer]),
        [['client_words_enforcement', 'mask', 'model_answer', 'files']]
      )
    }
  })

  it('is masked where it comes with a request that is sent again, of any method', async () => {
    for (const result of results(email.sentence)) {
      const inputResponses = { greeting: result, who: { action: 'accept', content: { name: 'jo' } } }
      const requests = [
        callOf(1, 'send', {}, { inputResponses, ...modern }),
        { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'a', inputResponses, ...modern } },
        { jsonrpc: '2.0', id: 1, method: 'tasks/update', params: { taskId: 't', inputResponses, ...modern } }
      ]
      for (const request of requests) {
        const { forward } = await new TestGate().session().client(request)
        const text = Buffer.from(forward ?? '').toString()
        assert.match(text, masked)
        assert.ok(!text.includes(email.needle), text)
      }
    }
  })

  it('with a secret reaches the server without the secret: the server waits for an answer', async () => {
    const { forward } = await new TestGate().session().client(response(sampled(part(awsKey.sentence))))
    const { id, result } = valueOf(forward) as { readonly id: string; readonly result: Json }
    assert.equal(id, 'of-the-server')
    assert.ok(result)
    assert.ok(!JSON.stringify(result).includes(awsKey.needle))
  })

  it('becomes an error for the server if the secret is in a file, or if there is no policy', async () => {
    const gate = new TestGate()
    const data = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), Buffer.from(awsKey.sentence)])
    const image = sampled({ type: 'image', mimeType: 'application/octet-stream', data: data.toString('base64') })
    const other = new TestGate()
    other.policy = undefined
    for (const [one, result] of [
      [gate, image],
      [other, sampled(part('hello'))]
    ] as const) {
      const sent = valueOf((await one.session().client(response(result))).forward)
      assert.ok(sent['error'], JSON.stringify(sent))
      assert.equal(sent['id'], 'of-the-server')
    }
    assert.equal(gate.events[0]?.action, 'block')
    const params = { name: 'a', inputResponses: { greeting: sampled(part('hello')) }, ...modern }
    assert.equal(errorOf(await other.session().client({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params })), 1503)
  })

  it('is masked beside a list of folders, which passes', async () => {
    const roots = [{ uri: 'file:///home/me', name: email.value }]
    const mixed = response({ roots, ...sampled(part(email.value)) })
    const sent = valueOf((await new TestGate().session().client(mixed)).forward)
    const result = sent['result'] as { readonly roots: unknown; readonly content: { readonly text: string } }
    assert.deepEqual(result.roots, roots)
    assert.match(result.content.text, masked)
  })

  it('is an error for the server if it has a result and an error, of which a server may read either', async () => {
    const both = { ...response(sampled(part(email.value))), error: { code: -1, message: 'no' } }
    const sent = valueOf((await new TestGate().session().client(both)).forward)
    assert.deepEqual([sent['id'], sent['result']], ['of-the-server', undefined])
    assert.match(JSON.stringify(sent['error']), /two ways/)
  })

  it('is masked in the error of a client', async () => {
    const message = { jsonrpc: '2.0', id: 1, error: { code: -1, message: `not for ${email.value}` } }
    assert.match(Buffer.from((await new TestGate().session().client(message)).forward ?? '').toString(), masked)
  })

  it('passes byte for byte if nothing is found or nothing is scanned, and so do ids, forms and folders', async () => {
    const id = email.value
    const kept = [
      ...results('hello'),
      {},
      sampled([{ type: 'tool_use', id, name: 'send', input: {} }]),
      { task: { taskId: id, status: 'working' } },
      { ...sampled(part('hello')), _meta: { 'io.modelcontextprotocol/related-task': { taskId: id } } },
      { action: 'accept', content: { to: email.value } },
      { roots: [{ uri: `file:///home/${email.value}`, name: email.value }] }
    ]
    for (const result of kept) {
      const message = bytesOf(response(result))
      assert.equal((await new TestGate().session().session.fromClient(message)).forward, message)
    }
    const message = bytesOf(response(sampled(part(email.value))))
    const off = new TestGate({ scan: { arguments: false } })
    assert.equal((await off.session().session.fromClient(message)).forward, message)
    assert.deepEqual(off.events, [])
  })
})
