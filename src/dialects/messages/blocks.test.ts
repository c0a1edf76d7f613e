import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { base64, jpeg, messageLabels, png, seal, source } from '../plan/planning.fixture.ts'

/**
 * One block in a message of a role, and the expected labels of its strings; strings that are not listed are not
 * checked.
 */
type Row = readonly [role: string, block: object, labels: Readonly<Record<string, string>>]

const user = 'masked user'
const document = 'masked document'
const tool = 'masked tool_result'
const assistant = 'watched assistant'

const rows: readonly Row[] = [
  ['user', { type: 'text', text: 'x' }, { type: 'sealed user', text: user }],
  [
    'user',
    { text: 'x', type: 'text', cache_control: { type: 'ephemeral', ttl: '1h' } },
    {
      text: user,
      'cache_control/type': 'sealed user',
      'cache_control/ttl': 'sealed user'
    }
  ],
  [
    'user',
    { type: 'text', text: 'x', cache_control: { note: 'x' } },
    { 'cache_control/note': user, 'cache_control/note#': user }
  ],
  ['user', { type: 'Not A Word', text: 'x' }, { type: user }],
  [
    'user',
    { type: 'new_block', body: { deep: ['x'] }, id: 'a1', signature: seal },
    { 'body/deep/0': user, id: user, signature: user }
  ],
  ['system', { type: 'text', text: 'x' }, { text: 'masked system' }],
  [
    'system',
    { type: 'tool_addition', tool: { type: 'tool_definition', definition: { description: 'x' } } },
    {
      'tool/definition/description': 'watched tool_definition'
    }
  ],
  ['system', { type: 'tool_removal', tool: { name: 'x' } }, { 'tool/name': 'watched tool_definition' }],
  ['user', { type: 'mcp_tool_listing', tools: [{ name: 'x' }] }, { 'tools/0/name': 'watched tool_definition' }],
  ['user', { type: 'browser_state', tabs: [{ title: 'x' }] }, { 'tabs/0/title': 'masked tool_result' }],
  // A word of the API has no capitals, wherever one is expected; an id may.
  ['user', { type: 'image', source: { type: 'Base64', data: 'x' } }, { 'source/type': user }],
  [
    'user',
    { type: 'text', text: 'x', citations: [{ type: 'Char', file_id: 'File_1' }] },
    { 'citations/0/type': user, 'citations/0/file_id': 'sealed user' }
  ],
  ['robot', { type: 'text', text: 'x' }, { text: 'masked other' }],
  [
    'user',
    { type: 'image', source: source('image/png', png) },
    {
      'source/type': 'sealed user',
      'source/media_type': 'sealed user',
      'source/data': 'sealed user'
    }
  ],
  ['user', { type: 'image', source: source('image/png', 'my words!') }, { 'source/data': user }],
  [
    'user',
    { type: 'image', source: source('image/svg+xml', base64('<svg/>')) },
    { 'source/data': 'masked document base64' }
  ],
  ['user', { type: 'image', source: { type: 'url', url: 'https://a.example/x.png' } }, { 'source/url': user }],
  ['user', { type: 'image', source: { type: 'file', file_id: 'file_011C' } }, { 'source/file_id': 'sealed user' }],
  ['user', { type: 'image', source: { type: 'file', file_id: 'an id?' } }, { 'source/file_id': user }],
  [
    'user',
    { type: 'document', title: 'x', context: 'x', source: { type: 'text', media_type: 'text/plain', data: 'x' } },
    {
      title: document,
      context: document,
      'source/data': document
    }
  ],
  [
    'user',
    { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'x' }] } },
    { 'source/content/0/text': document }
  ],
  ['user', { type: 'document', source: { type: 'content', content: 'x' } }, { 'source/content': document }],
  ['user', { type: 'document', source: { type: 'url', url: 'x' } }, { 'source/url': document }],
  [
    'user',
    { type: 'document', source: { type: 'url', url: `data:text/plain;base64,${base64('a text')}` } },
    { 'source/url': `${document} data-uri` }
  ],
  [
    'user',
    { type: 'document', source: source('application/pdf', base64('%PDF-1.7')) },
    { 'source/data': 'sealed document' }
  ],
  [
    'user',
    { type: 'document', source: source('text/plain', base64('words')) },
    { 'source/data': 'masked document base64' }
  ],
  [
    'user',
    { type: 'document', source: source('application/vnd.api+json', base64('{}')) },
    { 'source/data': 'masked document base64' }
  ],
  [
    'user',
    { type: 'document', source: source('application/octet-stream', base64('x')) },
    { 'source/data': 'masked document base64' }
  ],
  ['user', { type: 'document', source: source('text/plain', 'not base64!') }, { 'source/data': document }],
  [
    'user',
    { type: 'document', source: { data: base64('abc'), type: 'base64' } },
    { 'source/data': 'masked document base64' }
  ],
  [
    'user',
    { type: 'search_result', source: 'https://x', title: 'x', content: [{ type: 'text', text: 'x' }] },
    {
      source: document,
      title: document,
      'content/0/text': document
    }
  ],
  ['user', { type: 'container_upload', file_id: 'file_1' }, { file_id: 'sealed user' }],
  [
    'user',
    { type: 'tool_result', tool_use_id: 'toolu_01', content: 'x' },
    { tool_use_id: 'sealed tool_result', content: tool }
  ],
  ['user', { tool_use_id: 'not an id', type: 'tool_result' }, { tool_use_id: tool }],
  [
    'user',
    {
      type: 'tool_result',
      toolset_name: 'x',
      content: [
        { type: 'text', text: 'x' },
        { type: 'image', source: source('image/jpeg', jpeg) },
        { type: 'document', title: 'x', source: source('text/csv', base64('a,b')) },
        { type: 'search_result', content: [{ type: 'text', text: 'x' }] },
        { type: 'tool_reference', tool_name: 'x' },
        {
          type: 'browser_state',
          tabs: [{ tab_id: 't1', title: 'x', url: 'x' }],
          state_changes: [{ type: 'download_failed', error: 'x', download_id: 'd' }]
        }
      ]
    },
    {
      toolset_name: tool,
      'content/0/text': tool,
      'content/1/source/data': 'sealed tool_result',
      'content/2/title': tool,
      'content/2/source/data': 'masked tool_result base64',
      'content/3/content/0/text': tool,
      'content/4/tool_name': tool,
      'content/5/tabs/0/tab_id': 'sealed tool_result',
      'content/5/tabs/0/title': tool,
      'content/5/tabs/0/url': tool,
      'content/5/state_changes/0/error': tool,
      'content/5/state_changes/0/download_id': 'sealed tool_result'
    }
  ],
  [
    'user',
    { type: 'mcp_tool_result', tool_use_id: 'm1', content: [{ type: 'text', text: 'x' }] },
    { 'content/0/text': tool }
  ],
  [
    'user',
    {
      type: 'web_search_tool_result',
      content: [{ type: 'web_search_result', title: 'x', url: 'x', page_age: 'x', encrypted_content: seal }]
    },
    {
      'content/0/title': tool,
      'content/0/url': tool,
      'content/0/page_age': tool,
      'content/0/encrypted_content': 'sealed tool_result'
    }
  ],
  [
    'user',
    {
      type: 'web_search_tool_result',
      content: [{ type: 'web_search_result', encrypted_content: 'plain words here, really' }]
    },
    {
      'content/0/encrypted_content': tool
    }
  ],
  [
    'user',
    {
      type: 'web_fetch_tool_result',
      content: {
        type: 'web_fetch_result',
        url: 'x',
        retrieved_at: 'x',
        content: {
          type: 'document',
          source: source('application/pdf', base64('%PDF'))
        }
      }
    },
    {
      'content/url': tool,
      'content/retrieved_at': tool,
      'content/content/source/data': 'sealed tool_result'
    }
  ],
  [
    'user',
    {
      type: 'code_execution_tool_result',
      content: {
        type: 'encrypted_code_execution_result',
        stderr: 'x',
        encrypted_stdout: seal,
        content: [{ type: 'code_execution_output', file_id: 'f1' }]
      }
    },
    {
      'content/stderr': tool,
      'content/encrypted_stdout': 'sealed tool_result',
      'content/content/0/file_id': 'sealed tool_result'
    }
  ],
  [
    'user',
    {
      type: 'bash_code_execution_tool_result',
      content: {
        type: 'bash_code_execution_result',
        stdout: 'x',
        stderr: 'x',
        content: [{ type: 'bash_code_execution_output', file_id: 'f1' }]
      }
    },
    {
      'content/stdout': tool,
      'content/stderr': tool,
      'content/content/0/file_id': 'sealed tool_result'
    }
  ],
  [
    'user',
    {
      type: 'text_editor_code_execution_tool_result',
      content: {
        type: 'text_editor_code_execution_view_result',
        content: 'x',
        lines: ['x'],
        error_message: 'x'
      }
    },
    {
      'content/content': tool,
      'content/lines/0': tool,
      'content/error_message': tool
    }
  ],
  [
    'user',
    {
      type: 'tool_search_tool_result',
      content: { type: 'tool_search_tool_search_result', tool_references: [{ tool_name: 'x' }] }
    },
    {
      'content/tool_references/0/tool_name': tool
    }
  ],
  [
    'user',
    { type: 'advisor_tool_result', content: { type: 'advisor_redacted_result', encrypted_content: seal } },
    {
      'content/encrypted_content': 'sealed tool_result'
    }
  ],
  [
    'user',
    { type: 'compaction', content: 'x', signature: seal, encrypted_content: seal },
    {
      content: user,
      signature: 'sealed user',
      encrypted_content: 'sealed user'
    }
  ],
  // What the signature covers is returned unchanged, or the vendor rejects the call.
  ['assistant', { type: 'compaction', content: 'x', signature: seal }, { content: 'sealed assistant' }],
  ['assistant', { type: 'compaction', content: 'x', signature: 'mine' }, { content: assistant, signature: assistant }],
  ['assistant', { type: 'compaction', content: 'x' }, { content: assistant }],
  ['user', { type: 'thinking', thinking: 'x', signature: seal }, { thinking: user, signature: user }],
  ['user', { type: 'redacted_thinking', data: seal }, { data: user }],
  [
    'assistant',
    {
      type: 'text',
      text: 'x',
      citations: [{ type: 'web_search_result_location', cited_text: 'x', encrypted_index: seal }]
    },
    {
      text: assistant,
      'citations/0/cited_text': assistant,
      'citations/0/encrypted_index': 'sealed assistant'
    }
  ],
  [
    'assistant',
    { type: 'thinking', thinking: 'my thoughts', signature: seal },
    { thinking: 'sealed assistant', signature: 'sealed assistant' }
  ],
  ['assistant', { signature: seal, thinking: 'my thoughts', type: 'thinking' }, { thinking: 'sealed assistant' }],
  [
    'assistant',
    { type: 'thinking', thinking: 'x', signature: 'not a signature' },
    { thinking: assistant, signature: assistant }
  ],
  [
    'assistant',
    { type: 'thinking', thinking: 'x', signature: 'tooShort' },
    { thinking: assistant, signature: assistant }
  ],
  ['user', { type: 'tool_result', tool_use_id: 'a'.repeat(256) }, { tool_use_id: 'sealed tool_result' }],
  ['user', { type: 'tool_result', tool_use_id: 'a'.repeat(257) }, { tool_use_id: tool }],
  ['user', { type: 'a'.repeat(64) }, { type: 'sealed user' }],
  ['user', { type: 'a'.repeat(65) }, { type: user }],
  ['assistant', { type: 'thinking', thinking: 'x', signature: '' }, { thinking: assistant, signature: assistant }],
  ['assistant', { type: 'thinking', thinking: 'x' }, { thinking: assistant }],
  ['assistant', { type: 'text', thinking: 'x', signature: seal }, { thinking: assistant, signature: assistant }],
  ['assistant', { type: 'redacted_thinking', data: seal }, { data: 'sealed assistant' }],
  ['assistant', { type: 'redacted_thinking', data: 'plain words' }, { data: assistant }],
  [
    'assistant',
    {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'x',
      input: { id: 'x', type: 'x' },
      caller: { type: 'direct', tool_id: 's1' }
    },
    {
      id: 'sealed assistant',
      name: assistant,
      'input/id': assistant,
      'input/type': assistant,
      'caller/tool_id': 'sealed assistant'
    }
  ],
  [
    'assistant',
    { type: 'server_tool_use', id: 'srvtoolu_1', input: { query: 'x' } },
    { id: 'sealed assistant', 'input/query': assistant }
  ],
  [
    'assistant',
    {
      type: 'web_search_tool_result',
      tool_use_id: 's1',
      content: [{ type: 'web_search_result', title: 'x', encrypted_content: seal }]
    },
    {
      'content/0/title': assistant,
      'content/0/encrypted_content': 'sealed assistant'
    }
  ]
]

describe('messages: where the texts of a block stand', () => {
  for (const [role, block, expected] of rows) {
    it(`${role}: ${JSON.stringify(block).slice(0, 90)}`, () => {
      const labels = messageLabels(role, [block])
      for (const [pointer, label] of Object.entries(expected))
        assert.equal(labels[`/content/0/${pointer}`], label, pointer)
    })
  }
})
