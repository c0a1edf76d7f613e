/** The variables of `sluice sidecar`. Those that mean the same as for the service are the service's own entries. */
import { milliseconds } from './milliseconds.ts'
import { entriesOf, variables, type Variable } from './variables.ts'

/** Stands for no address: then there must be a socket. */
export const noAddress = 'none'

/** Stands for both loopback addresses, so that `localhost` is served whichever of them it means to a client. */
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
      'Address to listen on. `localhost` means 127.0.0.1 and ::1, `none` no address at all. Whoever reaches another address spends the token of the sidecar.'
  },
  LISTEN_SOCKET: {
    type: 'path',
    default: '',
    section: 'Listening',
    description:
      'Path of a Unix socket to listen on as well. A socket that nobody serves any more is replaced, anything else is left alone. With `LISTEN_HOST=none` it is all that is listened on.'
  },
  LISTEN_SOCKET_MODE: {
    type: 'enum',
    values: ['0600', '0660'],
    default: '0600',
    section: 'Listening',
    description: 'Who may connect to the socket: its owner, or its group as well.'
  },
  SERVICE_SIDECAR_HOSTS: {
    type: 'hosts',
    default: '',
    section: 'Listening',
    description:
      'Names in the `Host` header to be taken beside localhost, 127.0.0.1 and [::1] with the port that is listened on: comma-separated, each with or without `:port`; without one, any port.'
  },
  ...entriesOf('SERVICE_LOG_LEVEL', 'SERVICE_DRAIN_TIMEOUT_MS'),
  SERVICE_INGRESS_TARGET: {
    type: 'url',
    default: '',
    section: 'Upstreams',
    description:
      'Address of the service to forward to, with or without `/api/ingress` or `/api/ingress/v1`. Must be set.'
  },
  SERVICE_WORKSPACE_TOKEN: {
    type: 'secret',
    format: 'header',
    section: 'Upstreams',
    description:
      'Workspace token of the sidecar, with the scopes `ingress:write`, `events:write` and `policy:read`. It follows the policy with it and uses it for calls that bring none. Must be set.'
  },
  ...entriesOf('UPSTREAM_CONNECT_TIMEOUT_MS'),
  UPSTREAM_HEADERS_TIMEOUT_MS: milliseconds(
    'Upstreams',
    1_860_000,
    1,
    'How long the service may take until its answer begins. A minute more than the service itself waits by default, so that its own answer comes first.'
  ),
  ...entriesOf('UPSTREAM_IDLE_TIMEOUT_MS'),
  UPSTREAM_CONNECTIONS_MAX: {
    ...variables.UPSTREAM_CONNECTIONS_MAX,
    default: 128,
    description:
      'Connections open at once to the service. Calls beyond it wait for a free one; two are kept for events and signs of life.'
  },
  SERVICE_DATA_DIR: {
    ...variables.SERVICE_DATA_DIR,
    section: 'Storage and keys',
    description:
      'Directory below which `sidecar/` holds the last policy and the events that the service has not taken yet. A relative path starts at the working directory.'
  },
  SERVICE_SENSOR_ID: {
    type: 'name',
    default: '',
    section: 'Storage and keys',
    description: 'What the sidecar calls itself in its events, at most 128 characters. Unset, the name of the machine.'
  },
  SERVICE_SIDECAR_BASELINE: {
    type: 'path',
    default: '',
    section: 'Masking and blocking',
    description:
      'What is enforced until the service has given a policy once: `standard`, `coding-agents`, or the path of a file with a redaction profile. Unset, every call is refused until then.'
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
