/** The content blocks of the messages dialect: what each field of each block type claims to hold. */
import type { BlockSpec, ShapeSpec } from '../plan/shape.ts'

/** Blocks whose fields all are text of their surroundings. */
const wordy = (...types: readonly string[]): Record<string, BlockSpec> =>
  Object.fromEntries(types.map((type) => [type, {}]))

const toolUse: BlockSpec = { fields: { id: 'id', caller: 'caller' } }
const toolResult: BlockSpec = {
  origin: 'tool_result',
  fields: { tool_use_id: 'id', caller: 'caller', content: 'block' }
}

/** Blocks in messages of any role, and in the results of tools. */
export const blocks: ShapeSpec = {
  fields: { type: 'word', cache_control: 'cache' },
  types: {
    text: { fields: { citations: 'citation' } },
    image: { fields: { source: 'source' } },
    document: { origin: 'document', fields: { source: 'source' } },
    search_result: { origin: 'document', fields: { content: 'block' } },
    container_upload: { fields: { file_id: 'id' } },
    tool_reference: {},
    browser_state: { origin: 'tool_result', fields: { tabs: 'browser', state_changes: 'browser' } },
    tool_use: toolUse,
    server_tool_use: toolUse,
    mcp_tool_use: toolUse,
    tool_result: toolResult,
    mcp_tool_result: toolResult,
    web_search_tool_result: toolResult,
    web_fetch_tool_result: toolResult,
    code_execution_tool_result: toolResult,
    bash_code_execution_tool_result: toolResult,
    text_editor_code_execution_tool_result: toolResult,
    tool_search_tool_result: toolResult,
    advisor_tool_result: toolResult,
    // The results of the vendor's own tools are nested one level deeper.
    web_search_result: { fields: { encrypted_content: 'seal' } },
    web_fetch_result: { fields: { content: 'block' } },
    code_execution_result: { fields: { content: 'output' } },
    bash_code_execution_result: { fields: { content: 'output' } },
    encrypted_code_execution_result: { fields: { encrypted_stdout: 'seal', content: 'output' } },
    ...wordy(
      'advisor_result',
      'text_editor_code_execution_create_result',
      'text_editor_code_execution_str_replace_result',
      'text_editor_code_execution_view_result',
      'tool_search_tool_search_result',
      'advisor_tool_result_error',
      'bash_code_execution_tool_result_error',
      'code_execution_tool_result_error',
      'text_editor_code_execution_tool_result_error',
      'tool_search_tool_result_error',
      'web_fetch_tool_result_error',
      'web_search_tool_result_error'
    ),
    advisor_redacted_result: { fields: { encrypted_content: 'seal' } },
    compaction: { fields: { encrypted_content: 'seal', signature: 'seal', tool_changes: 'block' } },
    // Tools that are added and removed in the middle of a conversation.
    tool_addition: { scope: 'watched', origin: 'tool_definition' },
    tool_removal: { scope: 'watched', origin: 'tool_definition' },
    mcp_tool_listing: { scope: 'watched', origin: 'tool_definition' },
    // Marks where another model took over.
    fallback: {},
    // Only a model produces these: ordinary text in another role.
    ...wordy('thinking', 'redacted_thinking')
  }
}

/** Blocks, or fields of them, that only a model produces. In another role they are ordinary text. */
export const assistantBlocks: Readonly<Record<string, BlockSpec>> = {
  thinking: { fields: { thinking: 'signed', signature: 'seal' } },
  redacted_thinking: { fields: { data: 'seal' } },
  // The signature covers the summary; without a signature it is ordinary text.
  compaction: { fields: { ...blocks.types?.['compaction']?.fields, content: 'signed' } }
}

/** The parts that blocks consist of. */
export const partShapes: Readonly<Record<string, ShapeSpec>> = {
  source: {
    fields: { type: 'word', media_type: 'media_type' },
    types: {
      base64: { fields: { data: 'data' } },
      text: {},
      content: { fields: { content: 'block' } },
      url: { fields: { url: 'url' } },
      file: { fields: { file_id: 'id' } }
    }
  },
  citation: { fields: { type: 'word', encrypted_index: 'seal', file_id: 'id' } },
  output: { fields: { type: 'word', file_id: 'id' } },
  caller: { fields: { type: 'word', tool_id: 'id' } },
  browser: { fields: { type: 'word', tab_id: 'id', download_id: 'id' } },
  cache: { fields: { type: 'word', ttl: 'word' } }
}
