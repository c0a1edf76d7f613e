/** The variables of `sluice mcp-proxy`. Those that mean the same as for the service or the sidecar are their entries. */
import { bothLoopbacks, sidecarVariables } from './sidecar-variables.ts'
import { milliseconds } from './milliseconds.ts'
import { entriesOf, variables, type Variable } from './variables.ts'

const mib = 1024 * 1024
/** The address of the service is no upstream here, but where policy and events are. */
const section = 'Storage and keys'

export const mcpProxyVariables = {
  SERVICE_DOWNSTREAM_SERVER: {
    type: 'word',
    default: '',
    section: 'Vocabularies',
    description:
      'Sandbox that the server runs in, as events name it. Unset it is `unknown`, and so is a name that neither the built-in list nor `SERVICE_EXTRA_SANDBOXES` holds; then a warning says so.'
  },
  SERVICE_MCP_PROXY_MOCK: {
    type: 'word',
    default: '',
    section: 'Vocabularies',
    description:
      'Exactly `1` puts the built-in mock server in the place of any other, and events name `mock`, whatever else is set.'
  },
  SERVICE_CLIENT_SURFACE: {
    type: 'word',
    default: '',
    section: 'Vocabularies',
    description:
      'The agent that uses the proxy, as events name it and rules of the policy ask for it: a client surface such as `claude-code`.'
  },
  LISTEN_HOST: {
    ...sidecarVariables.LISTEN_HOST,
    default: bothLoopbacks,
    description:
      'Address to listen on with `--listen`. `localhost` means 127.0.0.1 and ::1. Whoever reaches another address can use the servers with the credentials that are configured for them.'
  },
  SERVICE_MCP_PROXY_HOSTS: sidecarVariables.SERVICE_SIDECAR_HOSTS,
  SERVICE_INGRESS_TARGET: {
    ...sidecarVariables.SERVICE_INGRESS_TARGET,
    section,
    description:
      'Address of the service that the policy comes from and events go to, with or without `/api/ingress` or `/api/ingress/v1`. Must be set.'
  },
  SERVICE_WORKSPACE_TOKEN: {
    ...sidecarVariables.SERVICE_WORKSPACE_TOKEN,
    section,
    description:
      'Workspace token of the proxy, with the scopes `events:write` and `policy:read`. It is never handed to an MCP server. Must be set.'
  },
  SERVICE_DATA_DIR: {
    ...variables.SERVICE_DATA_DIR,
    section,
    description:
      'Directory below which `mcp-proxy/` holds the last policy, the pins, and the events that the service has not taken yet. A relative path starts at the working directory.'
  },
  SERVICE_SENSOR_ID: {
    ...sidecarVariables.SERVICE_SENSOR_ID,
    section,
    description:
      'What the proxy calls itself in its events, at most 100 characters. Unset, the name of the machine. A number is put behind it, so that several proxies of one directory are told apart.'
  },
  SERVICE_LOG_LEVEL: { ...variables.SERVICE_LOG_LEVEL, default: 'warn' },
  ...entriesOf('SERVICE_DRAIN_TIMEOUT_MS', 'UPSTREAM_CONNECT_TIMEOUT_MS'),
  UPSTREAM_CONNECTIONS_MAX: {
    ...variables.UPSTREAM_CONNECTIONS_MAX,
    default: 256,
    description: 'Connections open at once to each MCP server. An open stream takes one.'
  },
  SERVICE_MCP_MESSAGE_BYTES_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: 4096,
    max: 256 * mib,
    default: 16 * mib,
    section: 'Bounds',
    description: 'Longest MCP message, in either direction.'
  },
  SERVICE_MCP_BYTES_IN_FLIGHT_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: 4096,
    max: 2 ** 40,
    default: 256 * mib,
    section: 'Bounds',
    description: 'Bytes of all messages of HTTP clients in memory at once. A message beyond it is answered with 503.'
  },
  SERVICE_MCP_REQUEST_TIMEOUT_MS: milliseconds(
    'Bounds',
    600_000,
    100,
    'How long a server may be silent while a request waits for its answer. Subscriptions wait as long as they like.'
  ),
  SERVICE_MCP_SESSIONS_MAX: {
    type: 'integer',
    min: 1,
    max: 100_000,
    default: 64,
    section: 'Bounds',
    description:
      'HTTP sessions open at once to a server that is a command. Each has a process of its own; a session beyond it is answered with 503.'
  },
  SERVICE_MCP_SESSION_IDLE_MS: milliseconds(
    'Bounds',
    1_800_000,
    1000,
    'After how long without a request or an open stream an HTTP session with a server that is a command ends. A client then starts a new one.'
  ),
  ...entriesOf('SERVICE_EXTRA_SURFACES', 'SERVICE_EXTRA_PROVIDERS', 'SERVICE_EXTRA_SANDBOXES')
} as const satisfies Record<string, Variable>

export type McpProxyVariable = keyof typeof mcpProxyVariables
