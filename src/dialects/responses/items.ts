/** The items of the responses dialect: who speaks in each type, and what each field claims to hold. */
import { assistant, rest, toolDefinition, toolResult, user } from '../plan/labels.ts'
import type { PartSpec, ShapeSpec } from '../plan/shape.ts'

const call: PartSpec = { label: assistant, rule: 'call' }
/**
 * The result of a tool. Items of the vendor's own tools hold both the call and its result; the call in them is masked
 * along with the result, since a leaked result is worse than a slightly altered call.
 */
const result: PartSpec = { label: toolResult, rule: 'call' }
const definitions: PartSpec = { label: toolDefinition, rule: 'call' }

/** Items without a role. One of another type is text to be masked. */
export const items: Readonly<Record<string, PartSpec>> = {
  function_call: call,
  custom_tool_call: call,
  computer_call: call,
  shell_call: call,
  local_shell_call: call,
  apply_patch_call: call,
  web_search_call: call,
  tool_search_call: call,
  mcp_approval_request: call,
  program: { label: assistant, rule: 'program' },
  multi_agent_call: call,
  function_call_output: result,
  custom_tool_call_output: result,
  computer_call_output: result,
  shell_call_output: result,
  local_shell_call_output: result,
  apply_patch_call_output: result,
  program_output: result,
  multi_agent_call_output: result,
  // What another agent says reaches this one like the result of a tool.
  agent_message: { label: toolResult, rule: 'message' },
  mcp_call: result,
  file_search_call: result,
  code_interpreter_call: result,
  image_generation_call: { label: assistant, rule: 'imageCall' },
  mcp_approval_response: { label: user, rule: 'call' },
  reasoning: { label: assistant, rule: 'reasoning' },
  compaction: { label: assistant, rule: 'reasoning' },
  compaction_trigger: call,
  item_reference: call,
  mcp_list_tools: definitions,
  tool_search_output: definitions,
  additional_tools: definitions,
  configuration_update: { label: rest, rule: 'configuration' }
}

const ids = { id: 'id', call_id: 'id', status: 'word', type: 'word', caller: 'caller' } as const

export const itemShapes: Readonly<Record<string, ShapeSpec>> = {
  message: { fields: { ...ids, role: 'word', content: 'part', phase: 'word' } },
  part: {
    fields: { type: 'word' },
    types: {
      input_text: { fields: { text: 'part' } },
      output_text: { fields: { annotations: 'annotation' } },
      refusal: {},
      input_image: { fields: { image_url: 'url', file_id: 'id', detail: 'word' } },
      input_file: { origin: 'document', fields: { file_data: 'file', file_id: 'id', file_url: 'url' } },
      input_audio: { fields: { input_audio: 'sound' } },
      computer_screenshot: { fields: { image_url: 'url', file_id: 'id' } },
      image: { fields: { url: 'url' } },
      logs: {},
      encrypted_content: { fields: { encrypted_content: 'seal' } }
    }
  },
  sound: { fields: { data: 'media', format: 'word' } },
  annotation: { fields: { type: 'word', file_id: 'id', container_id: 'id' } },
  call: {
    fields: {
      ...ids,
      arguments: 'json',
      output: 'part',
      outputs: 'part',
      container_id: 'id',
      approval_request_id: 'id',
      results: 'searchResult',
      environment: 'environment',
      pending_safety_checks: 'safetyCheck',
      acknowledged_safety_checks: 'safetyCheck',
      tools: 'tool'
    }
  },
  program: { fields: { ...ids, fingerprint: 'opaque' } },
  configuration: { fields: { ...ids, text: 'answerForm' } },
  searchResult: { fields: { file_id: 'id' } },
  safetyCheck: { fields: { id: 'id' } },
  imageCall: { fields: { ...ids, result: 'media' } },
  reasoning: { fields: { ...ids, encrypted_content: 'seal' } },
  caller: { fields: { type: 'word', caller_id: 'id' } },
  storedPrompt: { fields: { id: 'id', version: 'word', variables: 'variables' } },
  variables: { entries: 'part' },
  cacheOptions: { fields: { comparison_response_id: 'id' } },
  reference: { plain: 'id', fields: { id: 'id' } },
  typed: { fields: { type: 'word' } },
  answerForm: { fields: { format: 'typed', verbosity: 'word' } },
  tool: {
    fields: {
      type: 'word',
      vector_store_ids: 'id',
      tunnel_id: 'id',
      input_image_mask: 'picture',
      environment: 'environment',
      container: 'environment',
      // The tools of a namespace.
      tools: 'tool'
    }
  },
  picture: { fields: { image_url: 'url', file_id: 'id' } },
  environment: { plain: 'id', fields: { type: 'word', container_id: 'id', file_ids: 'id', skills: 'skill' } },
  skill: { fields: { type: 'word', skill_id: 'id', version: 'id', source: 'archive' } },
  archive: { fields: { type: 'word', media_type: 'media_type', data: 'data' } }
}
