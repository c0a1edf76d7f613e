import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { createPlanter } from '../../../../test/support/planted.ts'
import { bytesOf, callOf, refusalOf, TestGate, valueOf } from './gate.fixture.ts'

const plant = createPlanter(8)
const email = plant('email')
const awsKey = plant('aws_access_key_id')

const argumentsOf = (bytes: Uint8Array | undefined): unknown =>
  (valueOf(bytes)['params'] as { readonly arguments: unknown }).arguments

describe('arguments', () => {
  it('are masked, and every other byte stays', async () => {
    const gate = new TestGate()
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send","arguments":{ "to":"${email.value}","n":1.50,"é":"\\u00e9" }},"x":1}`
    const step = await gate.session().client(text)
    const sent = Buffer.from(step.forward as Uint8Array).toString('utf8')
    const placeholder = /EMAIL_[A-Z2-7]{10}/.exec(sent)?.[0] ?? ''
    assert.equal(sent, text.replace(email.value, placeholder))
  })

  it('with a secret are refused by the standard profile and masked by the one for coding agents', async () => {
    const standard = new TestGate()
    const args = { env: { AWS_KEY: awsKey.value } }
    const { code, text } = refusalOf(await standard.session().call('run', args))
    assert.equal(code, 'sensitive_arguments')
    assert.match(text, /its arguments contain AWS access key ID\./)
    assert.ok(!text.includes(awsKey.needle))
    assert.deepEqual(standard.events[0]?.entityCounts, { aws_access_key_id: 1 })
    assert.equal(standard.events[0]?.riskTier, 'high')
    const coding = new TestGate({}, { preset: 'coding-agents' })
    const sent = JSON.stringify(argumentsOf((await coding.session().call('run', args)).forward))
    assert.match(sent, /^\{"env":\{"AWS_KEY":"AWS_[A-Z_]*[A-Z2-7]{10}"\}\}$/)
  })

  it('that are errors are masked wherever they hold text, names included, whatever was requested', async () => {
    const error = { code: 1, message: email.sentence, data: { [email.value]: 1 } }
    const session = new TestGate().session()
    await session.call('read')
    await session.client({ jsonrpc: '2.0', id: 'l', method: 'tools/list', params: {} })
    for (const answer of [{ id: 1, error }, { id: 'l', error }, { id: null, error }, { error }]) {
      const { forward } = await session.server({ jsonrpc: '2.0', ...answer })
      const told = valueOf(forward)['error'] as typeof error
      assert.equal(told.code, 1)
      assert.match(JSON.stringify(told), /EMAIL_[A-Z2-7]{10}.*EMAIL_[A-Z2-7]{10}/)
      assert.ok(!JSON.stringify(told).includes(email.needle))
    }
  })

  it('stay unchanged if the policy does not scan them', async () => {
    const gate = new TestGate({ scan: { arguments: false } })
    assert.deepEqual(argumentsOf((await gate.session().call('send', { to: email.value })).forward), { to: email.value })
  })

  it('repeated in a header are refused if they would have to be masked', async () => {
    const gate = new TestGate()
    const message = callOf(1, 'send', { to: email.value })
    const encoded = `=?base64?${Buffer.from(email.value).toString('base64')}?=`
    for (const [id, value] of [
      [1, email.value],
      [2, encoded]
    ] as const)
      assert.equal(
        refusalOf(await gate.session('http').client({ ...message, id }, { 'mcp-param-to': value })).code,
        'sensitive_arguments'
      )
    assert.ok((await gate.session('http').client({ ...message, id: 3 }, { 'mcp-param-region': 'eu' })).forward)
  })
})

describe('results', () => {
  const resultOf = async (result: object, gate = new TestGate()) => {
    const session = gate.session()
    await session.call('read')
    return valueOf((await session.server({ jsonrpc: '2.0', id: 1, result })).forward)['result'] as Record<
      string,
      unknown
    >
  }
  const masked = /EMAIL_[A-Z2-7]{10}/

  it('are masked below any member name that a server may choose', async () => {
    const { value } = awsKey
    const nested = {
      inputRequests: { a: value },
      'io.modelcontextprotocol/serverInfo': value,
      structuredContent: value,
      requestState: value,
      taskId: value,
      task: { taskId: value },
      tasks: [{ taskId: value }],
      'io.modelcontextprotocol/related-task': { taskId: value }
    }
    const words = { type: value, role: value, mimeType: value, resultType: value, lastModified: value }
    const result = await resultOf({
      content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'a', ...nested } }],
      _meta: { ...words, 'x/y': nested }
    })
    assert.ok(!JSON.stringify(result).includes(awsKey.needle), JSON.stringify(result))
    const error = { code: 1, message: 'a', data: { taskId: value, requestState: value } }
    const session = new TestGate().session()
    await session.call('read')
    const failed = await session.server({ jsonrpc: '2.0', id: 1, error })
    assert.ok(!Buffer.from(failed.forward ?? '').includes(awsKey.needle))
    const serverInfo = { name: email.value, version: '1' }
    const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
    const kept = await resultOf({ resultType: 'complete', content: [{ type: 'text', text: 'a' }], _meta })
    assert.deepEqual(kept, { resultType: 'complete', content: [{ type: 'text', text: 'a' }], _meta })
  })

  it('keep what the server wants back, where the protocol has it: ids of tasks and the state of a request', async () => {
    const { value } = awsKey
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: value } }
    for (const result of [
      { resultType: 'input_required', requestState: value, content: [] },
      { taskId: value, status: 'completed', result: { content: [], _meta } },
      { task: { taskId: value, status: 'working' } },
      { tasks: [{ taskId: value }] },
      { content: [], _meta }
    ])
      assert.deepEqual(await resultOf(result), result)
  })

  it('are masked in text, structured content, resources and base64 text, and JSON stays JSON', async () => {
    const gate = new TestGate()
    const blob = Buffer.from(`a,b\n${email.value},2\n`).toString('base64')
    const image = Buffer.from('\x89PNG\r\n\x1a\n' + email.value, 'latin1').toString('base64')
    const inner = JSON.stringify({ owner: email.value, quote: '"' })
    const result = await resultOf(
      {
        content: [
          { type: 'text', text: inner },
          { type: 'image', data: image, mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/csv', blob } },
          { type: 'resource', resource: { uri: 'file:///b', text: email.sentence } },
          { type: 'resource_link', uri: 'file:///c', name: 'c', description: email.sentence }
        ],
        structuredContent: { [email.value]: [email.value, 12345678901234567890n.toString()] }
      },
      gate
    )
    assert.ok(!JSON.stringify(result).includes(email.needle))
    const content = result['content'] as Record<string, never>[]
    const told = JSON.parse(String(content[0]?.['text'])) as Record<string, string>
    assert.match(told['owner'] ?? '', masked)
    assert.equal(told['quote'], '"')
    assert.equal(content[1]?.['data'], image)
    const resource = content[2]?.['resource'] as unknown as Record<string, string>
    assert.match(Buffer.from(resource['blob'] ?? '', 'base64').toString(), /^a,b\nEMAIL_[A-Z2-7]{10},2\n$/)
    assert.deepEqual(gate.decisions, ['mask default'])
    assert.equal(gate.events[0]?.entitiesMasked, 6)
  })

  it('with a secret are masked and not refused: the call has already happened', async () => {
    const gate = new TestGate()
    const result = await resultOf({ content: [{ type: 'text', text: awsKey.sentence }] }, gate)
    assert.ok(!JSON.stringify(result).includes(awsKey.needle))
    assert.equal(result['isError'], undefined)
    assert.deepEqual(gate.decisions, ['mask default'])
  })

  it('are masked with the same placeholders as the arguments, and values from the arguments are recognised in them', async () => {
    const gate = new TestGate()
    const session = gate.session()
    const secret = ['hunter', 'Zq7w', 'Xk2v'].join('')
    const sent = argumentsOf((await session.call('login', { password: secret, mail: email.value })).forward) as Record<
      string,
      string
    >
    const step = await session.server({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: `${email.value} has ${secret}` }] }
    })
    const text = Buffer.from(step.forward as Uint8Array).toString()
    assert.ok(text.includes(sent['mail'] ?? '-'))
    if (sent['password'] !== secret) assert.ok(!text.includes(secret))
  })

  it('are masked in errors and in the results of tasks', async () => {
    const gate = new TestGate()
    const session = gate.session()
    await session.call('read')
    const error = { code: 1, message: email.sentence, data: { cause: email.value } }
    const told = await session.server({ jsonrpc: '2.0', id: 1, error })
    assert.ok(!Buffer.from(told.forward as Uint8Array).includes(email.needle))
    await session.client({ jsonrpc: '2.0', id: 't', method: 'tasks/result', params: { taskId: 'a' } })
    const result = { content: [{ type: 'text', text: email.sentence }] }
    const done = await session.server({ jsonrpc: '2.0', id: 't', result })
    assert.ok(!Buffer.from(done.forward as Uint8Array).includes(email.needle))
    assert.equal(gate.events.at(-1)?.kind, 'tool_answer_masked')
  })

  it('stay unchanged if the policy does not scan them', async () => {
    const content = [{ type: 'text', text: email.sentence }]
    assert.deepEqual((await resultOf({ content }, new TestGate({ scan: { results: false } })))['content'], content)
  })

  it('that cannot be read are held back, and the client gets an error', async () => {
    const gate = new TestGate()
    const session = gate.session()
    await session.call('read')
    const step = await session.server('{"jsonrpc":"2.0","id":1,"result":{"a":[1,]}}')
    assert.equal((valueOf(step.forward)['error'] as { code: number }).code, -32603)
    assert.deepEqual(gate.decisions, ['block unreadable_answer'])
  })

  it('that are corrupted in transit let nothing through that would have been masked', async () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: email.value }] } })
    const value = text.indexOf(email.value)
    const place = fc.nat(text.length - 1).filter((at) => at < value || at >= value + email.value.length)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, fc.constantFrom(...'{}[]":,\\ aertx_0\u200b')), { maxLength: 4 }),
        async (changes) => {
          let changed = text
          for (const [at, letter] of changes) changed = changed.slice(0, at) + letter + changed.slice(at + 1)
          const session = new TestGate().session()
          await session.call('read')
          const { forward = new Uint8Array() } = await session.server(changed)
          assert.ok(!Buffer.from(forward).includes(email.value), changed)
        }
      ),
      { numRuns: 1000 }
    )
  })

  it('lose nothing but what is masked, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
        const result = { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { value } }
        const gate = new TestGate()
        const session = gate.session()
        await session.call('read')
        const message = bytesOf({ jsonrpc: '2.0', id: 1, result })
        const { forward } = await session.session.fromServer(message)
        if (gate.events[0]?.entitiesMasked === 0) assert.equal(forward, message)
        else valueOf(forward)
      }),
      { numRuns: 200 }
    )
  })
})
