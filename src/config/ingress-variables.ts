/** The part of the table of variables that limits the cost of a model request. */
import { milliseconds } from './milliseconds.ts'

const section = 'Limits'

/** A body is converted to a single string, and V8's longest string has 2^29 - 24 code units. */
const bodyBytesMax = 268_435_456
const kib = 1024
const mib = 1024 * kib

export const ingressVariables = {
  SERVICE_INGRESS_BODY_BYTES_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: kib,
    max: bodyBytesMax,
    default: 32 * mib,
    section,
    description: 'Largest body of a model request as sent, before decompression.'
  },
  SERVICE_INGRESS_INFLATED_BYTES_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: kib,
    max: bodyBytesMax,
    default: 'SERVICE_INGRESS_BODY_BYTES_MAX',
    section,
    description: 'Largest body of a model request after decompression.'
  },
  SERVICE_INGRESS_DEPTH_MAX: {
    type: 'integer',
    min: 16,
    max: 10_000,
    default: 256,
    section,
    description: 'Deepest nesting of arrays and objects in a model request.'
  },
  SERVICE_INGRESS_VALUES_MAX: {
    type: 'integer',
    min: 1000,
    max: 100_000_000,
    default: 2_000_000,
    section,
    description: 'Most JSON values (strings, numbers, literals, arrays, objects; keys do not count) in a model request.'
  },
  SERVICE_INGRESS_UPLOAD_TIMEOUT_MS: milliseconds(
    section,
    120_000,
    1,
    'How long a client may take to send its request.'
  ),
  SERVICE_INGRESS_KEEP_ALIVE_MS: milliseconds(
    section,
    15_000,
    100,
    'After how long an idle stream gets a frame that keeps its connection open.'
  ),
  SERVICE_INGRESS_BYTES_IN_FLIGHT_MAX: {
    type: 'integer',
    unit: 'bytes',
    min: kib,
    max: Number.MAX_SAFE_INTEGER,
    default: 512 * mib,
    section,
    description:
      'Most bytes of model requests in memory at once. Requests beyond it get a 503 with Retry-After. A quarter is reserved for tokens that hold at most a sixteenth.'
  },
  SERVICE_INGRESS_CLEAN_SECTIONS_MAX: {
    type: 'integer',
    min: 0,
    max: 16_777_216,
    default: 65_536,
    section,
    description:
      'How many messages and other parts of model requests to remember, for an hour, so that a conversation is not scanned from its beginning at each turn. Each takes 32 bytes of memory, and 16 on average for where something is masked; no text is kept. With `0` every request is scanned in full.'
  }
} as const
