/**
 * Secrets and personal data to plant in requests. Each is generated from a seed, has the checksum of its kind, and is
 * assembled from pieces, so that no scanner of source code reports this file as a leak.
 */
import { base62, crc32 } from '../../src/detection/validators/crc32.ts'
import { mintToken } from '../../src/protocol/token-format.ts'
import { createRandom, type SeededRandom } from './random.ts'

export interface Planted {
  readonly kind: PlantedKind
  readonly value: string
  /** A sentence that contains the value in the context that its kind needs to be certain. */
  readonly sentence: string
  /** The part that no other planted value shares, at least 9 characters: what a search for leaks looks for. */
  readonly needle: string
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const lower = upper.toLowerCase()
const digits = '0123456789'
const base62Digits = digits + upper + lower
const base64Url = `${base62Digits}-_`

type Make = (random: SeededRandom) => { value: string; needle?: string; context?: (value: string) => string }

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const makers = {
  email(random) {
    const local = `${random.text(lower, 7)}.${random.text(lower, 8)}`
    return {
      value: `${local}@quillmark-labs.com`,
      needle: local,
      context: (value) => `Please write to ${value} about it.`
    }
  },
  phone(random) {
    const rest = `1${5 + random.below(2)}${2 + random.below(7)}${random.text('23456789', 8)}`
    return { value: `+49${rest}`, needle: rest, context: (value) => `Her phone number is ${value} at work.` }
  },
  stripe_test_key(random) {
    return {
      value: ['sk', 'test', random.text(base62Digits, 32)].join('_'),
      context: (value) => `Sandbox key: ${value} .`
    }
  },
  aws_access_key_id(random) {
    return { value: ['AK', 'IA', random.text(`${upper}234567`, 16)].join('') }
  },
  github_token(random) {
    const body = random.text(base62Digits, 30)
    return { value: ['gh', 'p_', body, base62(crc32(body), 6)].join('') }
  },
  anthropic_key(random) {
    return { value: ['sk-', 'ant-', 'api03-', random.text(base64Url, 93), 'AA'].join('') }
  },
  openai_key(random) {
    const half = (): string => random.text(base62Digits, 20)
    return { value: ['sk', '-', half(), 'T3Bl', 'bkFJ', half()].join('') }
  },
  jwt(random) {
    const payload = encoded({ sub: random.text(base62Digits, 18), iat: 1_700_000_000 + random.below(9_000_000) })
    const signature = random.text(base62Digits, 43)
    return { value: [encoded({ alg: 'HS256', typ: 'JWT' }), payload, signature].join('.'), needle: signature }
  },
  us_ssn(random) {
    const area = 301 + random.below(300)
    const value = [area, 11 + random.below(80), 1001 + random.below(8900)].join('-')
    return { value, context: (ssn) => `The social security number (SSN): ${ssn} belongs to the patient.` }
  },
  workspace_token(random) {
    return { value: mintToken((count) => Uint8Array.from({ length: count }, () => random.below(256))).token }
  }
} as const satisfies Record<string, Make>

export type PlantedKind = keyof typeof makers

/** Kinds of the medium tier, which are masked. */
export const maskedKinds = ['email', 'phone', 'stripe_test_key'] as const satisfies readonly PlantedKind[]

/** Kinds of the high tier, which block a request. */
export const blockedKinds = [
  'aws_access_key_id',
  'github_token',
  'anthropic_key',
  'openai_key',
  'jwt',
  'us_ssn',
  'workspace_token'
] as const satisfies readonly PlantedKind[]

/** Kinds of the high tier that are certain or strong on their own, without a keyword nearby. */
export const bareBlockedKinds = blockedKinds.filter((kind) => kind !== 'us_ssn')

/** Runs and words for which a detector may reject a value as made up. */
const looksMadeUp = /(.)\1{3}|0123|1234|2345|4567|7654|abcd|efgh|test(?!_)|demo|fake|mock|dummy|sample|example|xxx|000/i

/** Makes distinct values of any kind, reproducible from the seed. */
export function createPlanter(seed: number): (kind: PlantedKind) => Planted {
  const random = createRandom(seed)
  return (kind) => {
    const make: Make = makers[kind]
    for (;;) {
      const { value, needle = value.slice(-24), context = (v: string) => `Use ${v} for the deployment.` } = make(random)
      if (!looksMadeUp.test(value)) return { kind, value, needle, sentence: context(value) }
    }
  }
}
