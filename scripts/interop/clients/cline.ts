import type { InteropClient, Place } from '../client.ts'
import { patchOf, programOf } from './files.ts'

const provider = 'openai-compatible'
const model = 'gpt-5'

export const clineClient: InteropClient = {
  name: 'cline',
  apis: ['chat-completions'],
  surface: 'sdk',
  signIn: (place: Place) => ({
    file: programOf(place, 'cline'),
    args: ['auth', provider, '--apikey', place.token, '--modelid', model, '--baseurl', `${place.base}/v1`]
  }),
  ask: (place, prompt) => ({ file: programOf(place, 'cline'), args: ['-P', provider, '-m', model, prompt] }),
  read: (path) => ({ name: 'read_files', args: { files: [{ path }] } }),
  edit: (path, from, to) => ({ name: 'apply_patch', args: { input: patchOf(path, from, to) } })
}
