import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPlanter } from '../../../../test/support/planted.ts'
import { bytesOf, errorOf, TestGate, valueOf } from './gate.fixture.ts'

const plant = createPlanter(13)
const email = plant('email')
const awsKey = plant('aws_access_key_id')
const masked = /EMAIL_[A-Z2-7]{10}/

/** A request of each method, with a text in every place that can contain user input. */
const requests = (text: string): [method: string, reason: string, params: object][] => [
  ['prompts/get', 'prompt_arguments', { name: 'review', arguments: { code: text } }],
  ['prompts/get', 'prompt_arguments', { name: 'review', arguments: { code: JSON.stringify({ by: text }) } }],
  ['completion/complete', 'completion_arguments', { ref, argument: { name: 'to', value: text } }],
  ['completion/complete', 'completion_arguments', { ref, argument, context: { arguments: { from: text } } }]
]
const ref = { type: 'ref/prompt', name: 'review' }
const argument = { name: 'to', value: 'a' }
const request = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params })

describe('arguments of a prompt and text typed for a completion', () => {
  it('are masked like the arguments of a tool, with one event each', async () => {
    for (const [method, reason, params] of requests(email.value)) {
      const gate = new TestGate()
      const { forward } = await gate.session().client(request(method, params))
      const text = Buffer.from(forward ?? '').toString()
      assert.match(text, masked, method)
      assert.ok(!text.includes(email.needle), text)
      assert.deepEqual(
        gate.events.map(({ kind, action, reasonCode, mcpServer, entitiesMasked }) => [
          kind,
          action,
          reasonCode,
          mcpServer,
          entitiesMasked
        ]),
        [['client_words_enforcement', 'mask', reason, 'files', 1]]
      )
    }
  })

  it('with a secret do not reach the server, and the refusal names the kind and repeats nothing', async () => {
    for (const [method, reason, params] of requests(awsKey.sentence)) {
      const gate = new TestGate()
      const session = gate.session()
      const step = await session.client(request(method, params))
      assert.equal(errorOf(step), -32602, method)
      const { message } = valueOf(step.reply)['error'] as { message: string }
      assert.match(message, /AWS access key ID/)
      assert.ok(!message.includes(awsKey.needle))
      assert.deepEqual([gate.events[0]?.action, gate.events[0]?.reasonCode], ['block', reason])
      // Its id is free: nothing was sent that could be answered.
      assert.ok((await session.client(request(method, {}))).forward)
    }
  })

  it('are forwarded byte for byte if nothing is found or nothing is scanned', async () => {
    for (const [method, , params] of requests('r\u00e9ady')) {
      const message = bytesOf(request(method, params))
      assert.equal((await new TestGate().session().session.fromClient(message)).forward, message)
    }
    for (const [method, , params] of requests(email.value)) {
      const message = bytesOf(request(method, params))
      const gate = new TestGate({ scan: { arguments: false } })
      assert.equal((await gate.session().session.fromClient(message)).forward, message)
      assert.deepEqual(gate.events, [])
    }
  })

  it('are masked, but not the names by which the server finds what is meant', async () => {
    const id = email.value
    const named = { ref: { type: 'ref/resource', uri: `file:///${id}` }, argument: { name: id, value: 'a' } }
    const { forward } = await new TestGate().session().client(request('completion/complete', named))
    assert.deepEqual(valueOf(forward)['params'], named)
  })

  it('are refused if they can be parsed in two ways, and if there is no policy', async () => {
    const session = new TestGate().session()
    for (const params of [
      '{"name":"a","arguments":{"x":"1"},"Arguments":{"x":"2"}}',
      '{"name":"a","arguments":{"x":"1","x":"2"}}'
    ])
      assert.equal(
        errorOf(await session.client(`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":${params}}`)),
        -32600
      )
    const gate = new TestGate()
    gate.policy = undefined
    for (const [method, , params] of requests('hello'))
      assert.equal(errorOf(await gate.session().client(request(method, params))), 1503)
    assert.ok((await gate.session().client(request('prompts/get', { name: 'review' }))).forward)
  })
})
