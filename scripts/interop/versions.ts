/** What is installed: npm packages at exact versions. The first of each list is the client; the guides name its version. */
export const versions = {
  'claude-code': { '@anthropic-ai/claude-code': '2.1.330' },
  codex: { '@openai/codex': '0.169.0' },
  copilot: { '@github/copilot': '1.0.102' },
  opencode: { 'opencode-ai': '1.18.33' },
  qwen: { '@qwen-code/qwen-code': '0.24.4' },
  cline: { cline: '3.0.65' },
  continue: { '@continuedev/cli': '1.5.47' },
  pi: { '@mariozechner/pi-coding-agent': '0.73.1' },
  langchain: { '@langchain/openai': '1.6.0', '@langchain/anthropic': '1.5.11', '@langchain/core': '1.4.0' },
  llamaindex: { '@llamaindex/openai': '0.4.23', '@llamaindex/anthropic': '0.3.27', '@llamaindex/core': '0.6.23' },
  'ai-sdk': { ai: '7.0.173', '@ai-sdk/openai': '4.0.118', '@ai-sdk/anthropic': '4.0.105', zod: '4.6.7' }
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type ClientName = keyof typeof versions

/** `@openai/codex 0.169.0`, of the package that a person would name. */
export function nameAndVersion(client: ClientName): string {
  const [[name, version] = ['', '']] = Object.entries(versions[client])
  return `${name} ${version}`
}
