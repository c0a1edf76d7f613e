/** An upstream as slow as a fast model, so that a call takes as long as its user would see. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveParent } from './serve-parent.ts'

const answerMs = Number(process.argv[2] ?? 200)
const answer = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'bench-model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 500, completion_tokens: 2, total_tokens: 502 }
})

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().on('end', () => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(answer), answerMs)
  })
})
server.listen(0, '127.0.0.1', () => serveParent({ port: (server.address() as AddressInfo).port }, {}, () => {}))
