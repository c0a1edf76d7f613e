/**
 * What is to happen to a text at each place of a body, derived only from the name of the place and without the
 * dialects' tables, which are compared with this. A place without a rule has not been judged yet.
 */
import type { DialectName } from '../../src/dialects/dialect.ts'
import type { BodyField } from './fields.ts'

/** What happens to personal data in ordinary text there. A high-risk secret is stopped at every place. */
type PlaceScope = 'masked' | 'watched'

/** A value that is left unchanged, or decoded, if it looks like this. */
export type Held = 'id' | 'seal' | 'opaque' | 'signed' | 'media' | 'link' | 'file' | 'archive' | 'json'

interface PlaceRule {
  readonly at: RegExp
  readonly scope: PlaceScope
  readonly why: string
}

const masked = (at: RegExp, why: string): PlaceRule => ({ at, scope: 'masked', why })
const watched = (at: RegExp, why: string): PlaceRule => ({ at, scope: 'watched', why })

const tools = 'tool definitions: an altered schema or name would break the tool call and the prompt cache'
const said = 'assistant turns; masked if answers are restored'
const settings = 'settings of the call: words, names and limits, which the vendor compares'
const credentials =
  'fields meant for passing the vendor a credential: a high-risk one blocks here too, unless the policy allows its value'
const answerForm = 'the format of the answer: an altered schema would change the answer'

/** The first matching rule decides. */
const placeRules: Readonly<Record<DialectName, readonly PlaceRule[]>> = {
  'chat-completions': [
    masked(/^messages\[\]\[role=(?:system|developer)\]/, 'system text'),
    masked(/^messages\[\]\[role=user\]/, 'user text'),
    masked(/^messages\[\]\[role=(?:tool|function)\]/, 'tool results'),
    watched(/^messages\[\]\[role=assistant\]/, said),
    masked(/^prediction\./, 'user text that the answer is expected to repeat'),
    watched(/^(?:tools|functions)\[\]/, tools),
    watched(/^response_format\b/, answerForm),
    watched(/^(?:tool_choice|function_call)\b/, 'tool names, which must match their definitions'),
    watched(
      /^(?:model|audio|metadata|moderation|prompt_cache_key|safety_identifier|stop|user|web_search_options)\b/,
      settings
    )
  ],
  responses: [
    masked(/^instructions$/, 'system text'),
    masked(/^input(?:\[\])?$/, 'user text'),
    masked(/^input\[\]<\w*Message>\[role=(?:system|developer)\]/, 'system text'),
    masked(/^input\[\]<\w*Message>\[role=user\]/, 'user text'),
    watched(/^input\[\]<\w*Message>\[role=assistant\]/, said),
    watched(/^input\[\]\[type=message,role=assistant\]/, said),
    masked(/^input\[\]\[type=mcp_approval_response\]/, 'user text'),
    watched(/^input\[\]\[type=(?:additional_tools,role=developer|mcp_list_tools|tool_search_output)\]/, tools),
    masked(/^input\[\]\[type=\w+_output\]/, 'tool results'),
    masked(/^input\[\]\[type=(?:mcp|file_search|code_interpreter)_call\]/, 'calls that contain their results'),
    masked(/^input\[\]\[type=agent_message\]/, 'messages from another agent'),
    watched(
      /^input\[\]\[type=(?:\w+_call|mcp_approval_request|program|reasoning|compaction|compaction_trigger)\]/,
      said
    ),
    watched(/^input\[\]\[type=configuration_update\]/, answerForm),
    masked(/^input\[\]<ItemReference>/, 'an item without a type'),
    masked(/^prompt\./, 'user text for the variables of a stored prompt'),
    watched(/^tools\[\].*\.(?:authorization|headers\.\*|domain_secrets\[\]\.value)$/, credentials),
    watched(/^tools\[\]/, tools),
    watched(/^text\b/, answerForm),
    watched(/^tool_choice\b/, 'tool names, which must match their definitions'),
    watched(
      /^(?:background_options|context_management|conversation|metadata|model|moderation|previous_response_id|prompt_cache_key|prompt_cache_options|reasoning|safety_identifier|user)\b/,
      settings
    )
  ],
  embeddings: [masked(/^input(?:\[\])?$/, 'user text'), watched(/^(?:model|user)$/, settings)],
  messages: [
    masked(/^system\b/, 'system text'),
    watched(/^messages\[\].*\[type=(?:tool_addition|tool_removal|mcp_tool_listing)\]/, tools),
    masked(/^messages\[\]\[role=system\]/, 'system text'),
    masked(/^messages\[\]\[role=user\]/, 'user text, documents and tool results'),
    watched(/^messages\[\]\[role=assistant\]/, said),
    masked(
      /^(?:compaction|context_management)\b/,
      'instructions for summarising the conversation, treated like system text'
    ),
    watched(/^tools\[\]/, tools),
    watched(/^mcp_servers\[\]\.authorization_token$/, credentials),
    watched(/^(?:output_config|output_format)\b/, answerForm),
    watched(/^tool_choice\b/, 'tool names, which must match their definitions'),
    watched(
      /^(?:container|diagnostics|fallback_credit_token|fallbacks|inference_geo|mcp_servers|metadata|model|stop_sequences|thread)\b/,
      settings
    )
  ]
}

interface HeldRule {
  readonly at: RegExp
  readonly held: Held
  readonly dialect?: DialectName
}

/** The first matching rule decides; a place without one only holds ordinary text. */
const heldRules: readonly HeldRule[] = [
  { at: /\[role=assistant\].*\[type=thinking\]\.thinking$/, held: 'signed' },
  { at: /\[role=assistant\]\.content\[\]\[type=compaction\]\.content$/, held: 'signed' },
  { at: /\[role=assistant\].*\[type=redacted_thinking\]\.data$/, held: 'seal' },
  { at: /\[role=assistant\].*\[type=thinking\]\.signature$/, held: 'seal' },
  { at: /\[type=compaction\]\.signature$/, held: 'seal' },
  { at: /\.encrypted_\w+$/, held: 'seal' },
  { at: /^fallback_credit_token(?:\.token)?$|\.fingerprint$/, held: 'opaque' },
  { at: /\.source\[type=base64\]\.data$|\.input_audio\.data$|\[type=image_generation_call\]\.result$/, held: 'media' },
  { at: /\[type=inline\]\.source\.data$/, held: 'archive' },
  { at: /\.file_data$/, held: 'file' },
  {
    at: /\.(?:image_url|file_url|image_url\.url|source\[type=url\]\.url)$|\.outputs\[\]\[type=image\]\.url$/,
    held: 'link'
  },
  { at: /\.(?:arguments|function_call\.arguments)$/, held: 'json' },
  // The names of tools in a masked text must equal those in their definitions.
  { at: /^context_management\.edits\[\].*\.(?:exclude_tools|clear_tool_inputs)\[\]$/, held: 'id' },
  { at: /^prompt\.version$|\.skills\[\].*\.version$/, held: 'id' },
  { at: /^(?:conversation|container)$|^tools.*\.container$|\.tools\[\].*\.container$/, held: 'id' },
  { at: /(?:^|[._])ids?(?:\[\])?$/, held: 'id' }
]

/** Ids, by their names, that a client chooses and that may contain e-mail addresses. */
const madeUpIds = /^(?:metadata\.user_id|background_options\.continuation_id)$/

export interface Judgement {
  readonly scope: PlaceScope
  readonly why: string
  readonly held: Held | undefined
}

/** @returns what is to happen at a place, or undefined if it has not been judged */
export function judge({ dialect, path }: Pick<BodyField, 'dialect' | 'path'>): Judgement | undefined {
  const rule = placeRules[dialect].find(({ at }) => at.test(path))
  if (rule === undefined) return undefined
  const held = madeUpIds.test(path) ? undefined : heldRules.find(({ at }) => at.test(path))?.held
  return { scope: rule.scope, why: rule.why, held }
}
