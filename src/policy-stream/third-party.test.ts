/** Third-party clients can read the stream. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { EventSource } from 'eventsource'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { frameOf, startHub } from './hub.fixture.ts'

test('eventsource: events, ids, and a reconnect that sends the last id', async () => {
  await using running = await startHub(frameOf(1), { timings: { retryMs: 50 } })
  const source = new EventSource(running.url, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'x-service-workspace-token': 't' } })
  })
  const { promise: second, resolve } = Promise.withResolvers<void>()
  const events: { readonly id: string; readonly data: unknown }[] = []
  source.addEventListener('policy', ({ lastEventId, data }) => {
    events.push({ id: lastEventId, data: JSON.parse(String(data)) })
    if (events.length === 1) running.publish(frameOf(2))
    if (events.length === 2) running.hub.closeToken('t')
    if (events.length === 3) resolve()
  })
  source.addEventListener('error', () => running.publish(frameOf(3)))
  await second
  source.close()
  assert.deepEqual(
    events,
    [1, 2, 3].map((sequence) => ({ id: frameOf(sequence).revision, data: frameOf(sequence) }))
  )
  assert.equal(running.requests[1]?.['last-event-id'], frameOf(2).revision)
})

test('eventsource-parser over fetch', async () => {
  await using running = await startHub(frameOf(1, '√ "quoted"\n\r\u2028'))
  const answer = await fetch(running.url)
  const events = (answer.body as ReadableStream<ArrayBuffer | ArrayBufferView>)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { event, id, data } of events) {
    assert.deepEqual([event, id], ['policy', frameOf(1, '√ "quoted"\n\r\u2028').revision])
    assert.deepEqual(JSON.parse(data), frameOf(1, '√ "quoted"\n\r\u2028'))
    break
  }
})

test('curl -N', async () => {
  await using running = await startHub(frameOf(1))
  const curl = spawn('curl', ['-sN', running.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { promise: started, reject } = Promise.withResolvers<never>()
  curl.once('error', reject)
  let text = ''
  const read = (async () => {
    for await (const chunk of curl.stdout) {
      text += String(chunk)
      if (text.endsWith(`${JSON.stringify(frameOf(1))}\n\n`)) running.publish(frameOf(2))
      if (text.endsWith(`${JSON.stringify(frameOf(2))}\n\n`)) running.hub.closeToken('t')
    }
  })()
  await Promise.race([read, started])
  const [one, two] = [1, 2].map((sequence) => frameOf(sequence))
  assert.equal(
    text,
    `retry: 3000\n\nevent: policy\nid: ${one?.revision}\ndata: ${JSON.stringify(one)}\n\n` +
      `event: policy\nid: ${two?.revision}\ndata: ${JSON.stringify(two)}\n\n`
  )
})
