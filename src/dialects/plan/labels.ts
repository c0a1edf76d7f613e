/** Who speaks in a part of a body, and what may be done about its texts. */
import type { PartSpec } from './shape.ts'

type Label = PartSpec['label']

export const system: Label = { scope: 'masked', origin: 'system' }
export const user: Label = { scope: 'masked', origin: 'user' }
export const documents: Label = { scope: 'masked', origin: 'document' }
export const toolResult: Label = { scope: 'masked', origin: 'tool_result' }
export const assistant: Label = { scope: 'watched', origin: 'assistant' }
export const toolDefinition: Label = { scope: 'watched', origin: 'tool_definition' }
/** Messages of unknown speakers. */
export const other: Label = { scope: 'masked', origin: 'other' }
/** Settings. */
export const rest: Label = { scope: 'watched', origin: 'other' }
