/** A model that answers by a script, in the formats of three APIs, and keeps what it received. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { startStubUpstream, type Received, type StubUpstream } from '../../../test/support/stub-upstream.ts'
import { chatForm } from './chat.ts'
import { messagesForm } from './messages.ts'
import { responsesForm } from './responses.ts'
import type { Api, ApiForm, Json, Reply, Turn } from './turn.ts'

const forms: Readonly<Record<Api, ApiForm>> = {
  'chat-completions': chatForm,
  messages: messagesForm,
  responses: responsesForm
}

/** By the path that Sluice calls. */
const apiOf: Readonly<Record<string, Api>> = {
  '/v1/chat/completions': 'chat-completions',
  '/v1/messages': 'messages',
  '/v1/responses': 'responses'
}

export type Script = (turn: Turn) => Reply

export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** Every request since the script was set. */
  readonly received: readonly Received[]
  /** Every turn since the script was set. */
  readonly turns: readonly Turn[]
  follow(script: Script): void
}

/** Long enough for Sluice, as configured here, to send a keep-alive in between. */
const silenceMs = 400

const greeting: Script = () => ({ text: 'Hello.' })

export async function startModel(): Promise<ScriptedModel> {
  let script = greeting
  let count = 0
  const turns: Turn[] = []
  const stub: StubUpstream = await startStubUpstream(async ({ url, body }, res) => {
    const path = url.replace(/\?.*/, '')
    const api = apiOf[path]
    if (api === undefined) return answer(res, path.endsWith('/count_tokens') ? { input_tokens: 12 } : models)
    const turn = forms[api].read(JSON.parse(body.toString('utf8')) as Json)
    turns.push(turn)
    const reply = script(turn)
    const id = `interop${++count}`
    if (!turn.stream) return answer(res, forms[api].whole(reply, turn, id))
    await stream(res, forms[api].frames(reply, turn, id))
  })
  return {
    url: stub.url,
    received: stub.received,
    turns,
    follow(next) {
      script = next
      stub.forget()
      turns.length = 0
    },
    [Symbol.asyncDispose]: () => stub.close()
  }
}

/** The only other request that clients send. */
const models = { object: 'list', data: [], has_more: false, first_id: null, last_id: null }

function answer(res: ServerResponse, body: Json): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function stream(res: ServerResponse, [first = '', ...rest]: readonly string[]): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' }).write(first)
  await sleep(silenceMs)
  for (const frame of rest) res.write(frame)
  res.end()
}
