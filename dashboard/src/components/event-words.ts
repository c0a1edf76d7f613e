/** Kinds of events and actions of audit rows, in words; code words stay valid wherever one is asked for. */
import { formatWord } from './format.ts'

/** Those whose words are not simply the code word spelt out. */
const ownWords: Readonly<Record<string, string>> = {
  ingress_proxy: 'Model call',
  ingress_decision: 'Decision before a model call',
  tool_call_enforcement: 'Tool call',
  recording_gap: 'Recording gap',
  gap: 'Records lost',
  link_created: 'Password link created',
  records_expired: 'Records dropped by retention',
  writer_lost: 'Instance ended unexpectedly'
}

export const eventWord = (kind: string): string => ownWords[kind] ?? formatWord(kind)

/** The code word that somebody means: by its words, in any case, or by itself. */
export function eventKindOf(text: string, kinds: readonly string[]): string {
  const wanted = text.trim()
  return kinds.find((kind) => eventWord(kind).toLowerCase() === wanted.toLowerCase()) ?? wanted
}
