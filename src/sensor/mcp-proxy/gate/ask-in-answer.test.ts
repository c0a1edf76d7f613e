import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPlanter } from '../../../../test/support/planted.ts'
import type { Step } from '../gate-contract.ts'
import { bytesOf, callOf, policyOf, refusalOf, TestGate, valueOf } from './gate.fixture.ts'

const ask = { id: 'ask-send', effect: 'ask', tool: 'send', reason: 'It leaves the company.' }
const rules = [ask]
const email = createPlanter(9)('email')

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
