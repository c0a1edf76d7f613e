/** Sends every cell of the matrix through a real service to an upstream that repeats what it was sent. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { call } from '../../test/support/http.ts'
import { placeholdersIn } from '../../test/support/placeholder.ts'
import { publishProfile } from '../../test/support/publish-profile.ts'
import { startTestService } from '../../test/support/start-service.ts'
import { startStubUpstream, type Behaviour } from '../../test/support/stub-upstream.ts'
import { answerBody, streamFrames } from '../../test/support/upstream-behaviours.ts'
import { routes, textsIn, type Place, type Route } from './places.ts'
import { chooseValues } from './planted.ts'

const encoders: Readonly<Record<string, (text: string) => Buffer>> = {
  identity: (text) => Buffer.from(text),
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync
}

/** The results for one route and place. */
export interface Row {
  readonly route: string
  readonly place: string
  requests: number
  /** Requests that were not answered with 200, or that did not arrive. */
  failed: number
  planted: number
  /** Planted values that arrived upstream. */
  leaked: number
  /** With restore on: values that the answer contained, of those that may be restored. */
  restored: number
  restorable: number
  /** With restore on: placeholders of values that may be restored but were not. */
  placeholdersLeft: number
  /** Kinds of leaked or unrestored values, for debugging. */
  readonly faults: Set<string>
}

interface MatrixOptions {
  /** Only plain and gzip bodies. */
  readonly short: boolean
}

const values = chooseValues()
const text = values.map(({ sentence }) => sentence).join('\n\n')
/** Values of the high tier are never restored. */
const returning = values.filter(({ tier }) => tier !== 'high')
const staying = new Set(values.filter(({ tier }) => tier === 'high').map(({ label }) => label))

/** Everything that is planted, for the head of the report. */
export const planted = values

/** Answers with every placeholder that it was sent, cut into small pieces if it streams. */
const repeats: Behaviour = (received, res) => {
  const body = JSON.parse(received.body.toString('utf8')) as { stream?: boolean }
  const known = [...new Set(textsIn(body).flatMap(placeholdersIn))]
  const answer = `You said ${known.join(' and ')}.`
  if (body.stream !== true) {
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(JSON.stringify(answerBody(received, answer)))
    return
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.end(streamFrames(received, answer.match(/.{1,5}/gs) ?? []).join(''))
}

/** All texts of an answer; the pieces of a stream are joined. */
function answerTexts(reply: string, isStream: boolean): string {
  if (!isStream) return textsIn(JSON.parse(reply)).join('\n')
  const events = reply.matchAll(/^data: (\{.*\})$/gm).map(([, data = '']) => JSON.parse(data) as StreamedEvent)
  return [...events].map((event) => pieceOf(event)).join('')
}

interface StreamedEvent {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[]
  readonly delta?: string | { readonly text?: string }
}
function pieceOf({ choices, delta }: StreamedEvent): string {
  if (typeof delta === 'string') return delta
  return delta?.text ?? choices?.[0]?.delta?.content ?? ''
}

/**
 * Runs the matrix.
 * @returns a row for each route and place
 */
export async function runMatrix({ short }: MatrixOptions): Promise<readonly Row[]> {
  await using stub = await startStubUpstream(repeats)
  await using service = await startTestService({ upstream: stub })
  const rows = routes.flatMap((route) => route.places.map((place) => ({ route, place, row: emptyRow(route, place) })))
  const encodings = Object.entries(encoders).slice(0, short ? 2 : Infinity)
  for (const isRestored of [false, true]) {
    // Blocks become masks, so that every value is forwarded; the model's text is masked like people's.
    const scopes = { assistant: 'masked' }
    await publishProfile(service, { blockHighRisk: false, restore: { enabled: isRestored }, scopes })
    for (const { route, place, row } of rows) {
      for (const stream of route.streams ? [false, true] : [false]) {
        for (const [encoding, encode] of encodings) {
          stub.forget()
          const headers = {
            'content-type': 'application/json',
            'content-encoding': encoding,
            'x-service-workspace-token': service.token
          }
          const body = encode(JSON.stringify(place.body(text, stream)))
          const reply = await call(service.sdkBaseUrl + route.path, { headers, body })
          const arrived = stub.received.map((one) => one.body.toString('utf8'))
          row.requests++
          row.planted += values.length
          if (reply.status !== 200 || arrived.length !== 1) {
            row.failed++
            continue
          }
          countLeaks(row, arrived)
          if (isRestored && route.speaks) countRestored(row, answerTexts(reply.text, stream))
        }
      }
    }
  }
  return rows.map(({ row }) => row)
}

const emptyRow = (route: Route, place: Place): Row => ({
  route: route.path,
  place: place.name,
  requests: 0,
  failed: 0,
  planted: 0,
  leaked: 0,
  restored: 0,
  restorable: 0,
  placeholdersLeft: 0,
  faults: new Set()
})

function countLeaks(row: Row, bodies: readonly string[]): void {
  const texts = bodies.flatMap((body) => [body, ...textsIn(JSON.parse(body))]).join('\n')
  for (const { kind, value } of values) {
    if (!texts.includes(value)) continue
    row.leaked++
    row.faults.add(kind)
  }
}

function countRestored(row: Row, answer: string): void {
  for (const { kind, value } of returning) {
    row.restorable++
    if (answer.includes(value)) row.restored++
    else row.faults.add(kind)
  }
  for (const placeholder of placeholdersIn(answer)) {
    const label = placeholder.slice(0, placeholder.lastIndexOf('_'))
    if (staying.has(label)) continue
    row.placeholdersLeft++
    row.faults.add(label)
  }
}
