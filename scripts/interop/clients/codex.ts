import type { InteropClient, Place } from '../client.ts'
import { patchOf, programOf, writeHomeFile } from './files.ts'

const options = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']

function codex(place: Place, args: readonly string[]) {
  return { file: programOf(place, 'codex'), args: ['exec', ...args], env: { SLUICE_TOKEN: place.token } }
}

export const codexClient: InteropClient = {
  name: 'codex',
  apis: ['responses'],
  surface: 'codex',
  configure: (place) =>
    writeHomeFile(
      place,
      '.codex/config.toml',
      `model = "gpt-5"
model_provider = "sluice"

[model_providers.sluice]
name = "Sluice"
base_url = "${place.base}/v1"
env_key = "SLUICE_TOKEN"
wire_api = "responses"
`
    ),
  ask: (place, prompt) => codex(place, [...options, prompt]),
  askAgain: (place, prompt) => codex(place, ['resume', '--last', ...options, prompt]),
  read: (path) => ({ name: 'exec_command', args: { cmd: `cat '${path}'` } }),
  edit: (path, from, to) => ({
    name: 'exec_command',
    args: { cmd: `apply_patch <<'EOF'\n${patchOf(path, from, to)}EOF` }
  })
}
