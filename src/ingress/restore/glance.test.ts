/** What the glance lets pass unparsed is exactly what parsing would have let pass. */
import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { dialects } from '../../dialects/index.ts'
import { EventTemplates } from './event-template.ts'
import { mayHoldPlaceholder } from './glance.ts'
import { cut, kinds, plan, splitEvents, sse, words } from './stream.fixture.ts'
import { StreamRestorer } from './stream.ts'

const glance = (text: string): boolean => mayHoldPlaceholder(Buffer.from(text), 0, plan.table)
const delta = (text: string): object => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text }
})

describe('a glance at events', () => {
  test('lets events pass in which nothing is restored and nothing has to wait, in every dialect', () => {
    let glances = 0
    let passed = 0
    fc.assert(
      fc.property(fc.constantFrom(...kinds), words, fc.array(fc.nat(), { maxLength: 6 }), (kind, text, cuts) => {
        const [dialect, stream, isJson] = kind
        const source = isJson ? JSON.stringify({ new_string: text }) : text
        for (const event of splitEvents(Buffer.from(sse(stream.frames(cut(source, cuts)), '\n')))) {
          glances++
          if (mayHoldPlaceholder(event, 0, plan.table)) continue
          passed++
          const reader = dialects[dialect].createAnswerReader?.()
          assert.ok(reader)
          const counts = { restored: 0, left: 0 }
          const restorer = new StreamRestorer(reader, plan, counts, new EventTemplates(reader), () => true)
          assert.equal(restorer.push(event).toString(), event.toString())
          assert.deepEqual(counts, { restored: 0, left: 0 })
        }
      }),
      { numRuns: 500 }
    )
    assert.ok(passed > glances / 2, `${passed} of ${glances}`)
  })

  test('sees a tag, the beginning of a placeholder at the end of a string, and escapes', () => {
    for (const text of ['EMAIL_7Q2MKX4TAB', 'a EMAIL_7Q2', 'to E', 'so\nE', 'EMAIL', 'x_ABCDEFGHIJ', 'E\u0001'])
      assert.equal(glance(`data: ${JSON.stringify(delta(text))}\n\n`), true, text)
    assert.equal(glance(String.raw`data: {"text":"\u0045"}`), true)
    assert.equal(glance(String.raw`data: {"text":"EMAIL\u005f7Q2MKX4TAB"}`), true)
  })

  test('skips words, ids, member names and unfinished look-alikes', () => {
    for (const text of ['Hello', 'E ', 'MAILE is', 'a_b', 'EMAIL_7Q2 ', 'said "E," and', 'é', 'C:\\U', '7', 'X'])
      assert.equal(glance(`data: ${JSON.stringify(delta(text))}\n\n`), false, text)
    const created = { id: 'resp_0A1B2C3D', model: 'gpt-5', finish_reason: null, status: 'in_progress' }
    assert.equal(glance(`event: response.created\ndata: ${JSON.stringify(created)}\n\n`), false)
  })

  test('starts where it is told to', () => {
    const text = 'data: "E"\n\ndata: "x"\n\n'
    assert.equal(mayHoldPlaceholder(Buffer.from(text), text.indexOf('data: "x"'), plan.table), false)
    assert.equal(mayHoldPlaceholder(Buffer.from(text), 0, plan.table), true)
  })
})

describe('an event that is parsed after it was passed on', () => {
  const open = (mayHold?: typeof mayHoldPlaceholder) => {
    const reader = dialects['chat-completions'].createAnswerReader?.()
    assert.ok(reader)
    const counts = { restored: 0, left: 0 }
    const restorer = new StreamRestorer(reader, plan, counts, new EventTemplates(reader), mayHold)
    const push = (choice: object): string =>
      restorer.push(Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)).toString()
    return { restorer, push, counts }
  }

  test('tells the name of a tool to the events after it', () => {
    for (const [name, restored] of [
      ['edit', 1],
      ['fetch', 0]
    ] as const) {
      const { push, counts } = open()
      const call = (part: object): object => ({ delta: { tool_calls: [{ index: 0, function: part }] } })
      assert.match(push(call({ name, arguments: '' })), /arguments/)
      push(call({ arguments: '{"to":"EMAIL_7Q2MKX4TAB"}' }))
      assert.equal(counts.restored, restored)
    }
  })

  test('begins a URL, or a word, that continues in the next event', () => {
    for (const beginning of ['see https://a.example/?q=', 'see x']) {
      const { push, counts } = open()
      push({ delta: { content: beginning } })
      assert.match(push({ delta: { content: 'EMAIL_7Q2MKX4TAB ' } }), /EMAIL_7Q2MKX4TAB/)
      assert.deepEqual(counts, { restored: 0, left: 1 })
    }
  })

  test('counts at the end of the stream too', () => {
    const { restorer, push, counts } = open((events, from, table) =>
      events.includes('ZZZZZZZZZZ') ? false : mayHoldPlaceholder(events, from, table)
    )
    push({ delta: { content: 'to EMAIL_ZZZZZZZZZZ and' } })
    assert.equal(restorer.end().length, 0)
    restorer.catchUp()
    assert.deepEqual(counts, { restored: 0, left: 1 })
  })

  test('is parsed once, whether or not there is time before the next event', async () => {
    const { push, counts } = open()
    push({ delta: { role: 'assistant', content: 'Hello ' } })
    await new Promise((resolve) => setImmediate(resolve))
    push({ delta: { content: 'to EMAIL_7Q' } })
    assert.match(push({ delta: { content: '2MKX4TAB.' }, finish_reason: 'stop' }), /@corp\.dev/)
    assert.deepEqual(counts, { restored: 1, left: 0 })
  })

  test('reports an error of its parsing with the next event, even if there was time before it', async () => {
    const reader = dialects['chat-completions'].createAnswerReader?.()
    assert.ok(reader)
    const read = mock.method(reader, 'read', () => {
      throw new RangeError('unforeseen')
    })
    const restorer = new StreamRestorer(reader, plan, { restored: 0, left: 0 })
    const event = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Hello "}}]}\n\n')
    assert.equal(restorer.push(event), event)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(read.mock.callCount(), 1)
    assert.throws(() => restorer.push(event), RangeError)
  })
})
