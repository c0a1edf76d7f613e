import { join } from 'node:path'
import type { InteropClient, Place } from '../client.ts'
import { programOf, writeHomeFile } from './files.ts'

const configuration = '.continue/config.yaml'

function continueCli(place: Place, args: readonly string[]) {
  const config = join(place.home, configuration)
  const env = { CONTINUE_TELEMETRY_ENABLED: '0' }
  return { file: programOf(place, 'cn'), args: ['--config', config, '--auto', ...args], env }
}

export const continueClient: InteropClient = {
  name: 'continue',
  apis: ['chat-completions', 'messages'],
  surface: 'unknown',
  configure: (place) =>
    writeHomeFile(
      place,
      configuration,
      `name: Sluice
version: 0.0.1
schema: v1
models:
  - name: any-model
    provider: ${place.api === 'messages' ? 'anthropic' : 'openai'}
    model: any-model
    apiBase: ${place.base}/v1
    apiKey: ${place.token}
    roles: [chat]
    capabilities: [tool_use]
`
    ),
  ask: (place, prompt) => continueCli(place, ['-p', prompt]),
  askAgain: (place, prompt) => continueCli(place, ['--resume', '-p', prompt]),
  read: (path) => ({ name: 'Read', args: { filepath: path } }),
  // Models that it considers strong get a "MultiEdit" instead.
  edit: (path, from, to) => ({ name: 'Edit', args: { file_path: path, old_string: from, new_string: to } })
}
