/** The load generator, a process of its own on the upstream's core. */
import { setTimeout as sleep } from 'node:timers/promises'
import { makeBody, makeTurns, type BenchBody, type BodyDialect } from './bodies.ts'
import { latencyOf, type Latency } from './measure.ts'
import { makeRequest, openConnection, type Answer, type Connection, type Target } from './raw-http.ts'
import { serveParent } from './serve-parent.ts'

const dialect: BodyDialect = 'chat-completions'
/** Several bodies per size, so that nothing gains from a repeated one. */
const bodiesPerSize = 8
const largeBytes = 1_000_000

const bodiesBySize = new Map<number, BenchBody[]>()

function bodiesOf(sizeBytes: number): BenchBody[] {
  let bodies = bodiesBySize.get(sizeBytes)
  if (bodies === undefined) {
    const count = sizeBytes > largeBytes ? 1 : bodiesPerSize
    bodies = Array.from({ length: count }, (_, seed) => makeBody(dialect, sizeBytes, seed))
    bodiesBySize.set(sizeBytes, bodies)
  }
  return bodies
}

const requestsOf = (target: Target, sizeBytes: number): Buffer[] =>
  bodiesOf(sizeBytes).map((body) => makeRequest(target, body.bytes))

function expectOk(answer: Answer, target: Target): void {
  if (answer.status !== 200) throw new Error(`${target.name} answered ${answer.status} instead of 200.`)
}

async function withConnections<T>(
  port: number,
  count: number,
  use: (connections: Connection[]) => Promise<T>
): Promise<T> {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(port)))
  try {
    return await use(connections)
  } finally {
    for (const connection of connections) connection.close()
  }
}

/**
 * Sends each body once and checks the responses: the masked count in the header must equal the number of planted
 * values.
 */
async function probe({
  target,
  sizeBytes,
  masked
}: {
  target: Target
  sizeBytes: number
  masked: boolean
}): Promise<void> {
  await withConnections(target.port, 1, async ([connection]) => {
    for (const body of bodiesOf(sizeBytes)) {
      const answer = await (connection as Connection).send(makeRequest(target, body.bytes))
      expectOk(answer, target)
      const count = /x-service-entities-masked: *(\d+)/i.exec(answer.head)?.[1]
      if (masked && Number(count) !== body.mails) {
        const instead = `${target.name} masked ${count ?? 'nothing'} in a body of ${sizeBytes} bytes`
        throw new Error(`${instead} with ${body.mails} mail addresses.`)
      }
    }
  })
}

interface Saturation {
  readonly target: Target
  readonly sizeBytes: number
  readonly connections: number
  readonly durationMs: number
}

/** Closed loop: each connection sends its next request as soon as it has a response. */
async function saturate({
  target,
  sizeBytes,
  connections: count,
  durationMs
}: Saturation): Promise<{ answers: number; elapsedMs: number }> {
  const requests = requestsOf(target, sizeBytes)
  return withConnections(target.port, count, async (connections) => {
    const startedAt = performance.now()
    let answers = 0
    await Promise.all(
      connections.map(async (connection, i) => {
        for (let n = i; performance.now() - startedAt < durationMs; n++) {
          expectOk(await connection.send(requests[n % requests.length] as Buffer), target)
          answers++
        }
      })
    )
    return { answers, elapsedMs: performance.now() - startedAt }
  })
}

interface Alternation {
  readonly targets: readonly Target[]
  readonly sizeBytes: number
  readonly durationMs: number
}

/**
 * Low load: one request at a time, alternating between the targets, so that any disturbance affects all of them alike.
 */
async function alternate({ targets, sizeBytes, durationMs }: Alternation): Promise<Latency[]> {
  const lanes = await Promise.all(
    targets.map(async (target) => ({
      target,
      requests: requestsOf(target, sizeBytes),
      connection: await openConnection(target.port),
      samplesMs: [] as number[]
    }))
  )
  const startedAt = performance.now()
  for (let round = 0; performance.now() - startedAt < durationMs; round++) {
    for (let i = 0; i < lanes.length; i++) {
      const lane = lanes[(round + i) % lanes.length] as (typeof lanes)[number]
      const sentAt = performance.now()
      expectOk(await lane.connection.send(lane.requests[round % lane.requests.length] as Buffer), lane.target)
      lane.samplesMs.push(performance.now() - sentAt)
    }
  }
  for (const lane of lanes) lane.connection.close()
  return lanes.map((lane) => latencyOf(lane.samplesMs))
}

interface Mixture {
  readonly target: Target
  readonly smallBytes: number
  readonly smallConnections: number
  /** Pause of a small-call connection between a response and the next request. */
  readonly smallPauseMs: number
  /** 0 omits the large bodies. */
  readonly largeBytes: number
  readonly durationMs: number
}

/** Small calls at a modest rate, next to one connection that sends large bodies without a pause. */
async function mix(mixture: Mixture): Promise<{ small: Latency; large: Latency }> {
  const { target, smallConnections, smallPauseMs, durationMs } = mixture
  const smallRequests = requestsOf(target, mixture.smallBytes)
  const largeRequests = mixture.largeBytes > 0 ? requestsOf(target, mixture.largeBytes) : []
  const samplesMs = { small: [] as number[], large: [] as number[] }
  return withConnections(target.port, smallConnections + 1, async ([largeConnection, ...connections]) => {
    const startedAt = performance.now()
    const goesOn = (): boolean => performance.now() - startedAt < durationMs
    async function timed(connection: Connection, request: Buffer, samples: number[]): Promise<void> {
      const sentAt = performance.now()
      expectOk(await connection.send(request), target)
      samples.push(performance.now() - sentAt)
    }
    const small = connections.map(async (connection, i) => {
      for (let n = i; goesOn(); n++) {
        await timed(connection, smallRequests[n % smallRequests.length] as Buffer, samplesMs.small)
        await sleep(smallPauseMs)
      }
    })
    const large = (async () => {
      for (let n = 0; largeRequests.length > 0 && goesOn(); n++) {
        await timed(largeConnection as Connection, largeRequests[n % largeRequests.length] as Buffer, samplesMs.large)
      }
    })()
    await Promise.all([...small, large])
    return { small: latencyOf(samplesMs.small), large: latencyOf(samplesMs.large) }
  })
}

interface Conversation {
  readonly target: Target
  readonly dialect: BodyDialect
  readonly sizeBytes: number
  readonly turns: number
  /** Each seed makes a different conversation. */
  readonly seed: number
  /** Sends only the last body, as a client without earlier turns does. */
  readonly onlyLast: boolean
}

/** One agent: sends a turn once it has the response to the previous one. */
async function converse({ target, dialect, sizeBytes, turns, seed, onlyLast }: Conversation): Promise<number[]> {
  const bodies = makeTurns(dialect, sizeBytes, turns, seed)
  const requests = (onlyLast ? bodies.slice(-1) : bodies).map((bytes) => makeRequest(target, bytes))
  return withConnections(target.port, 1, async ([connection]) => {
    const samplesMs: number[] = []
    for (const request of requests) {
      const sentAt = performance.now()
      expectOk(await (connection as Connection).send(request), target)
      samplesMs.push(performance.now() - sentAt)
    }
    return samplesMs
  })
}

serveParent({}, { probe, saturate, alternate, mix, converse }, () => {})
