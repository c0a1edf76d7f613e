import type { InteropClient, Place } from '../client.ts'
import { programOf } from './files.ts'

function copilot(place: Place, args: readonly string[]) {
  const { api, base, token } = place
  const isMessages = api === 'messages'
  const env = {
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_TYPE: isMessages ? 'anthropic' : 'openai',
    COPILOT_PROVIDER_BASE_URL: isMessages ? base : `${base}/v1`,
    COPILOT_PROVIDER_API_KEY: token,
    COPILOT_PROVIDER_WIRE_API: api === 'responses' ? 'responses' : 'completions',
    COPILOT_MODEL: isMessages ? 'claude-sonnet-4.5' : 'gpt-5'
  }
  return { file: programOf(place, 'copilot'), args: [...args, '--allow-all-tools'], env }
}

export const copilotCli: InteropClient = {
  name: 'copilot',
  apis: ['chat-completions', 'messages', 'responses'],
  surface: 'sdk',
  hidesErrors: true,
  ask: (place, prompt) => copilot(place, ['-p', prompt]),
  askAgain: (place, prompt) => copilot(place, ['--continue', '-p', prompt]),
  read: (path) => ({ name: 'view', args: { path } }),
  edit: (path, from, to) => ({ name: 'edit', args: { path, old_str: from, new_str: to } })
}
