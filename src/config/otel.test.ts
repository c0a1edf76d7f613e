import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readOtel } from './otel.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
const enabled = (env: Record<string, string>): string[] =>
  Object.keys(readOtel(env).otel ?? {}).filter((key) => ['TRACES', 'METRICS', 'LOGS'].includes(key))

it('nothing is exported unless a variable says where or what', () => {
  const table: [env: Record<string, string>, enabled: string[]][] = [
    [{}, []],
    [{ OTEL_SERVICE_NAME: 'x', OTEL_RESOURCE_ATTRIBUTES: 'a=b' }, []],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, []],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, []],
    [endpoint, ['TRACES', 'METRICS', 'LOGS']],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, []],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'false' }, ['TRACES', 'METRICS', 'LOGS']],
    [{ ...endpoint, OTEL_LOGS_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }, ['TRACES']],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, ['TRACES']],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, ['TRACES']],
    [{ OTEL_METRICS_EXPORTER: 'console' }, ['METRICS']],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, []]
  ]
  for (const [env, expected] of table) assert.deepEqual(enabled(env), expected, JSON.stringify(env))
})

it('protocols, samplers and limits are read as the standard says', () => {
  const env = {
    ...endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/protobuf',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '99',
    OTEL_METRIC_EXPORT_INTERVAL: '1000'
  }
  const { otel, warnings } = readOtel(env)
  assert.deepEqual(warnings, [])
  assert.equal(otel?.TRACES?.protocol, 'http/json')
  assert.equal(otel.LOGS?.protocol, 'http/protobuf')
  assert.deepEqual(otel.sampler, { root: 'traceidratio', ratio: 0.25, isParentBased: true })
  assert.deepEqual([otel.spanBatch, otel.logBatch], [{ maxQueueSize: 99 }, {}])
  assert.deepEqual([otel.metricIntervalMs, otel.metricTimeoutMs], [1000, 1000])
})

it('an invalid value is ignored with a warning that only names the variable', () => {
  const wrong = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collec-tor:4318',
    OTEL_TRACES_EXPORTER: 'zip-kin, otlp',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'gr-pc',
    OTEL_TRACES_SAMPLER: 'some-times',
    OTEL_BSP_SCHEDULE_DELAY: '-5'
  }
  const { otel, warnings } = readOtel({ ...endpoint, ...wrong })
  assert.deepEqual(otel?.TRACES, { exporters: ['otlp'], protocol: 'http/protobuf' })
  assert.deepEqual(otel.sampler, { root: 'always_on', ratio: 1, isParentBased: true })
  assert.deepEqual(
    warnings.map((sentence) => sentence.split(' ')[0]),
    Object.keys(wrong)
  )
  for (const text of Object.values(wrong)) assert.ok(!warnings.join().includes(text), text)
  const { otel: sampled, warnings: said } = readOtel({
    ...endpoint,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '1e9'
  })
  assert.equal(sampled?.sampler.ratio, 1)
  assert.equal(said.length, 1)
})
