import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createDiagLogger } from './diag-logger.ts'

const secret = ['otel', 'key', '4711'].join('-')

/** What is logged of a problem. */
function logged(message: string, env: Record<string, string>): string {
  let lines = ''
  const log = pino({}, { write: (line: string) => void (lines += line) })
  createDiagLogger(log, env).warn(message)
  return lines
}

test('a problem is logged without the values of variables, wherever the library repeats them', () => {
  const cases: Record<string, [name: string, value: string]> = {
    [`OTEL_EXPORTER_OTLP_TIMEOUT is invalid (actual: ${secret})`]: ['OTEL_EXPORTER_OTLP_TIMEOUT', secret],
    [`Could not parse environment-provided export URL: '://u:${secret}@'`]: [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      `://u:${secret}@`
    ],
    [`Header "x-key" has invalid value (${secret}\n) and will be ignored`]: [
      'OTEL_EXPORTER_OTLP_HEADERS',
      `x-a=b,x-key=${secret}%0A`
    ],
    [`request to https://u:${secret}@collector.example/v1 failed`]: [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'https://other.example'
    ]
  }
  for (const [message, [name, value]] of Object.entries(cases)) {
    const line = logged(message, { [name]: value, PATH: '/usr/bin' })
    assert.ok(!line.includes(secret), line)
    assert.match(line, /OpenTelemetry is in trouble/)
  }
})

test('what remains of a problem says what it is', () => {
  const message = 'OTEL_EXPORTER_OTLP_COMPRESSION is invalid, expected none or gzip (actual: brotli)'
  const line = logged(message, { OTEL_EXPORTER_OTLP_COMPRESSION: 'brotli', HOME: 'invalid' })
  assert.ok(line.includes('OTEL_EXPORTER_OTLP_COMPRESSION is invalid, expected none or gzip (actual: [value])'), line)
})

test('a collector that is away costs one line a minute, and a short one, however much is said of it', (context) => {
  let now = 5
  context.mock.method(performance, 'now', () => now)
  const lines: string[] = []
  const logger = createDiagLogger(pino({ base: null }, { write: (line: string) => void lines.push(line) }), {})
  for (let turn = 0; turn < 3; turn++) logger.error('connection refused '.repeat(1000))
  now += 59_999
  logger.warn('still away')
  assert.equal(lines.length, 1)
  assert.ok((lines[0]?.length ?? 0) < 500, String(lines[0]))
  now += 1
  logger.warn('still away')
  assert.match(lines[1] ?? '', /still away/)
})
