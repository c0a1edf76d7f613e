import type { InteropClient, Place } from '../client.ts'
import { programOf, writeHomeFile } from './files.ts'

function opencode(place: Place, args: readonly string[]) {
  const env = { SLUICE_TOKEN: place.token, OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }
  return { file: programOf(place, 'opencode'), args: ['run', '--model', 'sluice/any-model', ...args], env }
}

export const opencodeClient: InteropClient = {
  name: 'opencode',
  apis: ['chat-completions', 'messages'],
  surface: 'opencode',
  configure: (place) =>
    writeHomeFile(place, '.config/opencode/opencode.json', {
      $schema: 'https://opencode.ai/config.json',
      provider: {
        sluice: {
          npm: place.api === 'messages' ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible',
          name: 'Sluice',
          options: { baseURL: `${place.base}/v1`, apiKey: '{env:SLUICE_TOKEN}' },
          models: { 'any-model': { name: 'Any model' } }
        }
      },
      permission: { edit: 'allow', bash: 'allow' }
    }),
  ask: (place, prompt) => opencode(place, [prompt]),
  askAgain: (place, prompt) => opencode(place, ['--continue', prompt]),
  read: (path) => ({ name: 'read', args: { filePath: path } }),
  edit: (path, from, to) => ({ name: 'edit', args: { filePath: path, oldString: from, newString: to } })
}
