import type { InteropClient, Place } from '../client.ts'
import { programOf, writeHomeFile } from './files.ts'

function pi(place: Place, args: readonly string[]) {
  const env = { SLUICE_TOKEN: place.token, PI_OFFLINE: '1' }
  return { file: programOf(place, 'pi'), args: ['--provider', 'sluice', '--model', 'any-model', ...args], env }
}

export const piClient: InteropClient = {
  name: 'pi',
  apis: ['chat-completions', 'messages', 'responses'],
  surface: 'sdk',
  hidesRefusals: (api) => api === 'chat-completions',
  configure: (place) =>
    writeHomeFile(place, '.pi/agent/models.json', {
      providers: {
        sluice: {
          baseUrl: place.api === 'messages' ? place.base : `${place.base}/v1`,
          apiKey: 'SLUICE_TOKEN',
          api: {
            'chat-completions': 'openai-completions',
            messages: 'anthropic-messages',
            responses: 'openai-responses'
          }[place.api],
          models: [{ id: 'any-model' }]
        }
      }
    }),
  ask: (place, prompt) => pi(place, ['-p', prompt]),
  askAgain: (place, prompt) => pi(place, ['--continue', '-p', prompt]),
  read: (path) => ({ name: 'read', args: { path } }),
  edit: (path, from, to) => ({ name: 'edit', args: { path, edits: [{ oldText: from, newText: to }] } })
}
