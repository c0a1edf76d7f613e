import type { InteropClient } from '../client.ts'
import { claudeCode } from './claude-code.ts'
import { clineClient } from './cline.ts'
import { codexClient } from './codex.ts'
import { continueClient } from './continue.ts'
import { copilotCli } from './copilot.ts'
import { opencodeClient } from './opencode.ts'
import { piClient } from './pi.ts'
import { qwenCode } from './qwen.ts'
import { aiSdk, langchain, langgraphJs, llamaindex, pythonAgents } from './sdk-agents.ts'

/** Every supported client, agents first. */
export const clients: readonly InteropClient[] = [
  claudeCode,
  codexClient,
  copilotCli,
  opencodeClient,
  qwenCode,
  clineClient,
  continueClient,
  piClient,
  langchain,
  langgraphJs,
  llamaindex,
  aiSdk,
  ...pythonAgents
]
