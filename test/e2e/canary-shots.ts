/** Requests that contain planted values in every possible place. */
import { gzipSync } from 'node:zlib'
import { dialectNames, pathOf, userBody } from '../support/dialects.ts'
import type { CallOptions } from '../support/http.ts'
import { bareBlockedKinds, blockedKinds, createPlanter, maskedKinds, type Planted } from '../support/planted.ts'

const planter = createPlanter(2_026)

export interface Shot extends CallOptions {
  readonly fate: string
  readonly path: string
  /** Whether the request leaves an audit row: it is a sensor event or a model call. */
  readonly recorded: boolean
  readonly planted: readonly Planted[]
  /** Whether the upstream may see a value, because it needs the field that contains it. */
  readonly mayGoUp?: boolean
}

const high = (i: number): Planted => planter(blockedKinds[i % blockedKinds.length] ?? 'jwt')
/** A value that is high-risk even without a keyword nearby. */
const bare = (i: number): Planted => planter(bareBlockedKinds[i % bareBlockedKinds.length] ?? 'jwt')
const medium = (i: number): Planted => planter(maskedKinds[i % maskedKinds.length] ?? 'email')
const asJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The ways in which a request can contain a value, in rotation. */
const fates: readonly ((i: number, path: string, dialect: (typeof dialectNames)[number]) => Shot)[] = [
  (i, path, dialect) => {
    const planted = [medium(i), planter('email')]
    return {
      fate: 'masked',
      path,
      recorded: true,
      planted,
      body: userBody(dialect, planted.map((p) => p.sentence).join('\n'), { stream: i % 3 === 0 })
    }
  },
  (i, path, dialect) => {
    const planted = [high(i), medium(i)]
    return {
      fate: 'blocked',
      path,
      recorded: true,
      planted,
      body: userBody(dialect, planted.map((p) => p.sentence).join('\n'))
    }
  },
  (i, path, dialect) => {
    const planted = [i % 2 ? high(i) : medium(i)]
    const whole = userBody(dialect, planted[0]?.sentence)
    const broken = [
      whole.slice(0, -3),
      `${whole}}`,
      whole.replace('"messages"', '"mess"'),
      whole.replace('"user"', '7'),
      `\u0000${whole}`
    ][i % 5]
    return { fate: 'malformed', path, recorded: true, planted, body: broken ?? '' }
  },
  (i, path, dialect) => {
    const planted = [high(i)]
    const zipped = gzipSync(userBody(dialect, planted[0]?.sentence))
    return {
      fate: 'broken encoding',
      path,
      recorded: true,
      planted,
      headers: { 'content-encoding': i % 2 ? 'br' : 'gzip' },
      body: zipped.subarray(0, -9)
    }
  },
  (i, path, dialect) => {
    const planted = [(i >> 3) % 2 ? bare(i) : medium(i)]
    const name = [
      'x-service-client-surface',
      'x-service-model-provider',
      'x-service-model-id',
      'x-request-id',
      'user-agent',
      'anthropic-beta',
      'openai-organization',
      'idempotency-key'
    ][i % 8]
    const value = (planted[0]?.value ?? '').slice(0, name === 'x-service-model-id' ? 80 : 4000)
    return {
      fate: `in a header ${name}`,
      path,
      recorded: true,
      planted,
      headers: { [name as string]: value },
      body: userBody(dialect, 'Hello.'),
      mayGoUp: (i >> 3) % 2 === 0
    }
  },
  (i, path, dialect) => {
    const planted = [medium(i)]
    const value = asJson(planted[0]?.value ?? '')
    const body = [
      userBody(dialect, 'Hello.', { model: value }),
      userBody(dialect, 'Hello.', { [value]: 1 }),
      `{"messages":[{"role":"${value}","content":"a"}]}`,
      `{"messages":[{"role":"user","content":"a","${value}":1,"content":2}]}`
    ][i % 4]
    return { fate: 'in a model, a key or a role', path, recorded: true, planted, body: body ?? '', mayGoUp: true }
  },
  (i, path) => {
    const planted = [bare(i)]
    const value = encodeURIComponent(planted[0]?.value ?? '')
    return {
      fate: 'in a path or a query',
      path: i % 2 ? `/api/ingress/v1/${value}` : `${path}?beta=${value}&${value}=1`,
      recorded: i % 2 === 0,
      planted,
      body: userBody('messages', 'Hello.')
    }
  },
  (i) => {
    const planted = [i % 2 ? bare(i) : medium(i)]
    const value = planted[0]?.value
    const shapes = [
      { mcpToolName: value },
      { prompt: value },
      { modelId: value },
      { action: value },
      { [String(value)]: value },
      { sensorId: `s ${value}`, ruleId: value },
      { clientSurface: value, downstreamServer: value, platform: value },
      { kind: value },
      { eventId: value },
      { entityCounts: { [String(value)]: 1 } },
      { requestId: value },
      { occurredAt: value },
      { reasonCode: value, policyRevision: value },
      { messages: [{ [String(value)]: value }] }
    ]
    return {
      fate: 'in an event',
      path: '/api/events',
      recorded: false,
      planted,
      body: JSON.stringify({
        kind: 'tool_call_enforcement',
        action: 'mask',
        mcpToolName: 'one',
        ...shapes[(i >> 3) % shapes.length]
      })
    }
  }
]

/** Somebody who types a secret where a name belongs; what limits attempts remembers the name. */
function signIn(): Shot {
  const planted = [planter('email')]
  const body = JSON.stringify({ name: planted[0]?.value, password: 'a guess of some length' })
  return { fate: 'as the name of a user', path: '/api/session', recorded: false, planted, body }
}

/** `count` requests in rotation over all ways, each with unique values, and an attempt to sign in. */
export function createShots(count: number): Shot[] {
  const calls = Array.from({ length: count }, (_, i) => {
    const dialect = dialectNames[(i >> 3) % 2] ?? 'messages'
    return fates[i % fates.length]?.(i >> 3, `/api/ingress/v1${pathOf[dialect]}`, dialect) as Shot
  })
  return [signIn(), ...calls]
}
