import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filler } from '../detection/sample-text.ts'
import { credentialValues } from './credential-values.ts'
import { Secret } from './secret.ts'
import { sensorCredentials } from './sensor-credentials.ts'

const one = filler(24, undefined, 61)
const other = filler(24, undefined, 62)
const special = `p/${filler(20, undefined, 63)}`

test('a sensor knows its token, and what else its environment holds for it, a service and libraries', () => {
  const found = (env: Record<string, string>): string[] => credentialValues(sensorCredentials(new Secret(other), env))
  for (const [name, value] of [
    ['HTTPS_PROXY', `http://user:${one}@proxy.internal:3128`],
    ['OTEL_EXPORTER_OTLP_HEADERS', `x-key=${one}`],
    ['UPSTREAM_CHAT_API_KEY', one],
    ['DATABASE_URL', `postgres://sluice:${one}@db.internal/sluice`]
  ] as const) {
    const values = found({ [name]: value, PATH: special })
    assert.ok(values.includes(one) && values.includes(other) && !values.includes(special), name)
  }
  assert.deepEqual(found({}), [other])
})
