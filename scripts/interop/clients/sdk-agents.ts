/** Small agents that represent programs built with an SDK: the `agents/` folder, run beside the SDK's packages. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { InteropClient, Place } from '../client.ts'
import type { Api } from '../model/turn.ts'
import { pythonOf } from '../install.ts'
import type { ClientName, PythonClientName } from '../versions.ts'

const agents = join(import.meta.dirname, '..', 'agents')

function sdkAgent(
  name: ClientName,
  apis: readonly Api[],
  client: Pick<InteropClient, 'surface' | 'guide'>
): InteropClient {
  return {
    name,
    apis,
    ...client,
    // Packages are resolved from the folder of the program.
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

function pythonAgent(
  name: PythonClientName,
  apis: readonly Api[],
  client: Pick<InteropClient, 'surface' | 'guide'>
): InteropClient {
  return {
    name,
    apis,
    ...client,
    ask: (place: Place, prompt) => ({
      file: pythonOf(place.installed),
      args: [join(agents, 'python', `${name}-agent.py`), place.api, prompt],
      env: { SLUICE_BASE_URL: place.base, SLUICE_TOKEN: place.token, PYTHONDONTWRITEBYTECODE: '1' }
    }),
    read: (path) => ({ name: 'read_file', args: { path } }),
    // "from" is a keyword in Python and cannot be a parameter.
    edit: (path, from, to) => ({ name: 'edit_file', args: { path, old: from, new: to } })
  }
}

/** All Python clients. */
export const pythonAgents: readonly InteropClient[] = [
  pythonAgent('openai-python', ['chat-completions', 'responses'], { surface: 'sdk', guide: 'python' }),
  pythonAgent('anthropic-python', ['messages'], { surface: 'sdk', guide: 'python' }),
  pythonAgent('openai-agents', ['chat-completions', 'responses'], { surface: 'sdk', guide: 'python' }),
  pythonAgent('langgraph', ['chat-completions', 'messages', 'responses'], { surface: 'sdk', guide: 'langchain' }),
  pythonAgent('llamaindex-python', ['chat-completions', 'messages'], { surface: 'sdk', guide: 'llamaindex' }),
  pythonAgent('pydantic-ai', ['chat-completions', 'messages', 'responses'], { surface: 'sdk', guide: 'python' }),
  pythonAgent('autogen', ['chat-completions', 'messages'], { surface: 'sdk', guide: 'python' }),
  pythonAgent('crewai', ['chat-completions', 'messages'], { surface: 'sdk', guide: 'python' }),
  pythonAgent('litellm', ['chat-completions', 'messages'], { surface: 'sdk', guide: 'python' }),
  pythonAgent('litellm-proxy', ['chat-completions', 'messages'], { surface: 'sdk', guide: 'python' })
]

export const langchain = sdkAgent('langchain', ['chat-completions', 'messages', 'responses'], { surface: 'sdk' })
export const langgraphJs = sdkAgent('langgraph-js', ['chat-completions', 'messages', 'responses'], {
  surface: 'sdk',
  guide: 'langchain'
})
export const llamaindex = sdkAgent('llamaindex', ['chat-completions', 'messages'], { surface: 'sdk' })
export const aiSdk = sdkAgent('ai-sdk', ['chat-completions', 'messages', 'responses'], { surface: 'sdk' })
