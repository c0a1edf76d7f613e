/**
 * Consent of a person to one call, as it travels through a client of a revision without sessions: a signed state that
 * names the call by its server, tool and exact arguments, holds for a short time, and once.
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

/** What a call is, for a consent. */
export interface AskedCall {
  readonly serverKey: string
  readonly tool: string
  /** The bytes of `arguments` as the client sent them. */
  readonly args: Uint8Array
  /** Who calls, where the transport says so: the `authorization` header. */
  readonly principal: string | undefined
}

/** What a state carries beside the consent. */
export interface CarriedState {
  /** `ask`: a question was put. `approved`: it was answered with yes, and the server has a question of its own. */
  readonly step: 'ask' | 'approved'
  /** Of the first event about the call; those that follow bear the same. */
  readonly requestId: string
  /** The server's own state, to be handed back to it. */
  readonly inner?: string | undefined
  /** JSON of answers that the client gave to the server before the question was put. */
  readonly answers?: string | undefined
}

const lifeMs = 600_000
const statesMax = 100_000
/** A longer text is no state of ours. */
const stateUnitsMax = 262_144

/** A state of ours, as it was signed. */
export interface SignedState extends CarriedState {
  readonly nonce: string
  readonly until: number
  readonly call: CallDigest
}

export class ConsentStates {
  readonly #key: KeyObject
  readonly #wallMs: () => number
  /** Nonces of states that were used, and until when they would hold. */
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

  /** @returns what a state carries; undefined for one that is not ours. It may be late, used, or of another call */
  read(state: string): SignedState | undefined {
    const [text = '', mac = '', rest] = state.length > stateUnitsMax ? [] : state.split('.')
    const given = Buffer.from(mac, 'base64url')
    const expected = this.#mac(text)
    if (rest !== undefined || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as SignedState
  }

  /** Uses a state up. @returns whether it holds: for this very call, in time, and for the first time */
  redeem(state: SignedState, call: CallDigest): boolean {
    const now = this.#wallMs()
    if (state.until < now || state.call !== call || this.#used.has(state.nonce)) return false
    return this.#remember(state, now)
  }

  /** @returns false where so many were used within their time that one could come twice */
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

/** Names a call, and holds nothing of it. */
export type CallDigest = string

/** The digest of a call, to which a consent is bound. */
export function callDigest({ serverKey, tool, args, principal }: AskedCall): CallDigest {
  const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('base64url')
  return sha256(JSON.stringify([serverKey, tool, sha256(args), principal === undefined ? null : sha256(principal)]))
}
