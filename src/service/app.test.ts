/** Requests that the framework would answer itself, and a shutdown during our own endpoints' work. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startTestService, type TestService } from '../../test/support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../../test/support/stub-upstream.ts'
import { answers } from '../../test/support/upstream-behaviours.ts'

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] })
const planted = 'ana.canary@quillmark.example'

interface Answer {
  readonly status: number
  readonly head: string
  readonly text: string
}

function open(service: TestService, line: string, headers: readonly string[] = []): Socket {
  const socket = connect(service.running.port, '127.0.0.1')
  const all = [`${line} HTTP/1.1`, 'host: localhost', `x-service-workspace-token: ${service.token}`, ...headers]
  socket.on('error', () => undefined).setEncoding('utf8')
  socket.write(`${all.join('\r\n')}\r\n\r\n`)
  return socket
}

async function answerOn(socket: Socket): Promise<Answer> {
  let received = ''
  socket.on('data', (text: string) => void (received += text))
  await once(socket, 'close')
  const [head = '', text = ''] = received.split('\r\n\r\n', 2)
  return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), text }
}

describe('the application', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())

  function ask(line: string, headers: readonly string[] = [], content = ''): Promise<Answer> {
    const length = content === '' ? [] : [`content-length: ${Buffer.byteLength(content)}`]
    const socket = open(service, line, [...headers, ...length, 'connection: close'])
    socket.write(content)
    return answerOn(socket)
  }

  test('the ingress ignores the content type', async () => {
    for (const contentType of ['', ';;;', 'a b', 'text/plain']) {
      const answer = await ask('POST /api/ingress/v1/chat/completions', [`content-type: ${contentType}`], body)
      assert.equal(answer.status, 200, `${contentType}: ${answer.text}`)
    }
  })

  test('our own endpoints refuse an invalid content type', async () => {
    for (const contentType of [';;;', 'a b']) {
      const answer = await ask('POST /api/events', [`content-type: ${contentType}`], '{}')
      assert.equal(answer.status, 415, answer.text)
      assert.match(answer.text, /"code":"unsupported_media_type"/)
    }
  })

  test('events are accepted however their path is written, with the same checks', async () => {
    const json = ['content-type: application/json']
    const event = JSON.stringify({ kind: 'sensor_note' })
    for (const path of ['/api/events', '/api/events?', '/api/%65vents', 'http://elsewhere.example/api/events']) {
      const answer = await ask(`POST ${path}`, json, event)
      assert.equal(answer.status, 202, `${path}: ${answer.text}`)
    }
    for (const path of ['/api/events?validate=1', '/api/%65vents?%76alidate=true']) {
      const answer = await ask(`POST ${path}`, json, event)
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    }
    for (const query of [
      'validate',
      'validate=2',
      'validate=1&validate=1',
      'valid=1',
      '__proto__=1',
      'validate=1&x='
    ]) {
      const answer = await ask(`POST /api/events?${query}`, json, event)
      assert.equal(answer.status, 400, `${query}: ${answer.text}`)
      assert.match(answer.text, /"code":"invalid_value"/)
      assert.match(answer.head, /content-type: application\/problem\+json; charset=utf-8/)
    }
    assert.equal((await ask('POST /api/events/', json, event)).status, 404)
  })

  test('a call of an SDK whose base URL lacks the path gets an error that names the path, in its vendor’s format', async () => {
    const shapes = {
      '/chat/completions': /^\{"error":\{"message":/,
      '/v1/chat/completions': /^\{"error":\{"message":/,
      '/v1/v1/chat/completions': /^\{"error":\{"message":/,
      '/api/v1/responses?a=b': /^\{"error":\{"message":/,
      '/v1/messages': /^\{"type":"error","error":\{"type":"not_found_error","message":/,
      '/v1/messages/count_tokens': /^\{"type":"error","error":\{"type":"not_found_error","message":/
    }
    for (const [path, shape] of Object.entries(shapes)) {
      const answer = await ask(`POST ${path}`, [], body)
      assert.equal(answer.status, 404, path)
      assert.match(answer.text, shape)
      assert.match(
        answer.text,
        /Set the base URL to \/api\/ingress\/v1\. Served below it, and nothing else, are \/chat/
      )
      assert.ok(!answer.text.includes(planted))
    }
    assert.match((await ask('GET /v1/models')).text, /^\{"error":\{"message":"There is no model API at this path/)
    for (const other of ['POST /v1/files', 'GET /models', 'GET /v1/chat/completions', 'POST /api/messages/x']) {
      assert.match((await ask(other, [], body)).text, /"title":"Not Found"/, other)
    }
  })

  test('a model API that is not served is not blamed on the base URL', async () => {
    const unserved = (await ask('POST /api/ingress/v1/images/generations', [], body)).text
    assert.match(unserved, /at this path\. Served below \/api\/ingress\/v1, and nothing else, are \/chat/)
    const misplaced = (await ask('POST /api/ingress/openai/v1/chat/completions', [], body)).text
    assert.match(misplaced, /at this path\. Set the base URL to \/api\/ingress\/v1\. Served below it/)
  })

  test('a path that cannot be decoded gets a 404 that does not repeat it', async () => {
    const ingress = await ask(`POST /api/ingress/v1/%ZZ${planted}`, [], body)
    assert.match(ingress.text, /^\{"error":\{"message":"There is no model API at this path/)
    const own = await ask(`GET /${planted}%zz`)
    assert.match(own.text, /"code":"not_found"/)
    assert.match(own.head, /content-type: application\/problem\+json/)
    for (const answer of [ingress, own]) {
      assert.equal(answer.status, 404)
      assert.match(answer.head, /\r\nx-request-id: [0-9a-f-]{36}/)
      assert.ok(!`${answer.head}${answer.text}`.includes(planted))
    }
  })

  test('a target in absolute form means its path', async () => {
    const answer = await ask('POST http://elsewhere.example/api/ingress/v1/chat/completions', [], body)
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await ask('GET http://elsewhere.example/livez')).status, 200)
    assert.equal((await ask('GET http://elsewhere.example/nowhere')).status, 421)
    assert.equal((await ask('GET http://elsewhere.example')).status, (await ask('GET /')).status)
  })

  test('another method on one of our paths gets a 405 that lists the right ones', async () => {
    for (const [line, allow] of [
      ['PUT /api/events', 'get, head, post'],
      ['POST /api/audit?requestId=x', 'get, head'],
      ['DELETE /livez', 'get, head'],
      ['POST /readyz', 'get, head'],
      ['POST /api/tokens/abcdefgh', 'delete'],
      ['GET /api/users/abcdefgh/link', 'post'],
      ['GET /api/workspace/policy/lint', 'post'],
      ['PUT /api/workspace/policy/revisions/1', 'get, head']
    ] as const) {
      const answer = await ask(line)
      assert.equal(answer.status, 405, `${line}: ${answer.text}`)
      assert.ok(`${answer.head}\r\n`.includes(`\r\nallow: ${allow}\r\n`), answer.head)
      assert.match(answer.text, /"code":"method_not_allowed"/)
    }
    for (const nowhere of ['/api/nothing', '/api/tokens/', '/api/tokens/a/b'])
      assert.equal((await ask(`PUT ${nowhere}`)).status, 404, nowhere)
  })

  test('a stream answers HEAD with 405, because the answer would never end', async () => {
    for (const path of ['/api/workspace/policy-stream', '/api/events/tail']) {
      const answer = await ask(`HEAD ${path}`, [`x-service-workspace-token: ${service.token}`])
      assert.equal(answer.status, 405, path)
      assert.match(answer.head, /^allow: get\r?$/m)
    }
  })

  test('readiness lists what it checked', async () => {
    const answer = await ask('GET /readyz')
    assert.deepEqual(JSON.parse(answer.text), {
      status: 'ok',
      checks: { draining: 'ok', store: 'ok', recording: 'ok', space: 'ok' }
    })
  })
})

test('a shutdown waits for an event that is being sent, and refuses the next', async () => {
  await using service = await startTestService()
  const event = JSON.stringify({ kind: 'sensor_note' })
  const headers = ['content-type: application/json', `content-length: ${event.length}`]
  const sending = open(service, 'POST /api/events', headers)
  const sent = answerOn(sending)
  sending.write(event.slice(0, 5))
  // An answer on a later connection proves that the service has seen the earlier one.
  await answerOn(open(service, 'GET /livez', ['connection: close']))
  const closing = service.running.close()
  const refused = await answerOn(open(service, 'GET /api/audit', ['connection: close']))
  assert.equal(refused.status, 503, refused.text)
  assert.match(refused.text, /"code":"draining"/)
  sending.write(event.slice(5))
  assert.equal((await sent).status, 202)
  await closing
})
