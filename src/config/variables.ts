/**
 * The table of environment variables. The loader, `--help` and `docs/configuration.md` are derived from it; a variable
 * that is not in it is not read by anything.
 */
import { ingressVariables } from './ingress-variables.ts'
import { milliseconds } from './milliseconds.ts'
import { signInVariables } from './sign-in-variables.ts'
import { telemetryVariables } from './telemetry-variables.ts'

export const sections = [
  'Listening',
  'Signing in',
  'Storage and keys',
  'Upstreams',
  'Masking and blocking',
  'Telemetry',
  'Limits',
  'Vocabularies'
] as const
export type Section = (typeof sections)[number]

interface Described {
  readonly section: Section
  /** Full sentences, as printed by `--help` and the documentation. */
  readonly description: string
}

/** The type of a variable. `default` is the text that an operator would have written. */
export type Variable =
  | (Described & {
      readonly type: 'integer'
      readonly unit?: 'ms' | 'bytes'
      readonly min: number
      readonly max: number
      /** A number, or the name of the variable whose value applies if this one is unset. */
      readonly default: number | `${string}_MAX`
    })
  | (Described & { readonly type: 'url'; readonly default: string })
  | (Described & { readonly type: 'host' | 'path' | 'name'; readonly default: string })
  /** A word that is checked where it is used, not here. */
  | (Described & { readonly type: 'word'; readonly default: '' })
  /** A file that must exist. Without a default: if unset, nothing is read. */
  | (Described & { readonly type: 'file' })
  | (Described & { readonly type: 'enum'; readonly values: readonly string[]; readonly default: string })
  /** `true` or `false`. With `others`, any other text means on as well, with a warning. */
  | (Described & { readonly type: 'switch'; readonly default: 'true'; readonly others?: 'on' })
  /** Text in a form of its own; see `values.ts`. */
  | (Described & {
      readonly type: 'text'
      readonly format: 'line' | 'issuer' | 'role-map' | 'networks' | 'workspace'
      readonly default: string
    })
  /** Comma-separated names, each `[a-z0-9][a-z0-9-]{0,31}`. */
  | (Described & { readonly type: 'list'; readonly default: '' })
  /** Comma-separated host names or addresses, each with or without a port. */
  | (Described & { readonly type: 'hosts'; readonly default: '' })
  /** Read from the variable itself or from the file named by `<NAME>_FILE`. */
  | (Described & { readonly type: 'secret'; readonly format: 'header' | 'headers' | 'key' | 'postgres' })

const kib = 1024
const mib = 1024 * kib

const auditModes = ['standard', 'strict'] as const

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const variables = {
  HOST: {
    type: 'host',
    default: '127.0.0.1',
    section: 'Listening',
    description: 'Address to listen on. Set `0.0.0.0` or `::` to accept connections from other machines.'
  },
  PORT: {
    type: 'integer',
    min: 0,
    max: 65_535,
    default: 8080,
    section: 'Listening',
    description: 'Port to listen on. `0` takes any free port.'
  },
  SERVICE_TLS_CERT_FILE: {
    type: 'file',
    section: 'Listening',
    description:
      'Certificate chain in PEM. With it and its key, the service speaks only HTTPS. Both files are reloaded when they change; if the new pair does not match, that is logged and the old pair stays in use.'
  },
  SERVICE_TLS_KEY_FILE: {
    type: 'file',
    section: 'Listening',
    description: 'Private key of that certificate in PEM, without a passphrase.'
  },
  SERVICE_LOG_LEVEL: {
    type: 'enum',
    values: logLevels,
    default: 'info',
    section: 'Listening',
    description: 'Minimum severity of the log lines to write.'
  },
  SERVICE_METRICS: {
    type: 'switch',
    default: 'true',
    section: 'Listening',
    description: 'Whether `GET /metrics` serves Prometheus metrics, without a token.'
  },
  SERVICE_DRAIN_TIMEOUT_MS: milliseconds(
    'Listening',
    10_000,
    0,
    'How long calls in flight may continue after a signal to stop. New calls are refused meanwhile, and calls that take longer end with the error `draining`.'
  ),
  ...signInVariables,
  SERVICE_DATA_DIR: {
    type: 'path',
    default: './data',
    section: 'Storage and keys',
    description: 'Directory of the database and the keys. A relative path starts at the working directory.'
  },
  SERVICE_MASTER_KEY: {
    type: 'secret',
    format: 'key',
    section: 'Storage and keys',
    description:
      'Master key from which all other keys derive: 32 bytes, as 64 hexadecimal characters or as base64. If unset, the first start creates one and keeps it in the data directory. Required with `DATABASE_URL`, and then the same for every instance.'
  },
  DATABASE_URL: {
    type: 'secret',
    format: 'postgres',
    section: 'Storage and keys',
    description:
      'PostgreSQL database for all data, which several instances may share: `postgres://user:password@host:port/database?sslmode=verify-full`. If unset, the service uses an embedded database in the data directory. See `docs/scaling.md`.'
  },
  SERVICE_DATABASE_CONNECTIONS_MAX: {
    type: 'integer',
    min: 4,
    max: 1000,
    default: 10,
    section: 'Storage and keys',
    description: 'Most connections that one instance opens to the database of `DATABASE_URL`.'
  },
  SERVICE_AUDIT_MODE: {
    type: 'enum',
    values: auditModes,
    default: 'standard',
    section: 'Storage and keys',
    description:
      'When the decision about a model call is written to disk. `standard`: some milliseconds after the call, which never waits for it. `strict`: before the call is forwarded; if the decision cannot be written, the call gets a 503.'
  },
  SERVICE_EVENTS_RETENTION_DAYS: {
    type: 'integer',
    min: 1,
    max: 3650,
    default: 30,
    section: 'Storage and keys',
    description: 'Retention of raw events, in whole days. Hourly counts are kept longer.'
  },
  SERVICE_AUDIT_RETENTION_DAYS: {
    type: 'integer',
    min: 1,
    max: 36_500,
    default: 400,
    section: 'Storage and keys',
    description: 'Retention of audit rows, in whole days. Their signed roots are kept forever.'
  },
  SERVICE_STORE_BYTES_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 0,
    section: 'Storage and keys',
    description:
      'Size cap of the database; `0` for none. Above it, the oldest days of raw events are deleted early. If none is left to delete, events from sensors are refused, while model calls continue.'
  },
  UPSTREAM_CHAT_API_BASE: {
    type: 'url',
    default: 'https://api.openai.com/v1',
    section: 'Upstreams',
    description:
      'Base address of the upstream for the chat-completions routes, including its version path, as you would give it to an SDK. `/chat/completions` is appended. Any compatible provider works.'
  },
  UPSTREAM_CHAT_API_KEY: {
    type: 'secret',
    format: 'header',
    section: 'Upstreams',
    description:
      'API key for the chat-completions upstream, sent as `authorization: Bearer`. From a file it is read again when the file changes.'
  },
  UPSTREAM_MESSAGES_API_BASE: {
    type: 'url',
    default: 'https://api.anthropic.com',
    section: 'Upstreams',
    description:
      'Base address of the upstream for the messages routes, without a version path. `/v1/messages` is appended. For tests and private deployments; the default is the vendor of that API.'
  },
  UPSTREAM_MESSAGES_API_KEY: {
    type: 'secret',
    format: 'header',
    section: 'Upstreams',
    description:
      'API key for the messages upstream, sent as `x-api-key`. From a file it is read again when the file changes.'
  },
  UPSTREAM_CONNECT_TIMEOUT_MS: milliseconds(
    'Upstreams',
    10_000,
    1,
    'How long a connection to an upstream may take to open.'
  ),
  UPSTREAM_HEADERS_TIMEOUT_MS: milliseconds(
    'Upstreams',
    1_800_000,
    1,
    'How long an upstream may take to begin its answer. Long reasoning calls without streaming need minutes. A call ends up to a second later.'
  ),
  UPSTREAM_IDLE_TIMEOUT_MS: milliseconds(
    'Upstreams',
    600_000,
    1,
    'How long an answer may pause once it has begun. A call ends up to a second later.'
  ),
  UPSTREAM_CONNECTIONS_MAX: {
    type: 'integer',
    min: 1,
    max: 65_535,
    default: 512,
    section: 'Upstreams',
    description:
      'Most open connections to one upstream. Further calls wait for a free one. A quarter is reserved for tokens that hold at most a sixteenth.'
  },
  SERVICE_INGRESS_BLOCK_HIGH_RISK: {
    type: 'switch',
    default: 'true',
    others: 'on',
    section: 'Masking and blocking',
    description:
      'Whether a request with a high-risk secret is blocked with 403. Only the exact value `false` turns it off; unset, empty, `0` and `False` leave it on, and anything but `true` and `false` is logged as a warning. If off, the secret is masked and the request is forwarded.'
  },
  ...telemetryVariables,
  ...ingressVariables,
  SERVICE_EVENTS_BODY_BYTES_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: kib,
    max: 16 * mib,
    default: mib,
    section: 'Limits',
    description: 'Largest body of `POST /api/events` as sent, before decompression.'
  },
  SERVICE_EVENTS_INFLATED_BYTES_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: kib,
    max: 16 * mib,
    default: 'SERVICE_EVENTS_BODY_BYTES_MAX',
    section: 'Limits',
    description: 'Largest body of `POST /api/events` after decompression.'
  },
  SERVICE_EVENTS_BATCH_MAX: {
    type: 'integer',
    min: 1,
    max: 4000,
    default: 1000,
    section: 'Limits',
    description: 'Most events in one request.'
  },
  SERVICE_EVENTS_PER_SECOND_MAX: {
    type: 'integer',
    min: 0,
    max: 10_000_000,
    default: 20_000,
    section: 'Limits',
    description:
      'Events per second that one workspace token may send to one instance; a burst may use the allowance of two seconds. Above it, requests get a 429 with Retry-After. `0` for no limit.'
  },
  SERVICE_EVENT_QUEUE_MAX: {
    type: 'integer',
    min: 1,
    max: 10_000_000,
    default: 20_000,
    section: 'Limits',
    description:
      'Most events that may wait to be written. Tokens take turns in it. Sensors may fill half of it, the last quarter of that half only with tokens that have little in it; beyond that their requests get a 503. If the record of a model call finds the queue full, it is counted and becomes part of a gap record.'
  },
  SERVICE_POLICY_STREAMS_MAX: {
    type: 'integer',
    min: 1,
    max: 1_000_000,
    default: 10_000,
    section: 'Limits',
    description: 'Most policy streams that one process serves. Each takes about 16 kB and a file descriptor.'
  },
  SERVICE_POLICY_STREAMS_PER_TOKEN_MAX: {
    type: 'integer',
    min: 1,
    max: 1_000_000,
    default: 1000,
    section: 'Limits',
    description: 'Most policy streams that one token may hold in one process.'
  },
  SERVICE_POLICY_STREAM_HEARTBEAT_MS: {
    type: 'integer',
    unit: 'ms',
    min: 500,
    max: 30_000,
    default: 15_000,
    section: 'Limits',
    description:
      'Interval of the heartbeat comment on an idle policy stream. Lower it if something on the way closes idle connections sooner. A sensor treats 45 s of silence as a dead connection.'
  },
  SERVICE_EXTRA_SURFACES: {
    type: 'list',
    default: '',
    section: 'Vocabularies',
    description:
      'Client surfaces to accept in addition to the built-in ones, comma-separated, each `[a-z0-9][a-z0-9-]{0,31}`.'
  },
  SERVICE_EXTRA_PROVIDERS: {
    type: 'list',
    default: '',
    section: 'Vocabularies',
    description: 'Model providers to accept in addition to the built-in ones, in the same form.'
  },
  SERVICE_EXTRA_SANDBOXES: {
    type: 'list',
    default: '',
    section: 'Vocabularies',
    description: 'Values of `downstreamServer` to accept in addition to the built-in ones, in the same form.'
  }
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables

/** Names that other modes of the program and its sensors read. They are not misspellings. */
export const foreignNames: readonly string[] = [
  'SERVICE_INGRESS_TARGET',
  'SERVICE_DOWNSTREAM_SERVER',
  'SERVICE_MCP_PROXY_MOCK',
  'SERVICE_CLIENT_SURFACE'
]

/** Entries of the service's table that another command reads as well, in the given order. */
export function entriesOf<Name extends VariableName>(...names: readonly Name[]): Pick<typeof variables, Name> {
  return Object.fromEntries(names.map((name) => [name, variables[name]])) as Pick<typeof variables, Name>
}
