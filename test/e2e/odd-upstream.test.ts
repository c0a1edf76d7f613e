/**
 * Upstreams with responses that no vendor should send: each is passed on faithfully or becomes an error that the
 * client's SDK understands. Nothing crashes, nothing hangs, and the next call is served. With restore off and on.
 */
import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { dialectNames, userBody, vendorError, type TestedDialect } from '../support/dialects.ts'
import type { Reply } from '../support/http.ts'
import { placeholdersIn } from '../support/placeholder.ts'
import { createPlanter, type Planted } from '../support/planted.ts'
import { publishProfile } from '../support/publish-profile.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

const planter = createPlanter(401)

/** Responds to a call, whose body has arrived, by writing to the raw socket. */
type RawAnswer = (socket: Socket, body: string) => void

/** An upstream that writes arbitrary bytes, HTTP or not. */
async function startRawUpstream() {
  let answer: RawAnswer = (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let seen = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      seen += text
      const bodyAt = seen.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(seen)?.[1] ?? 0)
      if (bodyAt < 4 || Buffer.byteLength(seen.slice(bodyAt)) < length) return
      const body = seen.slice(bodyAt)
      seen = ''
      answer(socket, body)
    })
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(next: RawAnswer) {
      answer = next
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}

const response = (head: readonly string[], body: string | Buffer = ''): Buffer =>
  Buffer.concat([Buffer.from([...head, 'connection: close', '', ''].join('\r\n')), Buffer.from(body)])
const ok = (type: string, body: string | Buffer, ...more: readonly string[]): Buffer =>
  response(['HTTP/1.1 200 OK', `content-type: ${type}`, ...more], body)
const chunked = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part)
      return [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]
    })
  )

/** One event with a text, in the dialect's form. */
const textEvent: Record<TestedDialect, (text: string) => string> = {
  'chat-completions': (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
  messages: (text) =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n\n`
}

interface Seen {
  readonly reply: Reply
  readonly dialect: TestedDialect
  readonly isRestored: boolean
  readonly email: Planted
  /** Replaces the e-mail address upstream. */
  readonly placeholder: string
}

interface Odd {
  readonly name: string
  readonly answer: (dialect: TestedDialect, placeholder: string) => Buffer
  readonly check: (seen: Seen) => void
}

const sse = 'text/event-stream'

function isError({ reply, dialect }: Seen, status: number, code: string): void {
  assert.equal(reply.status, status, reply.text)
  assert.equal(vendorError(dialect, reply).code, code)
}
/** The text that the client should read: what the model wrote, restored if that is on. */
const told = ({ isRestored, email, placeholder }: Seen): string => (isRestored ? email.value : placeholder)
function passes(seen: Seen, body: (told: string) => string): void {
  assert.equal(seen.reply.status, 200, seen.reply.text)
  assert.equal(seen.reply.text, body(told(seen)))
}
/** Complete events arrive unchanged, followed by the dialect's error event. */
function breaksOff({ reply, dialect }: Seen, begin: string): void {
  assert.equal(reply.status, 200)
  assert.ok(reply.text.startsWith(begin), reply.text)
  const rest = reply.text.slice(begin.length)
  assert.match(rest, dialect === 'messages' ? /^event: error\ndata: \{.*\}\n\n$/ : /^data: \{"error":.*\}\n\n$/)
  assert.match(rest, /upstream_failed/)
  // SDKs show only this message.
  assert.match(
    rest,
    RegExp(
      `"message":"The upstream broke off[^"]* Send the request again\\. [^"]* Request ID ${reply.headers['x-request-id']}\\."`
    )
  )
}

const bigText = 'y'.repeat(1_500_000)
const invalid = Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0x20, 0xff, 0xfe, 0xc3, 0x0a, 0x0a])

const cases: readonly Odd[] = [
  {
    name: 'HTML where a stream was asked for',
    answer: () => ok('text/html', '<h1>It works</h1>'),
    check: (seen) => passes(seen, () => '<h1>It works</h1>')
  },
  {
    name: 'JSON where a stream was asked for',
    answer: (_, placeholder) => ok('application/json', JSON.stringify({ odd: placeholder })),
    check: (seen) => assert.equal(seen.reply.text, JSON.stringify({ odd: seen.placeholder }))
  },
  {
    name: 'a stream that is none',
    answer: () => ok(sse, 'Hello, this is no event at all'),
    check: (seen) => passes(seen, () => 'Hello, this is no event at all')
  },
  {
    name: 'an empty stream',
    answer: () => ok(sse, '', 'content-length: 0'),
    check: (seen) => passes(seen, () => '')
  },
  {
    name: 'a redirect',
    answer: () => response(['HTTP/1.1 302 Found', 'location: http://127.0.0.1:9/elsewhere']),
    check: (seen) => {
      isError(seen, 502, 'upstream_failed')
      assert.equal(seen.reply.headers['location'], undefined)
    }
  },
  {
    name: 'early hints before the answer',
    answer: (dialect, placeholder) =>
      Buffer.concat([
        Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n'),
        ok(sse, textEvent[dialect](`${placeholder} `))
      ]),
    check: (seen) => passes(seen, (text) => textEvent[seen.dialect](`${text} `))
  },
  {
    name: 'leave to continue that nobody asked for',
    answer: (dialect, placeholder) =>
      Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), ok(sse, textEvent[dialect](`${placeholder} `))]),
    check: (seen) => passes(seen, (text) => textEvent[seen.dialect](`${text} `))
  },
  {
    name: 'trailers behind the answer',
    answer: (dialect, placeholder) =>
      ok(
        sse,
        Buffer.concat([chunked(textEvent[dialect](`to ${placeholder}.`)), Buffer.from('0\r\nx-checksum: 1\r\n\r\n')]),
        'transfer-encoding: chunked',
        'trailer: x-checksum'
      ),
    check: (seen) => {
      passes(seen, (text) => textEvent[seen.dialect](`to ${text}.`))
      assert.equal(seen.reply.headers['trailer'], undefined)
    }
  },
  {
    name: 'invalid UTF-8 in the middle of a stream',
    answer: (dialect, placeholder) =>
      ok(
        sse,
        Buffer.concat([
          Buffer.from(textEvent[dialect]('a ')),
          invalid,
          Buffer.from(textEvent[dialect](`${placeholder} `))
        ])
      ),
    check: (seen) => {
      const event = textEvent[seen.dialect]
      const expected = Buffer.concat([Buffer.from(event('a ')), invalid, Buffer.from(event(`${told(seen)} `))])
      assert.deepEqual(seen.reply.bytes, expected)
    }
  },
  {
    name: 'an event over the bound',
    answer: (dialect, placeholder) => ok(sse, textEvent[dialect](bigText) + textEvent[dialect](`${placeholder} `)),
    check: (seen) => passes(seen, (text) => textEvent[seen.dialect](bigText) + textEvent[seen.dialect](`${text} `))
  },
  {
    name: 'line ends of three kinds in one stream',
    answer: (dialect, placeholder) =>
      ok(
        sse,
        `${textEvent[dialect]('a ').replaceAll('\n', '\r\n')}data: 1\r\rdata: 2\n\r\n${textEvent[dialect](`${placeholder} `)}`
      ),
    check: (seen) => {
      const event = textEvent[seen.dialect]
      passes(seen, (text) => `${event('a ').replaceAll('\n', '\r\n')}data: 1\r\rdata: 2\n\r\n${event(`${text} `)}`)
    }
  },
  {
    name: 'an end in the middle of an event',
    answer: (dialect) =>
      ok(sse, chunked(textEvent[dialect]('a'), textEvent[dialect]('b').slice(0, 20)), 'transfer-encoding: chunked'),
    check: (seen) => breaksOff(seen, textEvent[seen.dialect]('a'))
  },
  {
    name: 'an end in the middle of a placeholder',
    answer: (dialect, placeholder) =>
      ok(sse, chunked(textEvent[dialect](placeholder.slice(0, 8))), 'transfer-encoding: chunked'),
    check: (seen) => breaksOff(seen, textEvent[seen.dialect](seen.placeholder.slice(0, 8)))
  },
  {
    name: 'a body shorter than it was announced',
    answer: (dialect) => ok(sse, textEvent[dialect]('a'), 'content-length: 9999'),
    check: (seen) => breaksOff(seen, textEvent[seen.dialect]('a'))
  },
  {
    name: 'a compressed stream that nobody asked for',
    answer: (dialect) => ok(sse, gzipSync(textEvent[dialect]('a')), 'content-encoding: gzip'),
    check: (seen) => {
      assert.equal(seen.reply.headers['content-encoding'], 'gzip')
      assert.deepEqual(seen.reply.bytes, gzipSync(textEvent[seen.dialect]('a')))
    }
  },
  {
    name: 'a promise of another protocol',
    answer: () => response(['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade']),
    check: (seen) => isError(seen, 502, 'upstream_failed')
  },
  {
    name: 'no HTTP at all',
    answer: () => Buffer.from('SSH-2.0-OpenSSH_9.9\r\n'),
    check: (seen) => isError(seen, 502, 'upstream_failed')
  },
  {
    name: 'an answer that ends before its head does',
    answer: () => Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/ev'),
    check: (seen) => isError(seen, 502, 'upstream_failed')
  },
  {
    name: 'headers without end',
    answer: () => response(['HTTP/1.1 200 OK', ...Array.from({ length: 3000 }, (_, i) => `x-${i}: ${'z'.repeat(60)}`)]),
    check: (seen) => isError(seen, 502, 'upstream_failed')
  },
  {
    name: 'two lengths that contradict each other',
    answer: () => response(['HTTP/1.1 200 OK', 'content-length: 5', 'content-length: 7'], 'hello'),
    check: (seen) => isError(seen, 502, 'upstream_failed')
  }
]

for (const isRestored of [false, true]) {
  describe(`odd upstreams, restore ${isRestored ? 'on' : 'off'}`, () => {
    const running = new AsyncDisposableStack()
    let upstream: Awaited<ReturnType<typeof startRawUpstream>>
    let service: TestService
    before(async () => {
      upstream = running.use(await startRawUpstream())
      service = running.use(await startTestService({ upstream }))
      await publishProfile(service, { restore: { enabled: isRestored } })
    })
    after(() => running.disposeAsync())

    for (const { name, answer, check } of cases) {
      test(name, async () => {
        for (const dialect of dialectNames) {
          const email = planter('email')
          let placeholder = ''
          upstream.answer((socket, body) => {
            placeholder = placeholdersIn(body)[0] ?? ''
            socket.end(answer(dialect, placeholder))
          })
          const reply = await service.send(dialect, userBody(dialect, email.sentence, { stream: true }))
          check({ reply, dialect, isRestored, email, placeholder })
          upstream.answer((socket) => socket.end(ok('application/json', '{"choices":[],"content":[]}')))
          const next = await service.send(dialect, userBody(dialect, 'Still there?'))
          assert.equal(next.status, 200, next.text)
        }
      })
    }
  })
}
