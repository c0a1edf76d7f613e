/** Names of the Model Context Protocol that several parts of the proxy read or write. */

/** From this revision on there are no sessions, and headers repeat parts of the body. Later ones compare as greater. */
export const statelessRevision = '2026-07-28'

/** Keys of `_meta`. */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  /** To which subscription a notification belongs. */
  subscription: 'io.modelcontextprotocol/subscriptionId',
  /** To which task a message belongs. */
  relatedTask: 'io.modelcontextprotocol/related-task'
} as const

/** The parameter that the header `Mcp-Name` repeats, by method. */
export const namedBy: Readonly<Record<string, 'name' | 'uri' | 'taskId'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId'
}
