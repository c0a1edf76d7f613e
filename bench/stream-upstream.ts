/**
 * The upstream of the stream benchmark, in a process of its own: it streams events at a steady pace in the dialect of
 * the path. Each event contains its number and the time at which it was sent, on the clock that all processes share.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveParent } from './serve-parent.ts'

const [events = 0, everyMs = 0] = process.argv.slice(2).map(Number)

const frame = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`

interface Form {
  readonly piece: (text: string) => string
  readonly last: string
}

const forms: Readonly<Record<string, Form>> = {
  '/v1/chat/completions': {
    piece: (content) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
    last: 'data: [DONE]\n\n'
  },
  '/v1/messages': {
    piece: (text) => frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    last: frame('message_stop', {})
  },
  '/v1/responses': {
    piece: (delta) => frame('response.output_text.delta', { item_id: 'i', output_index: 0, content_index: 0, delta }),
    last: frame('response.completed', { response: { id: 'r', output: [] } })
  }
}

/** A request may ask for fewer events in its metadata. */
const eventsAsked = (body: string): number => Number(/"events":"(\d+)"/.exec(body)?.[1] ?? events)

/** One event in this many repeats the request's placeholder, as a model's answer does. */
const placeholderEvery = 16

function stream(res: ServerResponse, { piece, last }: Form, body: string): void {
  const placeholder = /[A-Z_]+_[A-Z2-7]{10}/.exec(body)?.[0] ?? 'nobody'
  const count = eventsAsked(body)
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  let sent = 0
  function next(): void {
    const said = sent % placeholderEvery === placeholderEvery - 1 ? ` to ${placeholder} ` : ' and so on '
    res.write(piece(`w${sent++}@${process.hrtime.bigint()}${said}`))
    if (sent < count) return
    clearInterval(timer)
    res.end(last)
  }
  const timer = setInterval(next, everyMs)
  res.on('close', () => clearInterval(timer))
  next()
}

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => void chunks.push(chunk))
  req.on('end', () => {
    const form = forms[req.url ?? '']
    const body = Buffer.concat(chunks).toString()
    if (form === undefined) res.writeHead(404).end()
    else if (body.includes('"stream":true')) stream(res, form, body)
    else res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
server.listen(0, '127.0.0.1', 4096, () => serveParent({ port: (server.address() as AddressInfo).port }, {}, () => {}))
