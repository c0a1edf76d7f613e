/** Kinds of events that this program writes: the service and its sidecar of calls, its sensors of tools and policies. */

/** Counts by kind keep a place for each of these, whatever kinds a sender makes up. */
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
