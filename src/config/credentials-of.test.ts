import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filler } from '../detection/sample-text.ts'
import { credentialsOf } from './credentials-of.ts'
import { foreignSecrets } from './foreign-secrets.ts'

const one = filler(24, undefined, 31)
const other = filler(24, undefined, 32)
const special = `p/${one}`

test('of an address the password counts, or what stands in the place of the name alone', () => {
  for (const [text, credential] of [
    [`http://proxy:${encodeURIComponent(special)}@proxy.internal:3128`, special],
    [`https://${one}@collector.internal/v1`, one],
    [`postgres://sluice:${one}@db.internal/sluice`, one]
  ] as const)
    assert.ok(credentialsOf(text).includes(credential), text.slice(0, 12))
  assert.deepEqual(
    credentialsOf('http://proxy.internal:3128').filter((text) => text !== ''),
    []
  )
})

test('of headers each value counts, without its scheme, whatever is wrong with the others', () => {
  const login = Buffer.from(`user:${one}`).toString('base64')
  for (const text of [
    `x-api-key=${one}`,
    `authorization=Bearer%20${one},x-tenant=a`,
    ` broken , x-api-key = ${one} ,x=%zz`,
    `authorization=Basic%20${encodeURIComponent(login)}`
  ])
    assert.ok(credentialsOf(text).includes(one), text.slice(0, 12))
  assert.ok(credentialsOf(`authorization=Basic ${login}`).includes(login))
})

test('the id of a tenant is no credential, but an API key may be a UUID', () => {
  const uuid = '4c1d7f0e-93a2-4b58-8e6d-2f7a05c9b31e'
  assert.ok(!credentialsOf(`x-tenant=${uuid},x-a=b`).includes(uuid))
  assert.ok(credentialsOf(`x-tenant=a,x-api-key=${uuid}`).includes(uuid))
  assert.ok(credentialsOf(uuid).includes(uuid))
})

test('variables that libraries read hold credentials as well', () => {
  const found = (env: Record<string, string>): string[] =>
    foreignSecrets(env).flatMap((secret) => credentialsOf(secret.reveal()))
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_HEADERS', `authorization=Bearer ${one}`],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', `x-key=${one}`],
    ['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', `https://otel:${one}@collector.internal`],
    ['HTTPS_PROXY', `http://user:${one}@proxy.internal:3128`],
    ['http_proxy', `user:${one}@proxy.internal:3128`],
    ['PGPASSWORD', one]
  ] as const) {
    assert.ok(found({ [name]: value, PATH: other }).includes(one), name)
    assert.ok(!found({ [name]: value, PATH: other }).includes(other), name)
  }
})
