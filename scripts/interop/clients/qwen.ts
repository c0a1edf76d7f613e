import type { InteropClient, Place } from '../client.ts'
import { programOf, writeHomeFile } from './files.ts'

function qwen(place: Place, args: readonly string[]) {
  const env =
    place.api === 'messages'
      ? { ANTHROPIC_BASE_URL: place.base, ANTHROPIC_API_KEY: place.token, ANTHROPIC_MODEL: 'any-model' }
      : { OPENAI_BASE_URL: `${place.base}/v1`, OPENAI_API_KEY: place.token, OPENAI_MODEL: 'any-model' }
  const type = place.api === 'messages' ? 'anthropic' : 'openai'
  return { file: programOf(place, 'qwen'), args: ['--auth-type', type, '--approval-mode', 'auto-edit', ...args], env }
}

export const qwenCode: InteropClient = {
  name: 'qwen',
  apis: ['chat-completions', 'messages'],
  surface: 'unknown',
  configure: (place) =>
    writeHomeFile(place, '.qwen/settings.json', {
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true }
    }),
  ask: (place, prompt) => qwen(place, [prompt]),
  askAgain: (place, prompt) => qwen(place, ['--continue', prompt]),
  read: (path) => ({ name: 'read_file', args: { file_path: path } }),
  edit: (path, from, to) => ({ name: 'edit', args: { file_path: path, old_string: from, new_string: to } })
}
