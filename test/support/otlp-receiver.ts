/** An OTLP receiver over HTTP: accepts spans, log records and metrics in protobuf and JSON, and keeps them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { decodeProtobuf, type Signal } from './otlp-types.ts'

export type Attributes = Readonly<Record<string, unknown>>

interface Held {
  readonly resource: Attributes
  readonly attributes: Attributes
}

export interface ReceivedSpan extends Held {
  readonly name: string
  /** 2 for server, 3 for client. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly traceState: string
}

interface ReceivedLog extends Held {
  readonly eventName: string
  readonly body: unknown
  readonly traceId: string
  readonly spanId: string
  readonly severityNumber: number
  readonly timeUnixNano: string
}

interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  readonly points: readonly Attributes[]
}

export interface ReceivedRequest {
  readonly signal: Signal
  readonly headers: IncomingMessage['headers']
  /** The decompressed body. */
  readonly bytes: Buffer
  readonly logs: readonly ReceivedLog[]
}

/**
 * Handles a request of log records that has been read. Unless it sends a response of its own, the receiver responds.
 */
type Reception = (request: ReceivedRequest, res: ServerResponse) => 'take' | 'leave' | Promise<'take' | 'leave'>

export interface OtlpReceiver extends AsyncDisposable {
  /** Address to which `/v1/<signal>` is appended. */
  readonly url: string
  readonly port: number
  readonly spans: ReceivedSpan[]
  readonly logs: ReceivedLog[]
  readonly metrics: ReceivedMetric[]
  /** Every request that was read, including those that were not accepted. */
  readonly requests: ReceivedRequest[]
  behave(reception: Reception): void
}

interface AnyValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string | number
  readonly doubleValue?: number
  readonly arrayValue?: { readonly values?: readonly AnyValue[] }
  readonly kvlistValue?: { readonly values?: readonly KeyValue[] }
}

interface KeyValue {
  readonly key: string
  readonly value?: AnyValue
}

function plain(value: AnyValue = {}): unknown {
  if (value.kvlistValue) return attributesOf(value.kvlistValue.values)
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(plain)
  if (value.intValue !== undefined) return Number(value.intValue)
  return value.stringValue ?? value.boolValue ?? value.doubleValue
}

const attributesOf = (pairs: readonly KeyValue[] = []): Attributes =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, plain(value)]))

type Item = Readonly<Record<string, unknown>>

/** All items of a request, each with its resource. */
function itemsOf(body: object, resources: string, scopes: string, items: string): [resource: Attributes, Item][] {
  const list = (held: Item, name: string): Item[] => (held[name] ?? []) as Item[]
  return list(body as Item, resources).flatMap((one) => {
    const resource = attributesOf((one['resource'] as { attributes?: KeyValue[] } | undefined)?.attributes)
    return list(one, scopes).flatMap((scope) => list(scope, items).map((item): [Attributes, Item] => [resource, item]))
  })
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const toSpan = ([resource, span]: [Attributes, Item]): ReceivedSpan => ({
  resource,
  attributes: attributesOf(span['attributes'] as KeyValue[]),
  name: text(span['name']),
  kind: Number(span['kind']),
  traceId: text(span['traceId']),
  spanId: text(span['spanId']),
  parentSpanId: text(span['parentSpanId']),
  traceState: text(span['traceState'])
})

const toLog = ([resource, log]: [Attributes, Item]): ReceivedLog => ({
  resource,
  attributes: attributesOf(log['attributes'] as KeyValue[]),
  eventName: text(log['eventName']),
  body: plain(log['body'] as AnyValue),
  traceId: text(log['traceId']),
  spanId: text(log['spanId']),
  severityNumber: Number(log['severityNumber']),
  timeUnixNano: text(log['timeUnixNano'])
})

function toMetric([, metric]: [Attributes, Item]): ReceivedMetric {
  const points = ((metric['sum'] ?? metric['histogram']) as { dataPoints?: Item[] } | undefined)?.dataPoints ?? []
  return {
    name: text(metric['name']),
    unit: text(metric['unit']),
    points: points.map((point) => attributesOf(point['attributes'] as KeyValue[]))
  }
}

/** @param port the port to listen on; any free one if omitted */
export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const [spans, logs, metrics, requests]: [ReceivedSpan[], ReceivedLog[], ReceivedMetric[], ReceivedRequest[]] = [
    [],
    [],
    [],
    []
  ]
  let reception: Reception = () => 'take'

  async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks)
    const bytes = req.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    const signal = /^\/v1\/(traces|logs|metrics)$/.exec(req.url ?? '')?.[1] as Signal | undefined
    const isJson = req.headers['content-type'] === 'application/json'
    if (signal === undefined) return void res.writeHead(404).end()
    const body = isJson ? (JSON.parse(bytes.toString('utf8')) as object) : decodeProtobuf(signal, bytes)
    const read = itemsOf(body, 'resourceLogs', 'scopeLogs', 'logRecords').map(toLog)
    const request = { signal, headers: req.headers, bytes, logs: read }
    requests.push(request)
    if (signal === 'logs' && (await reception(request, res)) === 'leave') return undefined
    logs.push(...read)
    spans.push(...itemsOf(body, 'resourceSpans', 'scopeSpans', 'spans').map(toSpan))
    metrics.push(...itemsOf(body, 'resourceMetrics', 'scopeMetrics', 'metrics').map(toMetric))
    if (res.writableEnded) return undefined
    res.writeHead(200, { 'content-type': isJson ? 'application/json' : 'application/x-protobuf' })
    res.end(isJson ? '{}' : undefined)
  }

  const server = createServer((req, res) => {
    receive(req, res).catch(() => res.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const taken = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    spans,
    logs,
    metrics,
    requests,
    behave(next) {
      reception = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
