/** The dialects by name. */
import { chatCompletions } from './chat-completions/chat-completions.ts'
import type { Dialect, DialectName } from './dialect.ts'
import { embeddings } from './embeddings.ts'
import { messages } from './messages/messages.ts'
import { responses } from './responses/responses.ts'

export const dialects: Readonly<Record<DialectName, Dialect>> = {
  'chat-completions': chatCompletions,
  messages,
  responses,
  embeddings
}
