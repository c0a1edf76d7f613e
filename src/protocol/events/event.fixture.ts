/** The example in the specification, with every field that it names. */
export const specifiedEvent = {
  kind: 'tool_call_enforcement',
  platform: 'mcp-proxy',
  entitiesMasked: 2,
  riskTier: 'high',
  action: 'block',
  clientSurface: 'claude-code',
  modelProvider: 'anthropic',
  modelId: 'a-model',
  mcpToolName: 'shell.run',
  downstreamServer: 'mock'
}
