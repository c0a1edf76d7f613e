import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReceivedCall } from './echo-upstream.ts'
import { compare, judge } from './judge.ts'
import type { Outcome } from './send.ts'
import type { Step } from './steps.ts'

const value = 'ines@imaginary-bakery'
const secrets = { token: 'the-workspace-token', upstreamKey: 'the-upstream-key' }
const chat = (text: string) => ({ model: 'm', messages: [{ role: 'user' as const, content: text }], stream: false })
const { stream: _, ...body } = chat(`Write to ${value} or ${value}.`)
const masked: Step = {
  title: '',
  api: 'chat-completions',
  stream: false,
  action: 'mask',
  planted: [value, value],
  body
}
const blocked: Step = { ...masked, action: 'block' }

function call(
  text: string,
  headers: Record<string, string> = { authorization: `Bearer ${secrets.upstreamKey}` }
): ReceivedCall {
  return { api: 'chat-completions', headers, bytes: Buffer.from(JSON.stringify(chat(text))), body: chat(text) }
}

const good = 'Write to EMAIL_AAAAAAAAAA or EMAIL_AAAAAAAAAA.'
const answered: Outcome = {
  requestId: 'r',
  action: 'mask',
  entitiesMasked: 2,
  answer: `You said: ${good}`,
  pieces: 1,
  piecesMs: 0,
  inputTokens: 1,
  outputTokens: 1
}

function faults(step: Step, outcome: Outcome, calls: readonly ReceivedCall[]): string[] {
  return judge(step, outcome, calls, compare(step, calls[0]), secrets)
    .filter((check) => !check.ok)
    .map((check) => check.says)
}

test('a call that went as promised has no fault, and its placeholder is known', () => {
  assert.deepEqual(faults(masked, answered, [call(good)]), [])
  assert.deepEqual([...compare(masked, call(good)).placeholders], [[value, 'EMAIL_AAAAAAAAAA']])
})

test('each broken promise is reported', () => {
  const cases: [string, Partial<Outcome>, ReceivedCall[], RegExp][] = [
    ['a value upstream', {}, [call(`Write to EMAIL_AAAAAAAAAA or ${value}.`)], /planted values reached/],
    ['a value in the answer', { answer: `You said: ${value}` }, [call(good)], /answer was changed/],
    ['another text', {}, [call(`${good} `)], /more than the values/],
    [
      'two placeholders for one value',
      {},
      [call('Write to EMAIL_AAAAAAAAAA or EMAIL_BBBBBBBBBB.')],
      /more than the values/
    ],
    ['an altered answer', { answer: 'You said: nothing' }, [call(good)], /answer was changed/],
    ['another action', { action: 'allow' }, [call(good)], /instead of mask/],
    ['another count', { entitiesMasked: 1 }, [call(good)], /1 masked instead of 2/],
    ['no usage', { inputTokens: 0 }, [call(good)], /token counts/],
    ['no call', {}, [], /0 calls upstream/],
    ['two calls', {}, [call(good), call(good)], /2 calls upstream/],
    [
      'the token upstream',
      {},
      [call(good, { a: `${secrets.upstreamKey} ${secrets.token}` })],
      /workspace token reached/
    ],
    ['no key upstream', {}, [call(good, {})], /workspace token reached/]
  ]
  for (const [name, change, calls, fault] of cases) {
    const found = faults(masked, { ...answered, ...change }, calls)
    assert.ok(
      found.some((says) => fault.test(says)),
      `${name}: ${found.join('; ')}`
    )
  }
})

test('a block must be a 403 that repeats nothing and sends nothing', () => {
  const refusal = { status: 403, code: 'c', errorClass: 'E', message: 'no' }
  const refused: Outcome = { ...answered, action: 'block', entitiesMasked: 0, refusal }
  assert.deepEqual(faults(blocked, refused, []), [])
  assert.equal(faults(blocked, { ...refused, refusal: { ...refusal, status: 400 } }, []).length, 1)
  assert.equal(faults(blocked, { ...refused, refusal: { ...refusal, message: value } }, []).length, 1)
  assert.equal(faults(blocked, refused, [call(good)]).length, 1)
  assert.equal(faults(masked, { ...refused, action: 'mask', entitiesMasked: 2 }, []).length, 1)
})
