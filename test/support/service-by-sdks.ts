/**
 * A service with a stub upstream, called through the vendors' SDKs: the setup for tests of responses as users read
 * them.
 */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { placeholdersIn } from './placeholder.ts'
import { createPlanter, type Planted } from './planted.ts'
import { publishProfile } from './publish-profile.ts'
import { startTestService, type TestService } from './start-service.ts'
import { startStubUpstream, type Behaviour, type StubUpstream } from './stub-upstream.ts'

interface ServiceBySdks extends AsyncDisposable {
  readonly stub: StubUpstream
  readonly service: TestService
  readonly openai: OpenAI
  readonly anthropic: Anthropic
}

/**
 * Starts all of it; dispose of it in `after`.
 * @param behaviour how the stub responds
 * @param profile the redaction profile in force; the default one if omitted
 */
export async function openServiceBySdks(behaviour: Behaviour, profile?: object): Promise<ServiceBySdks> {
  await using undo = new AsyncDisposableStack()
  const stub = undo.use(await startStubUpstream(behaviour))
  const service = undo.use(await startTestService({ upstream: stub }))
  if (profile) await publishProfile(service, profile)
  const options = { apiKey: service.token, maxRetries: 0 }
  const openai = new OpenAI({ ...options, baseURL: service.sdkBaseUrl })
  const anthropic = new Anthropic({ ...options, baseURL: `${service.url}/api/ingress` })
  const all = undo.move()
  return { stub, service, openai, anthropic, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** A prompt with two values, and responses made of the placeholders that the vendor sees for them. */
export interface Conversation extends ServiceBySdks {
  readonly email: Planted
  readonly phone: Planted
  readonly question: string
  /**
   * Sets the vendor's response from now on and forgets what it has received.
   * @param make one object, or the events of a stream, made from the placeholders of address and number; these are
   *   empty if absent
   * @param end sent after the last event
   */
  answerWith(make: (email: string, phone: string) => object | readonly object[], end?: string): void
}

/**
 * Starts all of it; dispose of it in `after`.
 * @param seed of the values
 * @param profile the redaction profile in force
 */
export async function openConversation(seed: number, profile: object): Promise<Conversation> {
  const planter = createPlanter(seed)
  const [email, phone] = [planter('email'), planter('phone')]
  const started = await openServiceBySdks((_received, res) => void res.end(), profile)
  const { stub } = started
  return {
    ...started,
    email,
    phone,
    question: `${email.sentence} ${phone.sentence}`,
    answerWith(make, end = '') {
      stub.forget()
      stub.behave((received, res) => {
        const [a = '', b = ''] = new Set(placeholdersIn(received.body.toString('utf8')))
        const made = make(a, b)
        if (!Array.isArray(made)) {
          res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(made))
          return
        }
        res.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const frame of made as object[]) {
          const name = 'type' in frame ? `event: ${String(frame.type)}\n` : ''
          res.write(`${name}data: ${JSON.stringify(frame)}\n\n`)
        }
        res.end(end)
      })
    }
  }
}
