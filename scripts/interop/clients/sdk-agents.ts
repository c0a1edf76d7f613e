/** Small agents that stand for programs built with an SDK: `agents/` of this folder, run beside the SDK's packages. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { InteropClient, Place } from '../client.ts'
import type { Api } from '../model/turn.ts'
import type { ClientName } from '../versions.ts'

const agents = join(import.meta.dirname, '..', 'agents')

function sdkAgent(name: ClientName, apis: readonly Api[], surface: string): InteropClient {
  return {
    name,
    apis,
    surface,
    // Packages are looked for from where a program lies.
    configure: (place) => cp(agents, join(place.installed, 'agents'), { recursive: true }),
    ask: (place: Place, prompt) => ({
      file: process.execPath,
      args: [join(place.installed, 'agents', `${name}.mjs`), place.api, prompt],
      env: { SLUICE_BASE_URL: place.base, ANTHROPIC_BASE_URL: place.base, SLUICE_TOKEN: place.token }
    }),
    read: (path) => ({ name: 'read_file', args: { path } }),
    edit: (path, from, to) => ({ name: 'edit_file', args: { path, from, to } })
  }
}

export const langchain = sdkAgent('langchain', ['chat-completions', 'messages', 'responses'], 'sdk')
export const llamaindex = sdkAgent('llamaindex', ['chat-completions', 'messages'], 'sdk')
export const aiSdk = sdkAgent('ai-sdk', ['chat-completions', 'messages', 'responses'], 'sdk')
