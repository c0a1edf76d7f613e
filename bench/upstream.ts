/**
 * The upstream of the benchmark, in a process of its own, and optionally an OpenTelemetry collector: it reads each
 * request to its end and returns a fixed response.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveParent } from './serve-parent.ts'

/** A collector's response, for a Sluice process that exports OpenTelemetry. */
const taken = Buffer.from('{}')

const answers: Record<string, Buffer> = {
  '/v1/traces': taken,
  '/v1/logs': taken,
  '/v1/metrics': taken,
  '/v1/chat/completions': Buffer.from(
    JSON.stringify({
      id: 'chatcmpl-bench',
      object: 'chat.completion',
      created: 1_767_225_600,
      model: 'bench-model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'The test fails on a stale cursor.' },
          finish_reason: 'stop'
        }
      ],
      usage: { prompt_tokens: 500, completion_tokens: 8, total_tokens: 508 }
    })
  ),
  '/v1/messages': Buffer.from(
    JSON.stringify({
      id: 'msg_bench',
      type: 'message',
      role: 'assistant',
      model: 'bench-model',
      content: [{ type: 'text', text: 'The test fails on a stale cursor.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 500, output_tokens: 8 }
    })
  )
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const answer = answers[request.url ?? '']
  request.resume().on('end', () => {
    if (answer === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
  })
})
server.listen(0, '127.0.0.1', () => serveParent({ port: (server.address() as AddressInfo).port }, {}, () => {}))
