/**
 * Kinds of events that Sluice itself writes: the service and its sidecar about calls, its sensors about tools and
 * policies.
 */

/** Counts by kind reserve a place for each of these, whatever kinds senders invent. */
export const ownKinds: ReadonlySet<string> = new Set([
  'ingress_proxy',
  'recording_gap',
  'ingress_block',
  'ingress_refused',
  'ingress_unanswered',
  'tool_call_enforcement',
  'tool_answer_masked',
  'client_words_enforcement',
  'tool_inventory',
  'tool_drift',
  'policy_applied',
  'policy_rejected',
  'events_dropped'
])
