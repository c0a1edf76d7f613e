/**
 * The OTLP messages as far as the test receiver needs them, with field names and numbers as the OpenTelemetry project
 * publishes them (opentelemetry-proto 1.x). Fields that are omitted here are skipped.
 */
import protobuf from 'protobufjs'

type Fields = Readonly<Record<string, readonly [id: number, type: string, rule?: 'repeated']>>

const message = (fields: Fields, oneofs?: Readonly<Record<string, { oneof: string[] }>>) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, [id, type, rule]]) => [name, rule ? { id, type, rule } : { id, type }])
  ),
  ...(oneofs ? { oneofs } : {})
})

/** A request of a signal: resources, their scopes, and the items of each scope. */
const request = (resources: string, scopes: string, items: string, item: string) => ({
  [`${item}Request`]: message({ [resources]: [1, `${item}Resource`, 'repeated'] }),
  [`${item}Resource`]: message({ resource: [1, 'Resource'], [scopes]: [2, `${item}Scope`, 'repeated'] }),
  [`${item}Scope`]: message({ scope: [1, 'Scope'], [items]: [2, item, 'repeated'] })
})

const value = {
  stringValue: [1, 'string'],
  boolValue: [2, 'bool'],
  intValue: [3, 'int64'],
  doubleValue: [4, 'double'],
  arrayValue: [5, 'ArrayValue'],
  kvlistValue: [6, 'KeyValueList'],
  bytesValue: [7, 'bytes']
} as const

const root = protobuf.Root.fromJSON({
  nested: {
    AnyValue: message(value, { value: { oneof: Object.keys(value) } }),
    ArrayValue: message({ values: [1, 'AnyValue', 'repeated'] }),
    KeyValueList: message({ values: [1, 'KeyValue', 'repeated'] }),
    KeyValue: message({ key: [1, 'string'], value: [2, 'AnyValue'] }),
    Resource: message({ attributes: [1, 'KeyValue', 'repeated'] }),
    Scope: message({ name: [1, 'string'], version: [2, 'string'] }),
    ...request('resourceSpans', 'scopeSpans', 'spans', 'Span'),
    Span: message({
      traceId: [1, 'bytes'],
      spanId: [2, 'bytes'],
      traceState: [3, 'string'],
      parentSpanId: [4, 'bytes'],
      name: [5, 'string'],
      kind: [6, 'int32'],
      startTimeUnixNano: [7, 'fixed64'],
      endTimeUnixNano: [8, 'fixed64'],
      attributes: [9, 'KeyValue', 'repeated'],
      status: [15, 'Status']
    }),
    Status: message({ message: [2, 'string'], code: [3, 'int32'] }),
    ...request('resourceLogs', 'scopeLogs', 'logRecords', 'LogRecord'),
    LogRecord: message({
      timeUnixNano: [1, 'fixed64'],
      severityNumber: [2, 'int32'],
      severityText: [3, 'string'],
      body: [5, 'AnyValue'],
      attributes: [6, 'KeyValue', 'repeated'],
      flags: [8, 'fixed32'],
      traceId: [9, 'bytes'],
      spanId: [10, 'bytes'],
      observedTimeUnixNano: [11, 'fixed64'],
      eventName: [12, 'string']
    }),
    ...request('resourceMetrics', 'scopeMetrics', 'metrics', 'Metric'),
    Metric: message({
      name: [1, 'string'],
      description: [2, 'string'],
      unit: [3, 'string'],
      sum: [7, 'Sum'],
      histogram: [9, 'Histogram']
    }),
    Sum: message({ dataPoints: [1, 'NumberPoint', 'repeated'] }),
    NumberPoint: message({ attributes: [7, 'KeyValue', 'repeated'] }),
    Histogram: message({ dataPoints: [1, 'HistogramPoint', 'repeated'] }),
    HistogramPoint: message({ count: [4, 'fixed64'], attributes: [9, 'KeyValue', 'repeated'] })
  }
})

const types = { traces: 'SpanRequest', logs: 'LogRecordRequest', metrics: 'MetricRequest' } as const
export type Signal = keyof typeof types

/** Decodes a protobuf request to OTLP's JSON form: ids in hexadecimal digits, 64-bit numbers as text. */
export function decodeProtobuf(signal: Signal, bytes: Uint8Array): object {
  const type = root.lookupType(types[signal])
  const plain = type.toObject(type.decode(bytes), { longs: String, bytes: Buffer, arrays: true })
  return JSON.parse(
    JSON.stringify(plain, (_key, held: unknown) => {
      const buffer = held as { readonly type?: unknown; readonly data?: readonly number[] } | null
      return buffer?.type === 'Buffer' && buffer.data ? Buffer.from(buffer.data).toString('hex') : held
    })
  ) as object
}
