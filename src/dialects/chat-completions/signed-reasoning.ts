/**
 * What other vendors' models add to an answer over this API and reject if it is returned altered: signed reasoning, and
 * signatures of calls. The vendor's own types have none of it. Sources: LiteLLM's `thinking_blocks`, OpenRouter's
 * `reasoning_details`, and "Thought Signatures" in the documentation of the Gemini API.
 */
import type { ShapeSpec } from '../plan/shape.ts'

/** Shapes for fields of an assistant message, and of the calls in it. */
export const signedReasoning: Readonly<Record<string, ShapeSpec>> = {
  thought: {
    fields: { type: 'word' },
    types: {
      thinking: { fields: { thinking: 'signed', signature: 'seal' } },
      redacted_thinking: { fields: { data: 'seal' } }
    }
  },
  reasoningDetail: {
    fields: { type: 'word', id: 'id', format: 'word' },
    types: {
      'reasoning.text': { fields: { text: 'signed', signature: 'seal' } },
      'reasoning.encrypted': { fields: { data: 'seal' } },
      'reasoning.summary': {}
    }
  },
  extras: { fields: { google: 'signatures', vertex: 'signatures' } },
  signatures: { fields: { thought_signature: 'seal', thought_signatures: 'seal' } }
}
