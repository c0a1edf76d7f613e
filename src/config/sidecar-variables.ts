/** The variables of `sluice sidecar`. Those shared with the service are the service's own entries. */
import { milliseconds } from './milliseconds.ts'
import { entriesOf, variables, type Variable } from './variables.ts'

/** No address; then a socket is required. */
export const noAddress = 'none'

/** Both loopback addresses, so that `localhost` works whichever of them a client resolves it to. */
export const bothLoopbacks = 'localhost'

export const sidecarVariables = {
  LISTEN_PORT: {
    type: 'integer',
    min: 0,
    max: 65_535,
    default: 8787,
    section: 'Listening',
    description: 'Port to listen on. `0` takes any free port.'
  },
  LISTEN_HOST: {
    type: 'host',
    default: bothLoopbacks,
    section: 'Listening',
    description:
      'Address to listen on. `localhost` means 127.0.0.1 and ::1, `none` no address at all. On any other address, anyone who reaches it uses the token of the sidecar.'
  },
  LISTEN_SOCKET: {
    type: 'path',
    default: '',
    section: 'Listening',
    description:
      'Path of a Unix socket to listen on as well. A stale socket is replaced; any other file at that path is left alone. With `LISTEN_HOST=none` the sidecar listens only on the socket.'
  },
  LISTEN_SOCKET_MODE: {
    type: 'enum',
    values: ['0600', '0660'],
    default: '0600',
    section: 'Listening',
    description: 'Who may connect to the socket: `0600` its owner only, `0660` its group too.'
  },
  SERVICE_SIDECAR_HOSTS: {
    type: 'hosts',
    default: '',
    section: 'Listening',
    description:
      'Values of the `Host` header to accept in addition to localhost, 127.0.0.1 and [::1] with the listening port: comma-separated, each with or without `:port`. Without a port, any port is accepted.'
  },
  ...entriesOf('SERVICE_LOG_LEVEL', 'SERVICE_DRAIN_TIMEOUT_MS'),
  SERVICE_INGRESS_TARGET: {
    type: 'url',
    default: '',
    section: 'Upstreams',
    description: 'Address of the service to forward to, with or without `/api/ingress` or `/api/ingress/v1`. Required.'
  },
  SERVICE_WORKSPACE_TOKEN: {
    type: 'secret',
    format: 'header',
    section: 'Upstreams',
    description:
      'Workspace token of the sidecar, with the scopes `ingress:write`, `events:write` and `policy:read`. The sidecar uses it to follow the policy, and for calls that bring no token of their own. Required.'
  },
  ...entriesOf('UPSTREAM_CONNECT_TIMEOUT_MS'),
  UPSTREAM_HEADERS_TIMEOUT_MS: milliseconds(
    'Upstreams',
    1_860_000,
    1,
    'How long the service may take to begin its answer. The default is a minute longer than the service itself waits, so that the error from the service arrives first.'
  ),
  ...entriesOf('UPSTREAM_IDLE_TIMEOUT_MS'),
  UPSTREAM_CONNECTIONS_MAX: {
    ...variables.UPSTREAM_CONNECTIONS_MAX,
    default: 128,
    description:
      'Most open connections to the service. Further calls wait for a free one; two are reserved for events and heartbeats.'
  },
  SERVICE_DATA_DIR: {
    ...variables.SERVICE_DATA_DIR,
    section: 'Storage and keys',
    description:
      'Directory in which `sidecar/` holds the last policy and the events not yet delivered to the service. A relative path starts at the working directory.'
  },
  SERVICE_SENSOR_ID: {
    type: 'name',
    default: '',
    section: 'Storage and keys',
    description: 'Name of the sidecar in its events, at most 128 characters. If unset, the name of the machine.'
  },
  SERVICE_SIDECAR_BASELINE: {
    type: 'path',
    default: '',
    section: 'Masking and blocking',
    description:
      'What to enforce until the service has delivered a policy for the first time: `standard`, `coding-agents`, or the path of a file with a redaction profile. If unset, every call is refused until then.'
  },
  ...entriesOf(
    'SERVICE_INGRESS_BODY_BYTES_MAX',
    'SERVICE_INGRESS_INFLATED_BYTES_MAX',
    'SERVICE_INGRESS_DEPTH_MAX',
    'SERVICE_INGRESS_VALUES_MAX',
    'SERVICE_INGRESS_UPLOAD_TIMEOUT_MS',
    'SERVICE_INGRESS_KEEP_ALIVE_MS',
    'SERVICE_INGRESS_BYTES_IN_FLIGHT_MAX',
    'SERVICE_INGRESS_CLEAN_SECTIONS_MAX',
    'SERVICE_EXTRA_SURFACES',
    'SERVICE_EXTRA_PROVIDERS'
  )
} as const satisfies Record<string, Variable>

export type SidecarVariable = keyof typeof sidecarVariables
