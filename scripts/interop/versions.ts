/** npm packages at exact versions. The first of each list is the client; the guides mention its version. */
const npmVersions = {
  'claude-code': { '@anthropic-ai/claude-code': '2.1.330' },
  codex: { '@openai/codex': '0.169.0' },
  copilot: { '@github/copilot': '1.0.102' },
  opencode: { 'opencode-ai': '1.18.33' },
  qwen: { '@qwen-code/qwen-code': '0.24.4' },
  cline: { cline: '3.0.65' },
  continue: { '@continuedev/cli': '1.5.47' },
  pi: { '@mariozechner/pi-coding-agent': '0.73.1' },
  langchain: { '@langchain/openai': '1.6.0', '@langchain/anthropic': '1.5.11', '@langchain/core': '1.4.0' },
  'langgraph-js': {
    '@langchain/langgraph': '1.7.3',
    langchain: '1.5.14',
    '@langchain/openai': '1.6.0',
    '@langchain/anthropic': '1.5.11'
  },
  llamaindex: { '@llamaindex/openai': '0.4.23', '@llamaindex/anthropic': '0.3.27', '@llamaindex/core': '0.6.23' },
  'ai-sdk': { ai: '7.0.173', '@ai-sdk/openai': '4.0.118', '@ai-sdk/anthropic': '4.0.105', zod: '4.6.7' }
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

const pythonVersions = {
  'openai-python': { openai: '2.54.0' },
  'anthropic-python': { anthropic: '2.12.0' },
  'openai-agents': { 'openai-agents': '0.24.0' },
  langgraph: { langgraph: '1.2.22', langchain: '1.4.7', 'langchain-openai': '1.7.3', 'langchain-anthropic': '1.7.7' },
  'llamaindex-python': {
    'llama-index-core': '0.14.25',
    'llama-index-llms-openai-like': '0.8.1',
    'llama-index-llms-anthropic': '0.12.3',
    anthropic: '0.125.0'
  },
  // Its extras, like those of the two below, would install an Anthropic SDK that it cannot use yet.
  'pydantic-ai': { 'pydantic-ai-slim[openai,anthropic]': '2.31.1', anthropic: '0.125.0' },
  autogen: { 'autogen-agentchat': '0.7.5', 'autogen-ext[openai,anthropic]': '0.7.5', anthropic: '0.125.0' },
  crewai: { 'crewai[anthropic]': '1.15.30' },
  litellm: { 'litellm[proxy]': '1.106.2' },
  'litellm-proxy': { 'litellm[proxy]': '1.106.2' }
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** Versions of all clients, from npm and PyPI. */
export const versions = { ...npmVersions, ...pythonVersions } as const

export type PythonClientName = keyof typeof pythonVersions
export type ClientName = keyof typeof versions

export const isPython = (client: ClientName): client is PythonClientName => client in pythonVersions

/** `@openai/codex 0.169.0`: the package that a person would name. */
export function nameAndVersion(client: ClientName): string {
  const [[name, version] = ['', '']] = Object.entries(versions[client])
  return `${name} ${version}`
}
