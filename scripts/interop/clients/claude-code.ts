import type { InteropClient, Place } from '../client.ts'
import { programOf } from './files.ts'

function claude(place: Place, args: readonly string[]) {
  const env = {
    ANTHROPIC_BASE_URL: place.base,
    ANTHROPIC_AUTH_TOKEN: place.token,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1'
  }
  return { file: programOf(place, 'claude'), args: [...args, '--allowedTools', 'Read,Edit'], env }
}

export const claudeCode: InteropClient = {
  name: 'claude-code',
  apis: ['messages'],
  surface: 'claude-code',
  ask: (place, prompt) => claude(place, ['-p', prompt]),
  askAgain: (place, prompt) => claude(place, ['--continue', '-p', prompt]),
  read: (path) => ({ name: 'Read', args: { file_path: path } }),
  edit: (path, from, to) => ({ name: 'Edit', args: { file_path: path, old_string: from, new_string: to } })
}
