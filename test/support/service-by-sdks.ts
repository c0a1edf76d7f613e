/** A service before a stub of the vendors, and the vendors' SDKs in front of it: what tests of answers as users read them need. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { publishProfile } from './publish-profile.ts'
import { startTestService, type TestService } from './start-service.ts'
import { startStubUpstream, type Behaviour, type StubUpstream } from './stub-upstream.ts'

export interface ServiceBySdks extends AsyncDisposable {
  readonly stub: StubUpstream
  readonly service: TestService
  readonly openai: OpenAI
  readonly anthropic: Anthropic
}

/**
 * Starts all of it; dispose of it in `after`.
 * @param behaviour what the stub answers
 * @param profile the redaction profile in force; the usual one where it is left out
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
