/**
 * A person's consent to one call, carried through a client of a revision without sessions: a signed state that
 * identifies the call by server, tool and exact arguments, and is valid for a short time and once.
 */
import {
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject
} from 'node:crypto'

/** What identifies a call for a consent. */
interface AskedCall {
  readonly serverKey: string
  readonly tool: string
  /** The bytes of `arguments` as the client sent them. */
  readonly args: Uint8Array
  /** Who calls, if the transport says so: the `authorization` header. */
  readonly principal: string | undefined
}

/** What a state carries besides the consent. */
export interface CarriedState {
  /** `ask`: a question was asked. `approved`: it was answered with yes, and the server has a question of its own. */
  readonly step: 'ask' | 'approved'
  /** The request ID of the first event about the call; later events have the same. */
  readonly requestId: string
  /** The server's own state, to be returned to it. */
  readonly inner?: string | undefined
  /** JSON of answers that the client gave to the server before our question was asked. */
  readonly answers?: string | undefined
}

const lifeMs = 600_000
const statesMax = 100_000
/** Longer text cannot be a state of ours. */
const stateUnitsMax = 262_144

/** A state of ours, as it was signed. */
interface SignedState extends CarriedState {
  readonly nonce: string
  readonly until: number
  readonly call: CallDigest
}

export class ConsentStates {
  readonly #key: KeyObject
  readonly #wallMs: () => number
  /** Nonces of used states, and until when these would be valid. */
  readonly #used = new Map<string, number>()

  /** @param token the sensor's workspace token; only a key derived from it is kept */
  constructor(token: string, wallMs: () => number) {
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', token, '', 'sluice/1/mcp-consent', 32)))
    this.#wallMs = wallMs
  }

  sign(call: CallDigest, carried: CarriedState): string {
    const payload: SignedState = {
      ...carried,
      nonce: randomBytes(16).toString('base64url'),
      until: this.#wallMs() + lifeMs,
      call
    }
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
    return `${text}.${this.#mac(text).toString('base64url')}`
  }

  /** @returns the contents of a state; undefined if it is not ours. It may be expired, used, or for another call */
  read(state: string): SignedState | undefined {
    const [text = '', mac = '', rest] = state.length > stateUnitsMax ? [] : state.split('.')
    const given = Buffer.from(mac, 'base64url')
    const expected = this.#mac(text)
    if (rest !== undefined || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as SignedState
  }

  /** Uses a state up. @returns whether it is valid: for exactly this call, in time, and for the first time */
  redeem(state: SignedState, call: CallDigest): boolean {
    const now = this.#wallMs()
    if (state.until < now || state.call !== call || this.#used.has(state.nonce)) return false
    return this.#remember(state, now)
  }

  /** @returns false if so many are in use that one could be accepted twice */
  #remember({ nonce, until }: SignedState, now: number): boolean {
    if (this.#used.size >= statesMax) for (const [key, end] of this.#used) if (end < now) this.#used.delete(key)
    if (this.#used.size >= statesMax) return false
    this.#used.set(nonce, until)
    return true
  }

  #mac(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest()
  }
}

/** Identifies a call without holding any of it. */
export type CallDigest = string

/** The digest of a call, to which a consent is bound. */
export function callDigest({ serverKey, tool, args, principal }: AskedCall): CallDigest {
  const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('base64url')
  return sha256(JSON.stringify([serverKey, tool, sha256(args), principal === undefined ? null : sha256(principal)]))
}
