/** A third party's mock of both vendors' APIs, so that our understanding of them is not tested against itself. */
import { LLMock, type JournalEntry } from '@copilotkit/aimock'

export interface VendorMock extends AsyncDisposable {
  readonly url: string
  readonly chatBase: string
  /** The calls received since the last `forget`, as JSON texts of their bodies. */
  bodies(): string[]
  journal(): readonly JournalEntry[]
  forget(): void
}

export const mockAnswer = 'The mock has read it.'
export const mockUsage = { inputTokens: 31, outputTokens: 8 }

/** Starts the mock on a free port; it answers every prompt with {@link mockAnswer}, streamed in small pieces. */
export async function startVendorMock(): Promise<VendorMock> {
  const { inputTokens, outputTokens } = mockUsage
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens
  }
  const mock = new LLMock({ host: '127.0.0.1', port: 0, chunkSize: 4, journalMaxEntries: 0 })
  mock.onMessage(/^/, { content: mockAnswer, usage })
  await mock.start()
  return {
    url: mock.url,
    chatBase: `${mock.url}/v1`,
    bodies: () => mock.getRequests().map(({ body }) => JSON.stringify(body)),
    journal: () => mock.getRequests(),
    forget: () => mock.clearRequests(),
    [Symbol.asyncDispose]: () => mock.stop()
  }
}
