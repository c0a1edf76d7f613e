/** Where a text of a request is: what may be done about it, whom it comes from, and how new it is. */

/**
 * What a finding in a text may lead to. `masked`: the profile applies in full. `watched`: only high-risk findings
 * count. `sealed`: text that the vendor rejects unless it arrives byte for byte (signatures, thinking, ids, media).
 */
export const textScopes = ['masked', 'watched', 'sealed'] as const
export type TextScope = (typeof textScopes)[number]

/** Whom a text comes from, as profiles, errors and audit rows name it. */
export const textOrigins = [
  'system',
  'user',
  'document',
  'tool_result',
  'assistant',
  'tool_definition',
  'other'
] as const
export type TextOrigin = (typeof textOrigins)[number]

/** Whose texts are masked unless a profile says otherwise. If values are restored, those of the assistant are too. */
export const maskedOrigins = ['system', 'user', 'document', 'tool_result'] as const satisfies readonly TextOrigin[]

export interface TextPlace {
  readonly scope: TextScope
  readonly origin: TextOrigin
  /**
   * Whether a person has written it since the model last spoke: the last user text of the newest user message.
   * Everything else is history, or comes from a tool or a file, and an agent sends it again with every turn.
   */
  readonly isNewest: boolean
}

/** The place of a text of which only is known that a person supplied it: a file, or text in the playground. */
export const looseText: TextPlace = Object.freeze({ scope: 'masked', origin: 'user', isNewest: true })
