import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPlanter } from '../../../../test/support/planted.ts'
import { bytesOf, TestGate, valueOf, type TestSession } from './gate.fixture.ts'

const plant = createPlanter(12)
const email = plant('email')
const awsKey = plant('aws_access_key_id')
const masked = /EMAIL_[A-Z2-7]{10}/

const paramsOf = (bytes: Uint8Array | undefined): Record<string, never> => valueOf(bytes)['params'] as never

async function answered(session: TestSession, method: string, answer: object): Promise<Record<string, unknown>> {
  await session.client({ jsonrpc: '2.0', id: 1, method, params: {} })
  return valueOf((await session.server({ jsonrpc: '2.0', id: 1, ...answer })).forward)
}

describe('messages that a server sends unasked', () => {
  const notices: [method: string, params: object][] = [
    ['notifications/message', { level: 'info', logger: 'db', data: { row: [email.value], [email.value]: 1 } }],
    ['notifications/message', { level: 'info', data: email.sentence }],
    ['notifications/progress', { progressToken: 'a', progress: 1, message: email.sentence }],
    ['notifications/cancelled', { requestId: 1, reason: email.sentence }],
    ['notifications/elicitation/complete', { elicitationId: 'a', note: email.value }],
    ['notifications/x.vendor/told', { deep: [{ text: email.value }] }]
  ]
  const requests: [method: string, params: object][] = [
    ['sampling/createMessage', { messages: [{ role: 'user', content: { type: 'text', text: email.sentence } }] }],
    ['sampling/createMessage', { messages: [], systemPrompt: email.sentence, maxTokens: 5 }],
    ['elicitation/create', { message: email.sentence, requestedSchema: { type: 'object', properties: {} } }]
  ]

  it('are masked like results, each as one event', async () => {
    for (const [method, params] of [...notices, ...requests]) {
      const gate = new TestGate()
      const isRequest = requests.some(([name]) => name === method)
      const { forward } = await gate
        .session()
        .server({ jsonrpc: '2.0', ...(isRequest && { id: 's1' }), method, params })
      const text = Buffer.from(forward ?? '').toString()
      assert.match(text, masked, method)
      assert.ok(!text.includes(email.needle), text)
      const [event, more] = gate.events
      assert.equal(more, undefined)
      assert.deepEqual(
        [event?.kind, event?.action, event?.reasonCode, event?.mcpServer],
        ['tool_answer_masked', 'mask', isRequest ? 'server_request' : 'server_notice', 'files']
      )
      assert.equal(event?.entitiesMasked, text.split('EMAIL_').length - 1)
    }
  })

  it('pass as the very same bytes if nothing is found, or nothing is scanned', async () => {
    const clean = [
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
      '{"jsonrpc":"2.0","id":"p","method":"ping"}',
      '{"jsonrpc":"2.0", "method":"notifications/message","params":{"level":"info","data":"r\\u00e9ady 1.50"}}',
      '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a"}}'
    ]
    for (const text of clean) {
      const message = bytesOf(text)
      assert.equal((await new TestGate().session().session.fromServer(message)).forward, message)
    }
    const unscanned = new TestGate({ scan: { results: false } })
    const [method, params] = notices[0] as [string, object]
    const message = bytesOf({ jsonrpc: '2.0', method, params })
    assert.equal((await unscanned.session().session.fromServer(message)).forward, message)
    assert.deepEqual(unscanned.events, [])
  })

  it('keep the ids to which an answer refers, and URLs without a secret', async () => {
    const session = new TestGate().session()
    const id = email.value
    const progress = await session.server({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: id, message: email.value, _meta: { 'io.modelcontextprotocol/subscriptionId': id } }
    })
    const told = paramsOf(progress.forward)
    assert.deepEqual([told['progressToken'], told['_meta']], [id, { 'io.modelcontextprotocol/subscriptionId': id }])
    assert.match(told['message'] ?? '', masked)
    const uri = `file:///home/${email.value}`
    const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }
    assert.equal(paramsOf((await session.server(updated)).forward)['uri'], uri)
    const secret = { ...updated, params: { uri: `https://a.example/?key=${awsKey.value}` } }
    assert.ok(!Buffer.from((await session.server(secret)).forward ?? '').includes(awsKey.needle))
  })

  it('keep the values of a form that the answer returns, and the URL of a login', async () => {
    const session = new TestGate().session()
    const { forward } = await session.server({
      jsonrpc: '2.0',
      id: 1,
      method: 'elicitation/create',
      params: {
        message: email.sentence,
        requestedSchema: {
          type: 'object',
          properties: { to: { type: 'string', title: email.sentence, default: email.value, enum: [email.value] } }
        }
      }
    })
    const form = paramsOf(forward) as unknown as {
      message: string
      requestedSchema: { properties: { to: Record<string, unknown> } }
    }
    const { to } = form.requestedSchema.properties
    assert.match(form.message, masked)
    assert.match(String(to['title']), masked)
    assert.deepEqual([to['default'], to['enum']], [email.value, [email.value]])
    const url = `https://login.example/?state=${awsKey.value}`
    const login = { mode: 'url', url, elicitationId: email.value, message: email.sentence }
    const asked = paramsOf(
      (await session.server({ jsonrpc: '2.0', id: 2, method: 'elicitation/create', params: login })).forward
    )
    assert.deepEqual([asked['url'], asked['elicitationId']], [url, email.value])
    assert.match(asked['message'] ?? '', masked)
    const data = { elicitations: [login] }
    const error = { code: -32_042, message: 'Log in first.', data }
    const refused = (await answered(session, 'resources/read', { error })) as { error: { data: typeof data } }
    assert.equal(refused.error.data.elicitations[0]?.url, url)
    assert.match(refused.error.data.elicitations[0]?.message ?? '', masked)
  })

  it('keep the ids of calls in a conversation, and the names of offered tools', async () => {
    const session = new TestGate().session()
    const content = [
      { type: 'tool_use', id: email.value, name: 'send', input: { to: email.value } },
      { type: 'tool_result', toolUseId: email.value, content: [{ type: 'text', text: email.value }] }
    ]
    const tools = [{ name: 'a', description: email.sentence, inputSchema: { default: awsKey.value } }]
    const { forward } = await session.server({
      jsonrpc: '2.0',
      id: 1,
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'assistant', content }], tools }
    })
    const { messages, tools: offered } = paramsOf(forward) as unknown as {
      messages: [
        { content: [{ id: string; input: { to: string } }, { toolUseId: string; content: [{ text: string }] }] }
      ]
      tools: unknown
    }
    const [use, result] = messages[0].content
    assert.deepEqual([use.id, result.toolUseId], [email.value, email.value])
    assert.match(use.input.to, masked)
    assert.match(result.content[0].text, masked)
    assert.deepEqual(offered, tools)
  })

  it('are dropped without a policy if they hold text, and a question gets an error', async () => {
    const gate = new TestGate()
    gate.policy = undefined
    const session = gate.session()
    for (const [method, params] of notices) {
      assert.deepEqual(await session.server({ jsonrpc: '2.0', method, params }), {})
    }
    for (const [method, params] of requests) {
      const { forward, reply } = await session.server({ jsonrpc: '2.0', id: 's1', method, params })
      assert.equal(forward, undefined)
      assert.equal(valueOf(reply)['id'], 's1')
      assert.match(JSON.stringify(valueOf(reply)['error']), /no policy/)
    }
    const ping = bytesOf('{"jsonrpc":"2.0","id":"p","method":"ping"}')
    assert.equal((await session.session.fromServer(ping)).forward, ping)
    const step = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 2 } }
    assert.ok((await session.server(step)).forward)
  })

  it('are dropped if they are ambiguous or have a secret in a file', async () => {
    const session = new TestGate().session()
    const doubled = '{"jsonrpc":"2.0","method":"notifications/message","Params":{},"params":{"data":"a"}}'
    assert.deepEqual(await session.server(doubled), {})
    assert.deepEqual(
      await session.server('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":[1,]}}'),
      {}
    )
  })
})

describe('answers to requests other than calls', () => {
  it('are masked if they hold text, each as one event', async () => {
    const texts: [method: string, result: object][] = [
      ['resources/read', { contents: [{ uri: 'file:///a', text: email.sentence }] }],
      ['resources/read', { contents: [{ uri: 'file:///a', blob: Buffer.from(email.sentence).toString('base64') }] }],
      ['resources/list', { resources: [{ uri: 'file:///a', name: 'a', description: email.sentence }] }],
      ['prompts/get', { messages: [{ role: 'user', content: { type: 'text', text: email.sentence } }] }],
      ['x/unknown', { told: email.value }],
      [
        'tools/list',
        {
          resultType: 'input_required',
          inputRequests: { a: { method: 'elicitation/create', params: { message: email.value } } }
        }
      ]
    ]
    for (const [method, result] of texts) {
      const gate = new TestGate()
      const answer = JSON.stringify(await answered(gate.session(), method, { result }))
      assert.ok(!answer.includes(email.needle), answer)
      assert.ok(!Buffer.from(/"blob":"([^"]*)"/.exec(answer)?.[1] ?? '', 'base64').includes(email.needle))
      assert.deepEqual(
        gate.events.map(({ kind, reasonCode, entitiesMasked }) => [kind, reasonCode, entitiesMasked]),
        [['tool_answer_masked', 'server_answer', 1]]
      )
    }
  })

  it('that are errors are masked in their message and their data', async () => {
    for (const method of ['resources/read', 'prompts/get', 'initialize', 'subscriptions/listen', 'ping']) {
      const error = { code: -32_000, message: email.sentence, data: { cause: [email.value] } }
      const told = JSON.stringify(await answered(new TestGate().session(), method, { error }))
      assert.match(told, /EMAIL_.*EMAIL_/)
      assert.ok(!told.includes(email.needle), told)
    }
  })

  it('keep descriptions, choices and cursors unchanged unless they hold a secret', async () => {
    const kept: [method: string, result: object][] = [
      ['initialize', { instructions: email.sentence, serverInfo: { name: email.value, version: '1' } }],
      ['server/discover', { instructions: email.sentence, supportedVersions: ['2026-07-28'] }],
      ['prompts/list', { prompts: [{ name: email.value, description: email.sentence }] }],
      ['completion/complete', { completion: { values: [email.value] } }],
      ['resources/list', { resources: [], nextCursor: email.value }]
    ]
    for (const [method, result] of kept) {
      assert.deepEqual((await answered(new TestGate().session(), method, { result }))['result'], result, method)
    }
    const secret: [method: string, result: object][] = [
      ['initialize', { instructions: awsKey.sentence }],
      ['server/discover', { instructions: awsKey.sentence }],
      ['prompts/list', { prompts: [{ name: 'a', description: awsKey.sentence }] }],
      ['completion/complete', { completion: { values: [awsKey.value] } }]
    ]
    for (const [method, result] of secret) {
      const told = JSON.stringify(await answered(new TestGate().session(), method, { result }))
      assert.ok(!told.includes(awsKey.needle), told)
    }
  })

  it('have the text of a question masked, and its form kept', async () => {
    const properties = { to: { type: 'string', description: email.sentence, default: email.value } }
    const params = { mode: 'form', message: email.sentence, requestedSchema: { type: 'object', properties } }
    const result = {
      resultType: 'input_required',
      inputRequests: { [email.value]: { method: 'elicitation/create', params }, odd: email.value, none: null },
      requestState: email.value
    }
    for (const method of ['prompts/get', 'resources/read']) {
      const told = (await answered(new TestGate().session(), method, { result }))['result'] as typeof result
      const question = told.inputRequests[email.value] as { params: typeof params }
      assert.equal(told.requestState, email.value)
      assert.match(question.params.message, masked)
      assert.match(question.params.requestedSchema.properties.to.description, masked)
      assert.equal(question.params.requestedSchema.properties.to.default, email.value)
      assert.match(String(told.inputRequests['odd' as never]), masked)
    }
  })

  it('are held back without a policy, except for the handshake and answers without text', async () => {
    const gate = new TestGate()
    gate.policy = undefined
    const contents = [{ uri: 'file:///a', text: 'a' }]
    const refused = await answered(gate.session(), 'resources/read', { result: { contents } })
    assert.match(JSON.stringify(refused['error']), /no policy to judge the answer by/)
    const result = { instructions: 'Read first.', capabilities: {} }
    assert.deepEqual((await answered(gate.session(), 'initialize', { result }))['result'], result)
    assert.deepEqual((await answered(gate.session(), 'logging/setLevel', { result: {} }))['result'], {})
  })

  it('are held back if they cannot be read', async () => {
    const session = new TestGate().session()
    await session.client({ jsonrpc: '2.0', id: 4, method: 'resources/read', params: {} })
    const { forward } = await session.server('{"jsonrpc":"2.0","id":4,"result":{"a":[1,]}}')
    assert.match(JSON.stringify(valueOf(forward)['error']), /could not be read/)
  })
})
