/**
 * A gate that is given messages directly: real policy documents and real sessions; events are validated like in the
 * service.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { trafficDetectors } from '../../../detection/detectors/traffic.ts'
import { plainScanner } from '../../../policy/redaction/profile-scanner.ts'
import { revisionId } from '../../../policy/revision.ts'
import { createScrubber } from '../../../policy/redaction/scrub.ts'
import { judgeEvent, type SensorEvent } from '../../../protocol/events/event.ts'
import { builtInVocabularies } from '../../../protocol/vocabularies.ts'
import { placeholderDigest } from '../../placeholder-digest.ts'
import type { ServerIdentity, Step } from '../gate-contract.ts'
import { ConsentStates } from './consent.ts'
import type { GateContext } from './gate-context.ts'
import { compileGatePolicy, type GatePolicy } from './gate-policy.ts'
import type { PolicyAge } from './judge-call.ts'
import type { OpenCall } from './open-call.ts'
import { PinStore } from './pin-store.ts'
import { ServerState } from './server-state.ts'
import { Session } from './session.ts'

export const testToken = 'svw_' + 'a'
const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
const rules = { vocabularies: builtInVocabularies, scrub: createScrubber(plainScanner(trafficDetectors)) }

/** Compiles documents; omitted settings have their defaults. */
export function policyOf(tools: object = {}, profile: object = {}, sequence = 1): GatePolicy {
  const documents = {
    mcpToolPolicy: { version: 1, servers: [{ id: 'files', command: ['files', '**'] }], ...tools },
    redactionProfile: { version: 1, ...profile }
  }
  const revision = revisionId(sequence, documents, sha256Hex)
  return compileGatePolicy(
    { ...documents, revision },
    { digest: placeholderDigest(testToken), detectors: trafficDetectors }
  )
}

export class TestGate {
  policy: GatePolicy | undefined
  age: PolicyAge = { isFresh: true, ageMs: 0 }
  /** Events as the service would store them. */
  readonly events: SensorEvent[] = []
  /** How servers failed at calls, as OpenTelemetry is told. */
  readonly failures: (string | undefined)[] = []
  readonly context: GateContext
  readonly server: ServerState
  /** The time on both clocks. */
  now = Date.UTC(2026, 10, 1)
  pinsDir: string | undefined
  readonly warnings: string[] = []

  constructor(
    tools: object = {},
    profile: object = {},
    options: { readonly identity?: ServerIdentity; readonly pinsDir?: string } = {}
  ) {
    this.policy = policyOf(tools, profile)
    this.context = {
      policy: () => this.policy,
      age: () => this.age,
      policyWait: () => undefined,
      problem: () => 'the service cannot be reached',
      report: (event, _trace, failure) => {
        this.failures.push(failure)
        const judged = judgeEvent(JSON.parse(JSON.stringify(event)), rules)
        assert.ok(judged.ok, judged.ok ? '' : JSON.stringify(judged.faults))
        assert.deepEqual(
          judged.warnings.filter((one) => !one.includes('clientSurface')),
          []
        )
        this.events.push(judged.event)
      },
      consent: new ConsentStates(testToken, () => this.now),
      openCalls: new Set<OpenCall>(),
      surface: undefined,
      askTimeoutMs: 60_000,
      log: { warn: () => undefined, debug: () => undefined },
      nowMs: () => this.now,
      wallMs: () => this.now
    }
    const onWarning = (code: string): void => void this.warnings.push(code)
    this.server = new ServerState(
      options.identity ?? { command: ['files', '/srv'] },
      (key) => new PinStore(key, { dir: options.pinsDir, token: testToken, onWarning })
    )
  }

  session(transport: 'stdio' | 'http' = 'stdio'): TestSession {
    const told: Json[] = []
    const notify = (message: Uint8Array): void => void told.push(valueOf(message))
    return new TestSession(new Session(this.server, { transport, notify }, this.context), told)
  }

  /** Reason codes and actions of decisions, in the order in which they were reported. */
  get decisions(): string[] {
    return this.events
      .filter(({ kind }) => kind === 'tool_call_enforcement')
      .map(({ action, reasonCode }) => `${action} ${reasonCode}`)
  }
}

type Json = Readonly<Record<string, unknown>>

/** A session that accepts values or texts and returns values. */
export class TestSession {
  readonly session: Session
  /** Notifications that the gate sent to the client. */
  readonly told: readonly Json[]
  #id = 0

  constructor(session: Session, told: readonly Json[] = []) {
    this.session = session
    this.told = told
  }

  /** Sends a client's message, given as text or as a value. */
  async client(message: string | object, http?: IncomingHttpHeaders): Promise<Step> {
    return await this.session.fromClient(bytesOf(message), http)
  }

  async server(message: string | object): Promise<Step> {
    return await this.session.fromServer(bytesOf(message))
  }

  /** Calls a tool. */
  async call(name: string, args?: unknown, more: object = {}): Promise<Step> {
    return await this.client(callOf(++this.#id, name, args, more))
  }

  /** Lists tools: sends the request, answers it with these tools, and returns what the client receives. */
  async list(tools: readonly unknown[], more: object = {}, params: object = {}): Promise<Json> {
    const id = ++this.#id
    assert.ok((await this.client({ jsonrpc: '2.0', id, method: 'tools/list', params })).forward)
    return valueOf((await this.server({ jsonrpc: '2.0', id, result: { tools, ...more } })).forward)
  }
}

export const callOf = (id: number | string, name: string, args?: unknown, more: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, ...(args !== undefined && { arguments: args }), ...more }
})

export const bytesOf = (message: string | object): Buffer =>
  Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))

export function valueOf(bytes: Uint8Array | undefined): Json {
  assert.ok(bytes, 'nothing was sent')
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as Json
}

/** The refusal in a step, as a model and a program read it. */
export function refusalOf(step: Step): { readonly text: string; readonly code: string; readonly meta: Json } {
  assert.equal(step.forward, undefined, 'it was forwarded')
  const result = valueOf(step.reply)['result'] as {
    readonly isError: boolean
    readonly content: readonly { readonly text: string }[]
    readonly _meta: Readonly<Record<string, Json>>
  }
  assert.ok(result, Buffer.from(step.reply as Uint8Array).toString('utf8'))
  assert.equal(result.isError, true)
  const meta = result._meta['dev.sluice/refusal'] as Json
  return { text: result.content[0]?.text ?? '', code: String(meta['code']), meta }
}

/** The code of the JSON-RPC error in a step. */
export function errorOf(step: Step): number {
  assert.equal(step.forward, undefined, 'it was forwarded')
  return (valueOf(step.reply)['error'] as { readonly code: number }).code
}
