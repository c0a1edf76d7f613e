/** Where a text of a request stands: what the wire allows to be done about it, whom it speaks for, and how new it is. */

/**
 * What a finding in a text may lead to. `masked`: the profile acts in full. `watched`: only high-risk finds act.
 * `sealed`: what must arrive byte for byte or the vendor refuses it (signatures, thinking, ids, media).
 */
export const textScopes = ['masked', 'watched', 'sealed'] as const
export type TextScope = (typeof textScopes)[number]

/** Who a text speaks for, as profiles, errors and audit rows name it. */
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

export interface TextPlace {
  readonly scope: TextScope
  readonly origin: TextOrigin
  /**
   * Whether a person wrote it since the model last spoke: the last user text of the newest user message. Everything else is
   * history, or was brought by a tool or a file, and an agent sends it again with every turn.
   */
  readonly isNewest: boolean
}

/** The place of a text of which nothing is known but that a person gave it: a file, the text of a playground. */
export const looseText: TextPlace = Object.freeze({ scope: 'masked', origin: 'user', isNewest: true })
