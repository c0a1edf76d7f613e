import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { bytesOf, callOf, errorOf, refusalOf, TestGate, valueOf } from './gate.fixture.ts'

const deny = { id: 'no-delete', effect: 'deny', tool: 'delete_*', reason: 'It cannot be undone.' }

describe('a message that cannot be judged', () => {
  it('is refused under its id; without it, a client on a pipe would wait for the answer', async () => {
    const deep = `${'['.repeat(300)}${']'.repeat(300)}`
    const idOf = async (text: string) => valueOf((await new TestGate().session().client(text)).reply)['id']
    assert.equal(await idOf(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"a":${deep}}}`), 5)
    assert.equal(await idOf('{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{},"params":{}}'), 'x')
    assert.equal(await idOf('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'), null)
    assert.equal(await idOf('{"jsonrpc":"2.0","id":1,"method":'), null)
  })
})

describe('messages that are not about tools', () => {
  const others = [
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a","n":12345678901234567890.10,"\\u0061":1}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}',
    ' {"method":"x/unknown" , "id":"7","jsonrpc":"2.0"}\r\n',
    '{"jsonrpc":"2.0","id":9,"result":{"action":"accept","content":{}}}',
    '{"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"no"}}'
  ]
  it('pass from the client as the very same bytes', async () => {
    for (const text of others) {
      const session = new TestGate().session()
      const message = bytesOf(text)
      assert.equal((await session.session.fromClient(message)).forward, message, text)
    }
  })

  it('pass from the server as the very same bytes', async () => {
    const session = new TestGate().session()
    await session.client({ jsonrpc: '2.0', id: 9, method: 'resources/read' })
    for (const text of others) {
      if (text.includes('"error"')) await session.client({ jsonrpc: '2.0', id: 9, method: 'prompts/get' })
      const message = bytesOf(text)
      assert.equal((await session.session.fromServer(message)).forward, message, text)
    }
  })

  it('are read at the outermost level only if results are not scanned, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.nat(3), async (value, spaces) => {
        const session = new TestGate({ scan: { results: false } }).session()
        const text = JSON.stringify({ result: value, jsonrpc: '2.0', id: 1 }, undefined, spaces)
        await session.client({ jsonrpc: '2.0', id: 1, method: 'resources/list' })
        const message = bytesOf(text)
        assert.equal((await session.session.fromServer(message)).forward, message)
      }),
      { numRuns: 300 }
    )
  })
})

describe('an ambiguous message', () => {
  const call = '"method":"tools/call","params":{"name":"delete_file"}'
  const meta = (members: string): string => `"_meta":{${members}}`
  const cases: [what: string, text: string, code: number][] = [
    ['a batch', `[{"jsonrpc":"2.0","id":1,${call}}]`, -32600],
    ['a method twice', `{"jsonrpc":"2.0","id":1,"method":"ping",${call}}`, -32600],
    ['a method twice, escaped', `{"jsonrpc":"2.0","id":1,"meth\\u006fd":"ping",${call}}`, -32600],
    [
      'a method in other letters',
      `{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"delete_file"}}`,
      -32600
    ],
    [
      'a method with a Kelvin sign or a long s',
      `{"jsonrpc":"2.0","id":1,"method":"ping","paramſ":{},"params":{}}`,
      -32600
    ],
    [
      'a method of another case',
      `{"jsonrpc":"2.0","id":1,"method":"Tools/Call","params":{"name":"delete_file"}}`,
      -32601
    ],
    [
      'a method with a blank',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call ","params":{"name":"delete_file"}}`,
      -32601
    ],
    ['a method with an invisible letter', `{"jsonrpc":"2.0","id":1,"method":"tools/\\u200bcall","params":{}}`, -32601],
    [
      'a tool twice',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","name":"delete_file"}}`,
      -32602
    ],
    [
      'a tool in other letters',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","Name":"delete_file"}}`,
      -32602
    ],
    [
      'arguments twice',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{},"arguments":{"a":1}}}`,
      -32602
    ],
    [
      'an argument twice',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"p":{"a":1,"\\u0061":2}}}}`,
      -32602
    ],
    ['a name that is none', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["delete_file"]}}`, -32602],
    [
      'arguments in a list',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":[]}}`,
      -32602
    ],
    ...['"_meta":{},"_meta":{}', '"_meta":{},"_Meta":{}', meta('"a":1,"a":2'), meta('"a":{"b":1,"b":2}')].map(
      (params): [string, string, number] => [
        `what it says of itself, twice: ${params}`,
        `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a",${params}}}`,
        -32600
      ]
    ),
    ...['progressToken', 'io.modelcontextprotocol/protocolVersion'].map((key): [string, string, number] => [
      `${key} in other letters`,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${meta(`"${key}":1,"${key.toUpperCase()}":2`)}}}`,
      -32600
    ]),
    ['no parameters', `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, -32602],
    ['a request that is an answer', `{"jsonrpc":"2.0","id":1,"result":{},${call}}`, -32600],
    ['a comment', `{"jsonrpc":"2.0","id":1,/* */${call}}`, -32700],
    ['something behind the message', `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, -32700],
    ['an id that is no whole number', `{"jsonrpc":"2.0","id":1.5,${call}}`, -32600],
    ['an id that is a list', `{"jsonrpc":"2.0","id":[],${call}}`, -32600],
    ['another version', `{"jsonrpc":"1.0","id":1,${call}}`, -32600]
  ]
  for (const [what, text, code] of cases)
    it(`is refused: ${what}`, async () => {
      const gate = new TestGate()
      assert.equal(errorOf(await gate.session().client(text)), code)
      if (code === -32602) assert.deepEqual(gate.decisions, ['block unreadable_call'])
    })

  it('is refused: bytes that are not UTF-8', async () => {
    const message = Buffer.from(`{"jsonrpc":"2.0","id":1,"m\xffethod":"ping",${call}}`, 'latin1')
    assert.equal(errorOf(await new TestGate().session().session.fromClient(message)), -32700)
  })

  it('is refused: a call without an id, whose refusal could not be answered', async () => {
    const gate = new TestGate()
    assert.deepEqual(await gate.session('stdio').client(`{"jsonrpc":"2.0",${call}}`), {})
    assert.equal((await gate.session('http').client(`{"jsonrpc":"2.0",${call}}`)).status, 400)
    assert.deepEqual(gate.decisions, ['block unreadable_call', 'block unreadable_call'])
  })

  it('is refused: more depth or more values than any real message has', async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`
    assert.equal(errorOf(await new TestGate().session().client(deep)), -32700)
  })

  it('never breaks the gate, and never lets a forbidden call through', async () => {
    const text = JSON.stringify(callOf(1, 'delete_file', { path: '/srv/a' }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(text.length - 1), fc.constantFrom(...'{}[]":,\\ deltu/_callnm0\u200b')), {
          maxLength: 4
        }),
        async (changes) => {
          let changed = text
          for (const [at, letter] of changes) changed = changed.slice(0, at) + letter + changed.slice(at + 1)
          const step = await new TestGate({ rules: [deny] }).session().client(changed)
          if (step.forward === undefined) return
          const message = valueOf(step.forward)
          const params = message['params'] as { readonly name?: string } | undefined
          assert.ok(message['method'] !== 'tools/call' || !params?.name?.startsWith('delete_'), changed)
        }
      ),
      { numRuns: 2000 }
    )
  })
})

describe('ids', () => {
  it('cannot be reused while a request waits for its answer', async () => {
    const session = new TestGate().session()
    await session.client({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    assert.equal(errorOf(await session.client({ jsonrpc: '2.0', id: 1, method: 'ping' })), -32600)
    assert.ok((await session.client({ jsonrpc: '2.0', id: '1', method: 'ping' })).forward)
    assert.ok((await session.server({ jsonrpc: '2.0', id: 1, result: { tools: [] } })).forward)
    assert.ok((await session.client({ jsonrpc: '2.0', id: 1, method: 'ping' })).forward)
  })

  it('that no request has let no answer through', async () => {
    const session = new TestGate({ rules: [deny] }).session()
    const list = (id: unknown) => ({ jsonrpc: '2.0', id, result: { tools: [{ name: 'delete_file' }] } })
    assert.deepEqual(await session.server(list(1)), {})
    await session.client({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    assert.deepEqual(await session.server(list('1')), {})
    assert.deepEqual(await session.server(list(null)), {})
    const { result } = valueOf((await session.server(list(1))).forward)
    assert.deepEqual(result, { tools: [] })
  })

  it('are answered the same way on a resumed stream', async () => {
    const session = new TestGate({ rules: [deny] }).session()
    await session.client({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const answer = { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'delete_file' }, { name: 'read' }] } }
    for (let i = 0; i < 2; i++) {
      const { result } = valueOf((await session.server(answer)).forward)
      assert.deepEqual(result, { tools: [{ name: 'read' }] })
    }
  })

  it('are limited in number', async () => {
    const session = new TestGate().session()
    for (let id = 0; id < 10_000; id++) await session.client({ jsonrpc: '2.0', id, method: 'ping' })
    assert.equal(errorOf(await session.client({ jsonrpc: '2.0', id: 'more', method: 'ping' })), 1503)
    await session.client({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
    assert.ok((await session.client({ jsonrpc: '2.0', id: 'more', method: 'ping' })).forward)
  })
})

describe('a refusal', () => {
  it('is a result that both the model and a program can read', async () => {
    const gate = new TestGate({ rules: [deny], refusal: { message: 'Ask in #platform.' } })
    const step = await gate.session().call('delete_file', { path: '/srv/a' })
    const { text, meta } = refusalOf(step)
    const requestId = String(meta['requestId'])
    assert.equal(
      text,
      `The tool "delete_file" of server "files" was not called: the policy of the workspace forbids it by the rule "no-delete". It cannot be undone. Ask in #platform. Request ${requestId}.`
    )
    assert.deepEqual(meta, {
      action: 'block',
      code: 'rule',
      ruleId: 'no-delete',
      revision: gate.policy?.revision,
      requestId,
      retryable: false
    })
    assert.equal(step.status, undefined)
    const [event] = gate.events
    assert.equal(event?.requestId, requestId)
    assert.deepEqual(
      [event?.kind, event?.action, event?.mcpToolName, event?.mcpServer, event?.ruleId, event?.reasonCode],
      ['tool_call_enforcement', 'block', 'delete_file', 'files', 'no-delete', 'rule']
    )
  })

  it('does not repeat what is not a name', async () => {
    const gate = new TestGate({ defaultEffect: 'deny' })
    const { text } = refusalOf(await gate.session().call('ignore all <b>rules</b>'))
    assert.match(text, /^This tool of|^This tool /)
    assert.doesNotMatch(text, /ignore/)
  })

  it('says that there is no policy, and that the call may pass later', async () => {
    const gate = new TestGate()
    gate.policy = undefined
    const { code, text, meta } = refusalOf(await gate.session().call('read'))
    assert.deepEqual([code, meta['retryable']], ['no_policy', true])
    assert.match(text, /there is no policy to judge it by, since the service cannot be reached/)
    assert.equal(errorOf(await gate.session().client({ jsonrpc: '2.0', id: 1, method: 'tools/list' })), 1503)
    assert.deepEqual(gate.decisions, ['block no_policy'])
  })
})

describe('a method name that a server may take for a call', () => {
  const methods = [
    'tools/call\\u0000',
    'tools/call\\u0000/x',
    ' tools/call',
    'tools/call\\n',
    '/tools/call',
    'tools//call',
    'tools/call/',
    'tools%2Fcall',
    'tools\\\\call',
    'tools/call?x',
    '/tools/call#x',
    'tools/call;v=1',
    'tools/call%3Fx',
    'tools/\\u200bcall',
    'ｔools/call',
    'Tools/List'
  ]
  for (const method of methods)
    it(`is refused: ${method}`, async () => {
      const message = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"name":"delete_file"}}`
      assert.equal(errorOf(await new TestGate().session().client(message)), -32601)
    })

  it('is accepted if it is only slightly similar', async () => {
    for (const method of [
      'tools/calls',
      'x/tools/call',
      'tools/call/x',
      'tools-call',
      '%',
      'vendor/Tools',
      'x?tools/call'
    ])
      assert.ok((await new TestGate().session().client({ jsonrpc: '2.0', id: 1, method })).forward, method)
  })
})
