import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPlanter } from '../../../../test/support/planted.ts'
import type { Step } from '../gate-contract.ts'
import { bytesOf, callOf, policyOf, refusalOf, TestGate, valueOf } from './gate.fixture.ts'

const ask = { id: 'ask-send', effect: 'ask', tool: 'send', reason: 'It leaves the company.' }
const rules = [ask]
const email = createPlanter(9)('email')

/** The question in a step, for a revision with sessions. */
function questionOf(step: Step): { readonly id: string; readonly method: string; readonly message: string } {
  assert.ok(step.ask, JSON.stringify(Object.keys(step)))
  const { id, method, params } = valueOf(step.ask.question) as never as {
    readonly id: string
    readonly method: string
    readonly params: { readonly message: string }
  }
  return { id, method, message: params.message }
}

async function openSession(gate: TestGate, elicitation: object | undefined) {
  const session = gate.session()
  const capabilities = elicitation === undefined ? {} : { elicitation }
  await session.client({
    jsonrpc: '2.0',
    id: 'init',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities }
  })
  await session.server({ jsonrpc: '2.0', id: 'init', result: {} })
  return session
}

describe('a question by a request of its own', () => {
  it('shows tool, server, reason and masked arguments, and then lets exactly that call pass', async () => {
    const gate = new TestGate({ rules })
    const session = await openSession(gate, {})
    const step = await session.call('send', { to: email.value, body: 'hi\u202e\nArguments: none' })
    const { id, method, message } = questionOf(step)
    assert.equal(method, 'elicitation/create')
    assert.match(
      message,
      /Tool "send" of server "files"\.\nReason: It leaves the company\.\nArguments: \{"to":"EMAIL_[A-Z2-7]{10}"/
    )
    assert.ok(!message.includes(email.needle) && !message.includes('\u202e'))
    assert.equal(message.split('\n').length, 4)
    assert.deepEqual(await session.client({ jsonrpc: '2.0', id, result: { action: 'accept', content: {} } }), {})
    const passed = valueOf((await step.ask?.then)?.forward)
    assert.match(JSON.stringify(passed['params']), /^\{"name":"send","arguments":\{"to":"EMAIL_/)
    await session.server({ jsonrpc: '2.0', id: 1, result: { content: [] } })
    assert.deepEqual(gate.decisions, ['block ask_pending', 'mask ask_approved'])
    assert.deepEqual(
      gate.events.map((event) => event.ruleId),
      ['ask-send', 'ask-send']
    )
    assert.equal(new Set(gate.events.map(({ requestId }) => requestId)).size, 1)
  })

  for (const [what, answer, code] of [
    ['declined', { result: { action: 'decline' } }, 'ask_declined'],
    ['put away', { result: { action: 'cancel' } }, 'ask_declined'],
    ['answered with nothing', { result: {} }, 'ask_declined'],
    ['not understood', { error: { code: -32601, message: 'no' } }, 'ask_unsupported']
  ] as const)
    it(`that is ${what} refuses the call`, async () => {
      const gate = new TestGate({ rules })
      const session = await openSession(gate, { form: {} })
      const step = await session.call('send', {})
      await session.client({ jsonrpc: '2.0', id: questionOf(step).id, ...answer })
      assert.equal(refusalOf((await step.ask?.then) ?? {}).code, code)
      assert.deepEqual(gate.decisions, ['block ask_pending', `block ${code}`])
      // The id is free again.
      assert.ok((await session.client({ jsonrpc: '2.0', id: 1, method: 'ping' })).forward)
    })

  it('is not sent to a client that cannot ask', async () => {
    for (const elicitation of [undefined, { url: {} }]) {
      const gate = new TestGate({ rules })
      const session = await openSession(gate, elicitation)
      assert.equal(refusalOf(await session.call('send', {})).code, 'ask_unsupported')
      assert.deepEqual(gate.decisions, ['block ask_unsupported'])
    }
  })

  it('is answered by the client only, and once', async () => {
    const gate = new TestGate({ rules })
    const session = await openSession(gate, {})
    const step = await session.call('send', {})
    const { id } = questionOf(step)
    const accept = { jsonrpc: '2.0', id, result: { action: 'accept' } }
    assert.deepEqual(await session.server(accept), {})
    await session.client({ ...accept, id: `${id}x` })
    await session.client({ ...accept, result: { action: 'decline' } })
    await session.client(accept)
    assert.equal(refusalOf((await step.ask?.then) ?? {}).code, 'ask_declined')
  })

  it('is answered only by the client that was asked, however similar the calls of others are', async () => {
    const gate = new TestGate({ rules })
    const [one, other, mute] = [
      await openSession(gate, {}),
      await openSession(gate, {}),
      await openSession(gate, undefined)
    ]
    const [mine, theirs] = [await one.call('send', { to: 'a' }), await other.call('send', { to: 'a' })]
    assert.notEqual(questionOf(mine).id, questionOf(theirs).id)
    let isSettled = false
    void mine.ask?.then.then(() => (isSettled = true))
    const yes = (id: string): object => ({ jsonrpc: '2.0', id, result: { action: 'accept', content: {} } })
    for (const session of [other, mute]) await session.client(yes(questionOf(mine).id))
    await other.client(yes(questionOf(theirs).id))
    assert.ok((await theirs.ask?.then)?.forward)
    assert.equal(isSettled, false)
    // Nor is consent to one client's call consent to the other's, or to the next call.
    assert.ok((await other.call('send', { to: 'a' })).ask)
    await one.client({ jsonrpc: '2.0', id: questionOf(mine).id, result: { action: 'decline' } })
    assert.equal(refusalOf((await mine.ask?.then) ?? {}).code, 'ask_declined')
  })

  it('holds back what a server says about a call that it has not seen', async () => {
    const session = await openSession(new TestGate({ rules }), {})
    const step = await session.call('send', {})
    const answer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: email.value }] } }
    assert.deepEqual(await session.server(answer), {})
    await session.client({ jsonrpc: '2.0', id: questionOf(step).id, result: { action: 'accept' } })
    assert.ok((await step.ask?.then)?.forward)
    const masked = Buffer.from((await session.server(answer)).forward ?? []).toString()
    assert.match(masked, /EMAIL_[A-Z2-7]{10}/)
  })

  it('ends when the call is cancelled, and with the session', async () => {
    const gate = new TestGate({ rules })
    const session = await openSession(gate, {})
    const first = await session.call('send', {})
    await session.client({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    assert.deepEqual(await first.ask?.then, {})
    const second = await session.call('send', {})
    session.session.close()
    assert.deepEqual(await second.ask?.then, {})
  })

  it('does not outlive changes made while the person was deciding', async () => {
    const waited = async (change: (gate: TestGate) => void) => {
      const gate = new TestGate({ rules, stale: { afterSeconds: 60, effect: 'deny' } })
      const session = await openSession(gate, {})
      const step = await session.call('send', { to: email.value })
      change(gate)
      await session.client({ jsonrpc: '2.0', id: questionOf(step).id, result: { action: 'accept' } })
      return { gate, session, came: (await step.ask?.then) ?? {} }
    }
    const denied = await waited((gate) => void (gate.policy = policyOf({ defaultEffect: 'deny' })))
    assert.equal(refusalOf(denied.came).code, 'default')
    assert.deepEqual(denied.gate.decisions, ['block ask_pending', 'block default'])
    assert.ok((await denied.session.client({ jsonrpc: '2.0', id: 1, method: 'ping' })).forward)
    const stale = await waited((gate) => void (gate.age = { isFresh: false, ageMs: 61_000 }))
    assert.equal(refusalOf(stale.came).code, 'stale_policy')
    const allowed = await waited((gate) => void (gate.policy = policyOf({})))
    await allowed.session.server({ jsonrpc: '2.0', id: 1, result: { content: [] } })
    assert.deepEqual(allowed.gate.decisions, ['block ask_pending', 'mask ask_approved'])
  })

  it('shortens long strings, so that no argument hides behind another', async () => {
    const session = await openSession(new TestGate({ rules }), {})
    const content = `say "hi" \\${'x'.repeat(2000)}`
    const { message } = questionOf(await session.call('send', { content, path: '/etc/shadow', mode: 7 }))
    session.session.close()
    assert.match(
      message,
      /"content":"say \\"hi\\" \\\\x{180,}… \(1\d{3} more\)","path":"\/etc\/shadow","mode":7\}\nAccept/
    )
  })

  const asked = async (args: object): Promise<string> => {
    const session = await openSession(new TestGate({ rules }), {})
    const { message } = questionOf(await session.call('send', args))
    session.session.close()
    return message
  }
  const numbers = (length: number): number[] => Array.from({ length }, (_, item) => item)

  it('gives every argument a share of the room, and says first that not all is shown', async () => {
    const members = Object.fromEntries(numbers(40).map((item) => [`filler${item}`, 'x'.repeat(60)]))
    for (const args of [
      { items: numbers(500), path: '/etc/shadow' },
      { ...members, path: '/etc/shadow' },
      { options: { a: numbers(500), b: 'x "]},'.repeat(20), path: '/etc/shadow' }, more: numbers(500) },
      { edits: [numbers(500), { path: '/etc/shadow' }] },
      { options: { ...members, ['x'.repeat(190)]: { y: { z: numbers(9000) } } }, path: '/etc/shadow' }
    ]) {
      const message = await asked(args)
      assert.match(
        message,
        /\nArguments, of which not all are shown: \{.*… \(\d+ more\).*"path":"\/etc\/shadow".*\}\nAccept/
      )
      assert.ok(message.length < 2500, String(message.length))
    }
  })

  it('shows the whole of what just fits, and almost the whole of what just does not', async () => {
    for (let length = 1440; length < 1500; length++) {
      const items = Array.from({ length }, () => 1)
        .join('')
        .match(/.{1,80}/g)
      const message = await asked({ items, path: '/etc/shadow' })
      assert.match(message, /"path":"\/etc\/shadow"\}\nAccept/, String(length))
      assert.ok(message.split('1').length > 1300, String(length))
    }
  })

  it('says how much is omitted of what is too much to divide', async () => {
    const many = Object.fromEntries(numbers(500).map((item) => [`filler${item}`, item]))
    assert.match(await asked(many), /Arguments, of which not all are shown: \{"filler0":0,.*… \(\d{4} more\)\nAccept/)
    const long = { items: Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 'x'.repeat(60))) }
    const message = await asked(long)
    assert.match(message, /not all are shown: \{"items":\[\["x+",.*… \(\d{6} more\)\nAccept/)
    assert.ok(message.length < 1800)
  })

  it('is limited in number', async () => {
    const gate = new TestGate({ rules })
    const session = await openSession(gate, {})
    for (let i = 0; i < 32; i++) questionOf(await session.call('send', { i }))
    assert.equal(refusalOf(await session.call('send', {})).code, 'ask_unsupported')
    session.session.close()
  })
})

describe('a question in the answer', () => {
  const metaOf = (capabilities: object) => ({
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities
    }
  })
  const able = metaOf({ elicitation: { form: {} } })
  const consent = (action: string) => ({ inputResponses: { 'dev.sluice/consent': { action, content: {} } } })
  const asked = (step: Step) => {
    const result = valueOf(step.reply)['result'] as Record<string, unknown>
    assert.equal(result['resultType'], 'input_required')
    const requests = result['inputRequests'] as Record<string, unknown>
    const request = requests['dev.sluice/consent'] as {
      readonly method: string
      readonly params: { readonly message: string; readonly mode: string }
    }
    return { request, requestState: String(result['requestState']) }
  }
  let id = 0
  const send = (gate: TestGate, args: object, more: object = {}, http?: Record<string, string>): Promise<Step> =>
    gate.session('http').client(callOf(++id, 'send', args, { ...able, ...more }), http && { ...headers, ...http })
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'send' }
  const paramsOf = (step: Step) => valueOf(step.forward)['params'] as Record<string, unknown>

  it('lets the call pass that returns with its state, as the client first sent it', async () => {
    const gate = new TestGate({ rules })
    const args = { body: 'hi' }
    const { request, requestState } = asked(await send(gate, args))
    assert.deepEqual([request.method, request.params.mode], ['elicitation/create', 'form'])
    assert.match(request.params.message, /Arguments: \{"body":"hi"\}/)
    const passed = await send(gate, args, { ...consent('accept'), requestState })
    assert.deepEqual(paramsOf(passed), { name: 'send', arguments: args, ...able })
    assert.deepEqual(gate.decisions, ['block ask_pending'])
    assert.equal([...gate.context.openCalls][0]?.facts.requestId, gate.events[0]?.requestId)
  })

  it('is valid for these arguments, this tool, this server and this caller, once, and for a limited time', async () => {
    const gate = new TestGate({ rules: [{ ...ask, tool: 'send*' }] })
    const args = { body: 'hi' }
    const fresh = async (http?: Record<string, string>) => asked(await send(gate, args, {}, http)).requestState
    const again = async (requestState: string, given: object = args, http?: Record<string, string>) =>
      send(gate, given, { ...consent('accept'), requestState }, http)
    const used = await fresh()
    assert.ok((await again(used)).forward)
    asked(await again(used))
    asked(await again(await fresh(), { body: 'ho' }))
    asked(await again(await fresh(), { body: 'hi', more: 1 }))
    const state = await fresh()
    asked(
      await gate
        .session('http')
        .client(callOf(++id, 'send2', args, { ...able, ...consent('accept'), requestState: state }))
    )
    const elsewhere = new TestGate({ rules }, {}, { identity: { url: 'https://mcp.quillmark-labs.com' } })
    asked(await send(elsewhere, args, { ...consent('accept'), requestState: state }))
    asked(await again(await fresh({ authorization: 'Bearer a' }), args, { authorization: 'Bearer b' }))
    assert.ok((await again(await fresh({ authorization: 'Bearer a' }), args, { authorization: 'Bearer a' })).forward)
    const late = await fresh()
    gate.now += 600_001
    asked(await again(late))
  })

  it('cannot be bypassed by a forged state', async () => {
    const gate = new TestGate({ rules })
    const { requestState } = asked(await send(gate, {}))
    const [text = '', mac = ''] = requestState.split('.')
    const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as object
    const forged = Buffer.from(JSON.stringify({ ...payload, step: 'approved' })).toString('base64url')
    for (const state of ['', 'x', '.', `${forged}.${mac}`, `${text}.`, `${text}.${mac}.x`, `${text}x.${mac}`])
      asked(await send(gate, {}, { ...consent('accept'), requestState: state }))
    // Consent without a state, and a state without consent.
    asked(await send(gate, {}, consent('accept')))
    asked(await send(gate, {}, { requestState }))
  })

  it('refuses the call if it is declined', async () => {
    for (const action of ['decline', 'cancel']) {
      const gate = new TestGate({ rules })
      const { requestState } = asked(await send(gate, {}))
      assert.equal(refusalOf(await send(gate, {}, { ...consent(action), requestState })).code, 'ask_declined')
      assert.deepEqual(gate.decisions, ['block ask_pending', 'block ask_declined'])
    }
  })

  it('is not sent to a client that cannot ask', async () => {
    const gate = new TestGate({ rules })
    for (const capabilities of [{}, { elicitation: { url: {} } }])
      assert.equal(refusalOf(await send(gate, {}, metaOf(capabilities))).code, 'ask_unsupported')
    assert.deepEqual(gate.decisions, ['block ask_unsupported', 'block ask_unsupported'])
  })

  it('stays valid while the server asks back, and the server gets its own state again', async () => {
    const gate = new TestGate({ rules })
    const { requestState } = asked(await send(gate, { a: 1 }))
    const session = gate.session('http')
    const again = callOf(50, 'send', { a: 1 }, { ...able, ...consent('accept'), requestState })
    assert.ok((await session.client(again)).forward)
    const question = {
      resultType: 'input_required',
      inputRequests: { q: { method: 'elicitation/create', params: {} } },
      requestState: 'theirs'
    }
    const answer = valueOf((await session.server({ jsonrpc: '2.0', id: 50, result: question })).forward)[
      'result'
    ] as Record<string, unknown>
    assert.deepEqual(answer['inputRequests'], question.inputRequests)
    assert.notEqual(answer['requestState'], 'theirs')
    const responses = { inputResponses: { q: { action: 'accept', content: { x: 1 } } } }
    const third = await send(gate, { a: 1 }, { ...responses, requestState: answer['requestState'] })
    assert.deepEqual(paramsOf(third), {
      name: 'send',
      arguments: { a: 1 },
      ...able,
      ...responses,
      requestState: 'theirs'
    })
    assert.deepEqual(gate.decisions, ['block ask_pending', 'allow ask_approved'])
  })

  it("keeps the client's data for the server if the policy asks in the middle of an exchange", async () => {
    const gate = new TestGate({ rules })
    const theirs = { inputResponses: { q: { action: 'accept' } }, requestState: 'theirs' }
    const { requestState } = asked(await send(gate, {}, theirs))
    const passed = await send(gate, {}, { ...consent('accept'), requestState })
    assert.deepEqual(paramsOf(passed), { name: 'send', arguments: {}, ...able, ...theirs })
  })

  it('never passes its own state to the server: not late, not with other arguments, not when consent is no longer needed', async () => {
    const theirs = { inputResponses: { q: { action: 'accept' } }, requestState: 'theirs' }
    const gate = new TestGate({ rules })
    const late = asked(await send(gate, {}, theirs)).requestState
    gate.now += 600_001
    const second = asked(await send(gate, {}, { ...consent('accept'), requestState: late })).requestState
    const other = asked(await send(gate, { a: 2 }, { ...consent('accept'), requestState: second })).requestState
    const passed = await send(gate, { a: 2 }, { ...consent('accept'), requestState: other })
    assert.deepEqual(paramsOf(passed), { name: 'send', arguments: { a: 2 }, ...able, ...theirs })
    const last = asked(await send(gate, {}, theirs)).requestState
    const bare = asked(await send(gate, {})).requestState
    gate.policy = policyOf({})
    const allowed = await send(gate, {}, { ...consent('accept'), requestState: last })
    assert.deepEqual(paramsOf(allowed), { name: 'send', arguments: {}, ...able, ...theirs })
    const alone = await send(gate, {}, { ...consent('accept'), requestState: bare })
    assert.deepEqual(paramsOf(alone), { name: 'send', arguments: {}, ...able })
  })

  it('does not outlive a policy that denies', async () => {
    const gate = new TestGate({ rules })
    const { requestState } = asked(await send(gate, {}))
    gate.policy = policyOf({ defaultEffect: 'deny' })
    assert.equal(refusalOf(await send(gate, {}, { ...consent('accept'), requestState })).code, 'default')
  })

  it('does not affect allowed calls: the states of servers pass untouched', async () => {
    const session = new TestGate().session('http')
    const message = bytesOf(callOf(1, 'send', {}, { ...able, ...consent('accept'), requestState: 'theirs' }))
    assert.equal((await session.session.fromClient(message)).forward, message)
    const answer = bytesOf({
      jsonrpc: '2.0',
      id: 1,
      result: { resultType: 'input_required', requestState: email.value }
    })
    assert.equal((await session.session.fromServer(answer)).forward, answer)
  })
})
