import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../dialects/index.ts'
import type { UpstreamAnswer } from '../../upstream/exchange.ts'
import { restoreAnswer } from './answer.ts'
import { plan } from './stream.fixture.ts'

const placeholder = 'EMAIL_7Q2MKX4TAB'

/** What an upstream answers in each dialect. */
const bodies = {
  'chat-completions': (text: string) => ({ choices: [{ index: 0, message: { role: 'assistant', content: text } }] }),
  messages: (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'text', text }] }),
  responses: (text: string) => ({
    object: 'response',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]
  })
} as const

function answerOf(body: Buffer): UpstreamAnswer {
  return {
    status: 200,
    headers: {},
    receive(sink) {
      sink.data(body.subarray(0, 5))
      sink.data(body.subarray(5))
      sink.end()
    },
    resume: () => undefined,
    dismiss: () => undefined
  }
}

async function restored(dialect: keyof typeof bodies, body: Buffer): Promise<Buffer> {
  const reader = dialects[dialect].createAnswerReader?.()
  assert.ok(reader)
  const answer = await restoreAnswer(answerOf(body), reader, plan, { restored: 0, left: 0 }, () => false)
  const chunks: Buffer[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  answer.receive({ data: (chunk) => chunks.push(chunk) > 0, end: resolve, fail: reject })
  await promise
  return Buffer.concat(chunks)
}

for (const dialect of ['chat-completions', 'messages', 'responses'] as const)
  test(`${dialect}: an answer is restored, and the mark that some frameworks put before JSON stays`, async () => {
    const written = (text: string): string => JSON.stringify(bodies[dialect](text), undefined, 1)
    for (const mark of ['', '\uFEFF']) {
      const body = await restored(dialect, Buffer.from(mark + written(`to ${placeholder}.`)))
      assert.equal(body.toString('utf8').replace('\\u00eb', 'ë'), mark + written('to zoë@corp.dev.'))
      const untouched = Buffer.from(mark + written('to nobody.'))
      assert.deepEqual(await restored(dialect, untouched), untouched)
    }
  })

test('no value gets into an argument that is a URL, however the arguments are written', async () => {
  const url = `https://a.example/?q=\n${placeholder}`
  const input = { url, links: [[`https://a.example/ ${placeholder}`]], to: [placeholder] }
  const restoredInput = { ...input, to: ['zoë@corp.dev'] }
  const call = (args: object) => ({ function: { name: 'send', arguments: JSON.stringify(args) } })
  for (const [dialect, written] of [
    ['messages', (args: object) => ({ type: 'message', content: [{ type: 'tool_use', name: 'send', input: args }] })],
    ['chat-completions', (args: object) => ({ choices: [{ message: { tool_calls: [call(args)] } }] })]
  ] as const) {
    const body = await restored(dialect, Buffer.from(JSON.stringify(written(input))))
    assert.deepEqual(JSON.parse(body.toString('utf8')), written(restoredInput), dialect)
  }
})

test('a URL goes on in the next text of an answer, which clients join, and ends there as anywhere', async () => {
  const between = <Between, One>(texts: readonly string[], other: Between, one: (text: string) => One) =>
    texts.flatMap((text, i) => [...(i === 0 ? [] : [other]), one(text)])
  const search = { type: 'server_tool_use', name: 'web_search', input: {} }
  const shapes = {
    messages: (texts: readonly string[]) => ({
      type: 'message',
      content: between(texts, search, (text) => ({ type: 'text', text }))
    }),
    responses: (texts: readonly string[]) => ({
      output: between(texts, { type: 'web_search_call' }, (text) => ({
        type: 'message',
        content: [{ type: 'output_text', text }]
      }))
    })
  }
  for (const [texts, isRestored] of [
    [['![x](https://a.example/?q=', placeholder], false],
    [['![x](https://a.ex', 'ample/?q=', `${placeholder})`], false],
    [['![x](https://a.example/?q=', `a) and ${placeholder}`], true],
    [['see https://corp.dev ', placeholder], true]
  ] as const)
    for (const dialect of ['messages', 'responses'] as const) {
      const body = await restored(dialect, Buffer.from(JSON.stringify(shapes[dialect](texts))))
      assert.equal(body.includes(placeholder), !isRestored, body.toString('utf8'))
    }
})
