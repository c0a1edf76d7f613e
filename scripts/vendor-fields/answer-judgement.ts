/**
 * Where a placeholder in an answer is restored, derived only from the name of the place: in what the client shows as
 * the model's words, and in the arguments of tools that the client runs. A place without a rule has not been judged
 * yet.
 */
import type { DialectName } from '../../src/dialects/dialect.ts'
import type { AnswerField } from './fields.ts'

/** Combines patterns: a place begins with one of the first and ends with one of the second. */
const places = (beginnings: readonly string[], ends: readonly string[]): RegExp =>
  new RegExp(`^(?:${beginnings.join('|')})(?:${ends.join('|')})$`)
const raw = String.raw

const restored: Readonly<Partial<Record<DialectName, readonly RegExp[]>>> = {
  'chat-completions': [
    places(
      [raw`choices\[\]\.message\.`, raw`choices\[\]\.delta\[role=\w+\]\.`],
      [
        'content|refusal',
        raw`audio\.transcript`,
        raw`function_call\.arguments`,
        raw`tool_calls\[\](?:\[type=\w+\])?\.(?:function\.arguments|custom\.input)`
      ]
    )
  ],
  responses: [
    places(
      [
        raw`output\[\]`,
        raw`\[type=response\.completed\]\.response\.output\[\]`,
        raw`\[type=response\.output_item\.\w+\]\.item`
      ],
      [
        raw`\[type=message,role=assistant\]\.content\[\]\[type=output_text\]\.text`,
        raw`\[type=message,role=assistant\]\.content\[\]\[type=refusal\]\.refusal`,
        raw`\[type=function_call\]\.arguments`,
        raw`\[type=custom_tool_call\]\.input`,
        raw`\[type=(?:shell_call|local_shell_call|computer_call)\]\.actions?[.[].*`,
        raw`\[type=apply_patch_call\]\.operation\[.*`,
        // Only if the client is to search; see the tests of the dialect.
        raw`\[type=tool_search_call\]\.arguments`
      ]
    ),
    places(
      [raw`\[type=response\.content_part\.\w+\]\.part`],
      [raw`\[type=output_text\]\.text`, raw`\[type=refusal\]\.refusal`]
    ),
    places(
      [raw`\[type=response\.`],
      [
        raw`output_text\.(?:delta\]\.delta|done\]\.text)`,
        raw`refusal\.(?:delta\]\.delta|done\]\.refusal)`,
        raw`audio\.transcript\.delta\]\.delta`,
        raw`function_call_arguments\.(?:delta\]\.delta|done\]\.arguments)`,
        raw`custom_tool_call_input\.(?:delta\]\.delta|done\]\.input)`,
        raw`shell_call_command\.(?:delta\]\.delta|(?:added|done)\]\.command)`
      ]
    )
  ],
  messages: [
    places(
      [raw`content\[\]`, raw`\[type=content_block_start\]\.content_block`],
      [raw`\[type=text\]\.text`, raw`\[type=tool_use\]\.input`]
    ),
    places([raw`\[type=content_block_delta\]\.delta`], [raw`\[type=text_delta\]\.text`])
  ]
}

interface LeftRule {
  readonly at: RegExp
  readonly why: string
}

/** The first matching rule says why a place is not restored. */
const left: readonly LeftRule[] = [
  {
    at: /(?:^|\.)(?:id|\w+_ids?(?:\[\])?|model|\w+_model|name|\w+_names?(?:\[\])?|namespace|created_by|author|recipient|version|\w*fingerprint|server_label|skill_id)$/,
    why: 'a name or an id'
  },
  {
    at: /(?:^|\.)(?:signature|encrypted_\w+|fallback_credit_token|obfuscation|data|file_data|partial_image_b64|result)$|\.image_url$/,
    why: 'sealed, or a picture or a sound'
  },
  {
    at: /\[type=(?:thinking|thinking_delta|redacted_thinking|reasoning)\]|\[type=response\.reasoning_\w+\.\w+\]|\[type=(?:reasoning|summary)_text\]/,
    why: 'reasoning'
  },
  { at: /\[type=(?:compaction|compaction_delta)\]\.(?:content|tool_changes\b)/, why: 'a summary under a signature' },
  {
    at: /\.(?:citations\[\]|citation|annotations?(?:\[\])?)(?:$|[.[])|\.logprobs\b|\.top_logprobs\b/,
    why: 'what an answer says about its text (decision 62)'
  },
  {
    at: /(?:^|\.response\.)(?:tools\[\]|(?:instructions|metadata|tool_choice|text|prompt|prompt_cache_key|prompt_cache_options|user|safety_identifier|reasoning|conversation)\b)/,
    why: 'an echo of the request'
  },
  {
    at: /(?:^|\.)(?:error|moderation|stop_details|pending_safety_checks\[\]|acknowledged_safety_checks\[\])[.[]|\.(?:error|error_message)$/,
    why: 'what the vendor says of the call'
  },
  {
    at: /\[type=(?:additional_tools|tool_search_output|mcp_list_tools|mcp_tool_listing|tool_addition|tool_removal)\]/,
    why: 'definitions of tools'
  },
  {
    at: /\[type=(?:server_tool_use|mcp_tool_use|\w+_tool_result|mcp_call|mcp_approval_request|web_search_call|file_search_call|code_interpreter_call|image_generation_call|program|program_output|multi_agent_call|multi_agent_call_output|agent_message)\]/,
    why: 'calls of tools that the vendor runs, and what they brought'
  },
  {
    at: /\[type=response\.(?:mcp_call_arguments|code_interpreter_call_code|image_generation_call|shell_call_output_content)\b/,
    why: 'calls of tools that the vendor runs, and what they brought'
  },
  {
    at: /\[type=(?:\w+_call_output|mcp_approval_response|message\]\[role=\w+)\]|\[type=configuration_update\]/,
    why: 'what the client sent'
  },
  { at: /(?:^|\.response\.)output_text$/, why: 'made by the SDK out of the output' },
  {
    at: /\[type=input_json_delta\]\.partial_json$/,
    why: 'a piece of a call, put back where its begin named a tool of the client’s'
  },
  { at: /\[type=message_start\]\.message\./, why: 'the begin of an answer, which holds nothing yet' },
  {
    at: /(?:^|\.)(?:stop_sequence|expires_at|inference_geo|remove_to_redeem\[\]|path)$|\[type=error\]\.(?:code|message|param)$|^\[type=response\.audio\.delta\]\.delta$/,
    why: 'a word of the vendor’s, or a sound'
  }
]

interface AnswerJudgement {
  readonly isRestored: boolean
  readonly why?: string
}

/** @returns what is to happen to a placeholder at a place, or undefined if it has not been judged */
export function judgeAnswer({ dialect, path }: Pick<AnswerField, 'dialect' | 'path'>): AnswerJudgement | undefined {
  if (restored[dialect]?.some((at) => at.test(path)) === true) return { isRestored: true }
  const rule = left.find(({ at }) => at.test(path))
  return rule && { isRestored: false, why: rule.why }
}
