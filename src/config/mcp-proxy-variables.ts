/** The variables of `sluice mcp-proxy`. Those shared with the service or the sidecar are the same entries. */
import { bothLoopbacks, sidecarVariables } from './sidecar-variables.ts'
import { milliseconds } from './milliseconds.ts'
import { entriesOf, variables, type Variable } from './variables.ts'

const mib = 1024 * 1024
/** For the proxy, the service is not an upstream, but where policy and events are. */
const section = 'Storage and keys'

export const mcpProxyVariables = {
  SERVICE_DOWNSTREAM_SERVER: {
    type: 'word',
    default: '',
    section: 'Vocabularies',
    description:
      'Name, in events, of the sandbox that the MCP server runs in. If unset, `unknown`. A name that is neither built in nor in `SERVICE_EXTRA_SANDBOXES` also counts as `unknown`, with a warning.'
  },
  SERVICE_MCP_PROXY_MOCK: {
    type: 'word',
    default: '',
    section: 'Vocabularies',
    description:
      'Exactly `1` replaces every server by the built-in mock server, and events name `mock`, whatever else is set.'
  },
  SERVICE_CLIENT_SURFACE: {
    type: 'word',
    default: '',
    section: 'Vocabularies',
    description:
      'The agent that uses the proxy, for events and for policy rules with `surface`: a client surface such as `claude-code`.'
  },
  LISTEN_HOST: {
    ...sidecarVariables.LISTEN_HOST,
    default: bothLoopbacks,
    description:
      'Address to listen on with `--listen`. `localhost` means 127.0.0.1 and ::1. On any other address, anyone who reaches it can use the MCP servers with their configured credentials.'
  },
  SERVICE_MCP_PROXY_HOSTS: sidecarVariables.SERVICE_SIDECAR_HOSTS,
  SERVICE_INGRESS_TARGET: {
    ...sidecarVariables.SERVICE_INGRESS_TARGET,
    section,
    description:
      'Address of the service that provides the policy and receives events, with or without `/api/ingress` or `/api/ingress/v1`. Required.'
  },
  SERVICE_WORKSPACE_TOKEN: {
    ...sidecarVariables.SERVICE_WORKSPACE_TOKEN,
    section,
    description:
      'Workspace token of the proxy, with the scopes `events:write` and `policy:read`. It is never passed to an MCP server. Required.'
  },
  SERVICE_DATA_DIR: {
    ...variables.SERVICE_DATA_DIR,
    section,
    description:
      'Directory in which `mcp-proxy/` holds the last policy, the pins, and the events not yet delivered to the service. A relative path starts at the working directory.'
  },
  SERVICE_SENSOR_ID: {
    ...sidecarVariables.SERVICE_SENSOR_ID,
    section,
    description:
      'Name of the proxy in its events, at most 100 characters. If unset, the name of the machine. A number is appended, so that several proxies with one data directory can be told apart.'
  },
  SERVICE_LOG_LEVEL: { ...variables.SERVICE_LOG_LEVEL, default: 'warn' },
  ...entriesOf('SERVICE_DRAIN_TIMEOUT_MS', 'UPSTREAM_CONNECT_TIMEOUT_MS'),
  UPSTREAM_CONNECTIONS_MAX: {
    ...variables.UPSTREAM_CONNECTIONS_MAX,
    default: 256,
    description: 'Most open connections to each MCP server. An open stream takes one.'
  },
  SERVICE_MCP_MESSAGE_BYTES_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: 4096,
    max: 256 * mib,
    default: 16 * mib,
    section: 'Limits',
    description: 'Longest MCP message, in either direction.'
  },
  SERVICE_MCP_BYTES_IN_FLIGHT_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: 4096,
    max: 2 ** 40,
    default: 256 * mib,
    section: 'Limits',
    description: 'Most bytes of messages from HTTP clients in memory at once. A message beyond it gets a 503.'
  },
  SERVICE_MCP_REQUEST_TIMEOUT_MS: milliseconds(
    'Limits',
    600_000,
    100,
    'How long a server may be silent while a request waits for its answer. Subscriptions have no such limit.'
  ),
  SERVICE_MCP_SESSIONS_MAX: {
    type: 'integer',
    min: 1,
    max: 100_000,
    default: 64,
    section: 'Limits',
    description:
      'Most open HTTP sessions to a server that is a command. Each session has its own process; further sessions get a 503.'
  },
  SERVICE_MCP_SESSION_IDLE_MS: milliseconds(
    'Limits',
    1_800_000,
    1000,
    'Idle time (no request, no open stream) after which an HTTP session with a server that is a command ends. The client then starts a new one.'
  ),
  ...entriesOf('SERVICE_EXTRA_SURFACES', 'SERVICE_EXTRA_PROVIDERS', 'SERVICE_EXTRA_SANDBOXES')
} as const satisfies Record<string, Variable>

export type McpProxyVariable = keyof typeof mcpProxyVariables
