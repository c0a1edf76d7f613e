import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPlanter } from '../../../../test/support/planted.ts'
import type { Step } from '../gate-contract.ts'
import { policyOf, refusalOf, TestGate, valueOf } from './gate.fixture.ts'

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

  it('does not count if there was no room for its call', async () => {
    const session = await openSession(new TestGate({ rules }), {})
    const ping = (id: number) => session.client({ jsonrpc: '2.0', id: `ping ${id}`, method: 'ping' })
    for (let i = 0; i < 10_000; i++) await ping(i)
    for (let i = 0; i < 32; i++)
      assert.match(JSON.stringify(valueOf((await session.call('send', { i })).reply)), /Too many/)
    await session.server({ jsonrpc: '2.0', id: 'ping 0', result: {} })
    questionOf(await session.call('send', {}))
    session.session.close()
  })
})
