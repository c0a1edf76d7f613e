import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { formatFaults, loadConfig, type Config } from './config.ts'
import { describeVariables, listVariables } from './describe-variables.ts'
import { readHeaderList } from './values.ts'
import { variables, type Variable } from './variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const cwd = folder
const hexKey = 'ab12'.repeat(16)
const base64Key = 'A'.repeat(43) + '='
/** Stands for anything secret; no result of the loader may ever hold it. */
const canary = ['can', 'ary-', '7f3a9c'].join('')
const database = 'postgres://user:pass@db.example/sluice?sslmode=verify-full'

type Env = Record<string, string>

function load(env: Env): Config {
  const result = loadConfig(env, { cwd })
  assert.ok(result.ok, result.ok ? '' : formatFaults(result.faults))
  return result.config
}

function faultNames(env: Env): string[] {
  const result = loadConfig(env, { cwd })
  return result.ok ? [] : result.faults.map((fault) => fault.name)
}

const valid: [what: string, env: Env, pick: (config: Config) => unknown, expected: unknown][] = [
  [
    'the defaults',
    {},
    (c) => [c.listen, c.logLevel, c.drainTimeoutMs],
    [{ host: '127.0.0.1', port: 8080 }, 'info', 10_000]
  ],
  [
    'the default bases',
    {},
    (c) => [c.upstream.chat.base, c.upstream.messages.base],
    ['https://api.openai.com/v1', 'https://api.anthropic.com']
  ],
  [
    'the default bases are known as such',
    {},
    (c) => c.upstream.chat.isDefaultBase && c.upstream.messages.isDefaultBase,
    true
  ],
  [
    'a default base with a slash',
    { UPSTREAM_CHAT_API_BASE: 'https://api.openai.com/v1/' },
    (c) => c.upstream.chat.isDefaultBase,
    true
  ],
  [
    'an own base',
    { UPSTREAM_CHAT_API_BASE: 'http://127.0.0.1:4010/v1//' },
    (c) => c.upstream.chat,
    { base: 'http://127.0.0.1:4010/v1', isDefaultBase: false }
  ],
  [
    'an own base without a path',
    { UPSTREAM_MESSAGES_API_BASE: 'https://models.example' },
    (c) => c.upstream.messages.base,
    'https://models.example'
  ],
  ['port 0', { PORT: '0' }, (c) => c.listen.port, 0],
  [
    'an empty text as unset',
    { PORT: '', HOST: '', UPSTREAM_CHAT_API_BASE: '', SERVICE_EXTRA_SURFACES: '' },
    (c) => c.listen.port,
    8080
  ],
  ['IPv6', { HOST: '::1' }, (c) => c.listen.host, '::1'],
  ['the data directory from the working directory', {}, (c) => c.dataDir, join(folder, 'data')],
  ['an absolute data directory', { SERVICE_DATA_DIR: '/srv/sluice' }, (c) => c.dataDir, '/srv/sluice'],
  ['blocking unset', {}, (c) => c.blockHighRisk, true],
  ['blocking empty', { SERVICE_INGRESS_BLOCK_HIGH_RISK: '' }, (c) => c.blockHighRisk, true],
  ['blocking 0', { SERVICE_INGRESS_BLOCK_HIGH_RISK: '0' }, (c) => c.blockHighRisk, true],
  ['blocking False', { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'False' }, (c) => c.blockHighRisk, true],
  ['blocking false with a space', { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'false ' }, (c) => c.blockHighRisk, true],
  ['blocking true', { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'true' }, (c) => c.blockHighRisk, true],
  ['blocking fasle', { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'fasle' }, (c) => c.blockHighRisk, true],
  [
    'other switches',
    { SERVICE_METRICS: 'false', SERVICE_OTEL_GENAI: 'true' },
    (c) => [c.metrics, c.genAiAttributes],
    [false, true]
  ],
  ['a number with zeros before it', { PORT: '08080' }, (c) => c.listen.port, 8080],
  ['IPv6 with a zone', { HOST: 'fe80::1%eth0' }, (c) => c.listen.host, 'fe80::1%eth0'],
  [
    'a base with a line end behind it',
    { UPSTREAM_CHAT_API_BASE: 'https://a.example/v1\n' },
    (c) => c.upstream.chat.base,
    'https://a.example/v1'
  ],
  ['blocking false', { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'false' }, (c) => c.blockHighRisk, false],
  ['a key', { UPSTREAM_CHAT_API_KEY: canary }, (c) => c.upstream.chat.key?.reveal(), canary],
  [
    'a key from a file with a line end',
    { UPSTREAM_MESSAGES_API_KEY_FILE: file('key', `${canary}\n`) },
    (c) => c.upstream.messages.key?.reveal(),
    canary
  ],
  [
    'a key from a relative file',
    { UPSTREAM_MESSAGES_API_KEY_FILE: 'key' },
    (c) => c.upstream.messages.key?.reveal(),
    canary
  ],
  [
    'an empty file name as unset',
    { UPSTREAM_CHAT_API_KEY: canary, UPSTREAM_CHAT_API_KEY_FILE: '' },
    (c) => c.upstream.chat.key?.reveal(),
    canary
  ],
  ['a hexadecimal master key', { SERVICE_MASTER_KEY: hexKey }, (c) => c.masterKey?.reveal(), hexKey],
  ['a base64 master key', { SERVICE_MASTER_KEY: base64Key }, (c) => c.masterKey?.reveal(), base64Key],
  [
    'a master key from a file',
    { SERVICE_MASTER_KEY_FILE: file('master', hexKey) },
    (c) => c.masterKey?.reveal(),
    hexKey
  ],
  [
    'a database',
    { DATABASE_URL: database, SERVICE_MASTER_KEY: hexKey },
    (c) => [c.database?.url.reveal(), c.database?.connectionsMax],
    [database, 10]
  ],
  [
    'a database behind a socket of the machine',
    { DATABASE_URL: 'postgresql:///sluice?host=/run/postgresql', SERVICE_MASTER_KEY: hexKey },
    (c) => c.warnings.filter((warning) => warning.includes('DATABASE_URL')),
    []
  ],
  [
    'how long records are kept',
    { SERVICE_EVENTS_RETENTION_DAYS: '7', SERVICE_AUDIT_RETENTION_DAYS: '90', SERVICE_STORE_BYTES_MAX: '2000000000' },
    (c) => c.retention,
    { eventDays: 7, auditDays: 90, storeBytesMax: 2_000_000_000 }
  ],
  [
    'the inflated bound of the body bound',
    { SERVICE_INGRESS_BODY_BYTES_MAX: '5000' },
    (c) => c.ingress.inflatedBytesMax,
    5000
  ],
  [
    'an inflated bound of its own',
    { SERVICE_INGRESS_INFLATED_BYTES_MAX: '7000' },
    (c) => c.ingress.inflatedBytesMax,
    7000
  ],
  [
    'more surfaces',
    { SERVICE_EXTRA_SURFACES: 'zed, aider' },
    (c) => ['zed', 'aider', 'sdk'].every((name) => c.vocabularies.surfaces.has(name)),
    true
  ],
  [
    'more providers and sandboxes',
    { SERVICE_EXTRA_PROVIDERS: 'cohere', SERVICE_EXTRA_SANDBOXES: 'fly' },
    (c) => c.vocabularies.providers.has('cohere') && c.vocabularies.sandboxes.has('fly'),
    true
  ],
  ['no collector', {}, (c) => c.eventsOtlp, undefined],
  [
    'a collector by its base',
    { SERVICE_EVENTS_OTLP_ENDPOINT: 'https://c.example/otlp/' },
    (c) => c.eventsOtlp?.url,
    'https://c.example/otlp/v1/logs'
  ],
  [
    'a collector by its whole address',
    { SERVICE_EVENTS_OTLP_ENDPOINT: 'https://c.example/v1/logs', SERVICE_EVENTS_OTLP_HEADERS: 'a=b%20c, D-e = f=g' },
    (c) => [c.eventsOtlp?.url, readHeaderList(c.eventsOtlp?.headers?.reveal() ?? '')],
    ['https://c.example/v1/logs', { a: 'b c', 'd-e': 'f=g' }]
  ],
  ['what a vendor is told of a trace', {}, (c) => [c.passedContext, c.genAiAttributes], ['traceparent', true]]
]

const invalid: [what: string, env: Env, names: string[]][] = [
  ['a port beyond the last', { PORT: '65536' }, ['PORT']],
  ['a negative port', { PORT: '-1' }, ['PORT']],
  ['a number in exponent form', { PORT: '8e3' }, ['PORT']],
  ['a number with a unit', { UPSTREAM_IDLE_TIMEOUT_MS: '10s' }, ['UPSTREAM_IDLE_TIMEOUT_MS']],
  ['a number with a space', { SERVICE_EVENT_QUEUE_MAX: ' 5' }, ['SERVICE_EVENT_QUEUE_MAX']],
  [
    'a time longer than a timer can wait',
    { UPSTREAM_HEADERS_TIMEOUT_MS: '2147483648' },
    ['UPSTREAM_HEADERS_TIMEOUT_MS']
  ],
  ['a host with a scheme', { HOST: 'http://localhost' }, ['HOST']],
  ['a host with a port', { HOST: 'localhost:80' }, ['HOST']],
  ['a host in brackets', { HOST: '[::1]' }, ['HOST']],
  ['an address with a part that is too large', { HOST: '127.0.0.256' }, ['HOST']],
  ...['fasle', 'False', '0', 'no', 'off', 'on', '1', 'false '].flatMap((text): [string, Env, string[]][] =>
    ['SERVICE_METRICS', 'SERVICE_OTEL_GENAI', 'SERVICE_LOCAL_SIGN_IN'].map((name) => [
      `${name} as "${text}"`,
      { [name]: text },
      [name]
    ])
  ),
  ...[
    'https:/a.example/v1',
    'https:a.example',
    'https://a.exa\nmple/v1',
    'https://a.example/v 1',
    '"https://a.example"'
  ].map((text): [string, Env, string[]] => [
    `the base ${JSON.stringify(text)}`,
    { UPSTREAM_CHAT_API_BASE: text },
    ['UPSTREAM_CHAT_API_BASE']
  ]),
  ['an issuer with a space behind it', { SERVICE_OIDC_ISSUER: 'https://a.example ' }, ['SERVICE_OIDC_ISSUER']],
  ['a home folder that no shell has read', { SERVICE_DATA_DIR: '~/sluice' }, ['SERVICE_DATA_DIR']],
  ['a file in such a folder', { UPSTREAM_CHAT_API_KEY_FILE: '~/key' }, ['UPSTREAM_CHAT_API_KEY_FILE']],
  ['a certificate there', { SERVICE_TLS_CERT_FILE: '~/a', SERVICE_TLS_KEY_FILE: 'key' }, ['SERVICE_TLS_CERT_FILE']],
  ['a key with the scheme of its header', { UPSTREAM_CHAT_API_KEY: `Bearer ${canary}` }, ['UPSTREAM_CHAT_API_KEY']],
  ['a key in quotes', { UPSTREAM_CHAT_API_KEY: `"${canary}"` }, ['UPSTREAM_CHAT_API_KEY']],
  ['an unknown log level', { SERVICE_LOG_LEVEL: 'verbose' }, ['SERVICE_LOG_LEVEL']],
  ['a base that is no URL', { UPSTREAM_CHAT_API_BASE: 'api.openai.com' }, ['UPSTREAM_CHAT_API_BASE']],
  ['a header without a value', { SERVICE_EVENTS_OTLP_HEADERS: `authorization` }, ['SERVICE_EVENTS_OTLP_HEADERS']],
  ['a header of two lines', { SERVICE_EVENTS_OTLP_HEADERS: `a=${canary}%0Ab` }, ['SERVICE_EVENTS_OTLP_HEADERS']],
  ['a header badly encoded', { SERVICE_EVENTS_OTLP_HEADERS: `a=${canary}%zz` }, ['SERVICE_EVENTS_OTLP_HEADERS']],
  ['a word for traces', { SERVICE_UPSTREAM_TRACE_CONTEXT: 'all' }, ['SERVICE_UPSTREAM_TRACE_CONTEXT']],
  ['a collector by gRPC', { SERVICE_EVENTS_OTLP_PROTOCOL: 'grpc' }, ['SERVICE_EVENTS_OTLP_PROTOCOL']],
  ['a base of another scheme', { UPSTREAM_CHAT_API_BASE: 'ftp://a.example' }, ['UPSTREAM_CHAT_API_BASE']],
  [
    'a base with credentials',
    { UPSTREAM_CHAT_API_BASE: `https://user:${canary}@a.example` },
    ['UPSTREAM_CHAT_API_BASE']
  ],
  ['a base with a query', { UPSTREAM_CHAT_API_BASE: `https://a.example/?k=${canary}` }, ['UPSTREAM_CHAT_API_BASE']],
  ['a base with an empty query', { UPSTREAM_CHAT_API_BASE: 'https://a.example/v1?' }, ['UPSTREAM_CHAT_API_BASE']],
  ['a base with a fragment', { UPSTREAM_MESSAGES_API_BASE: 'https://a.example/#x' }, ['UPSTREAM_MESSAGES_API_BASE']],
  ['a key with a line end inside', { UPSTREAM_CHAT_API_KEY: `${canary}\r\nx: y` }, ['UPSTREAM_CHAT_API_KEY']],
  [
    'a key and its file',
    { UPSTREAM_CHAT_API_KEY: canary, UPSTREAM_CHAT_API_KEY_FILE: 'key' },
    ['UPSTREAM_CHAT_API_KEY']
  ],
  ['a file that is missing', { UPSTREAM_CHAT_API_KEY_FILE: 'missing' }, ['UPSTREAM_CHAT_API_KEY_FILE']],
  ['a file that is a folder', { UPSTREAM_CHAT_API_KEY_FILE: '.' }, ['UPSTREAM_CHAT_API_KEY_FILE']],
  ['a file that is empty', { UPSTREAM_CHAT_API_KEY_FILE: file('empty', '\n') }, ['UPSTREAM_CHAT_API_KEY_FILE']],
  [
    'a file that is too long',
    { UPSTREAM_CHAT_API_KEY_FILE: file('long', canary.repeat(6000)) },
    ['UPSTREAM_CHAT_API_KEY_FILE']
  ],
  [
    'a file of two lines',
    { UPSTREAM_CHAT_API_KEY_FILE: file('lines', `${canary}\n${canary}`) },
    ['UPSTREAM_CHAT_API_KEY_FILE']
  ],
  ['a short master key', { SERVICE_MASTER_KEY: hexKey.slice(2) }, ['SERVICE_MASTER_KEY']],
  ['a master key that is no text of 32 bytes', { SERVICE_MASTER_KEY: `${'A'.repeat(42)}B=` }, ['SERVICE_MASTER_KEY']],
  ['a master key file of prose', { SERVICE_MASTER_KEY_FILE: file('prose', canary) }, ['SERVICE_MASTER_KEY_FILE']],
  ['a database without a master key', { DATABASE_URL: database }, ['SERVICE_MASTER_KEY']],
  [
    'a database with a broken master key, once',
    { DATABASE_URL: database, SERVICE_MASTER_KEY: canary },
    ['SERVICE_MASTER_KEY']
  ],
  ...[
    `mysql://u:${canary}@db.example/sluice`,
    `u:${canary}@db.example`,
    `postgres://u:${canary}@db.example`,
    `postgres://u:${canary}@db.example/sluice?sslmode=prefer`,
    `postgres://u:${canary}@db.example/sluice?sslmod=require`,
    `postgres://u:${canary}@one.example,two.example/sluice`,
    `postgres://u:${canary}#1@db.example/sluice`,
    `postgres://u:${canary}%zz@db.example/sluice`
  ].map((url, index): [string, Env, string[]] => [
    `database URL ${index + 1} of another form`,
    { DATABASE_URL: url, SERVICE_MASTER_KEY: hexKey },
    ['DATABASE_URL']
  ]),
  ['a cap that an empty store passes', { SERVICE_STORE_BYTES_MAX: '1000' }, ['SERVICE_STORE_BYTES_MAX']],
  ['a retention of no day', { SERVICE_AUDIT_RETENTION_DAYS: '0' }, ['SERVICE_AUDIT_RETENTION_DAYS']],
  ['names in capitals', { SERVICE_EXTRA_SURFACES: 'Zed' }, ['SERVICE_EXTRA_SURFACES']],
  ['an empty name', { SERVICE_EXTRA_PROVIDERS: 'a,,b' }, ['SERVICE_EXTRA_PROVIDERS']],
  [
    'less in flight than one body',
    { SERVICE_INGRESS_BYTES_IN_FLIGHT_MAX: '1048576' },
    ['SERVICE_INGRESS_BYTES_IN_FLIGHT_MAX']
  ],
  ['several at once', { PORT: 'x', HOST: 'a b', SERVICE_MASTER_KEY: canary }, ['HOST', 'PORT', 'SERVICE_MASTER_KEY']]
]

describe('loadConfig', () => {
  for (const [what, env, pick, expected] of valid) {
    it(`accepts ${what}`, () => assert.deepEqual(pick(load(env)), expected))
  }
  for (const [what, env, names] of invalid) {
    it(`refuses ${what}, by name`, () => assert.deepEqual(faultNames(env).toSorted(), names.toSorted()))
  }

  it('reports the fault of a variable on which others depend only once', () => {
    assert.deepEqual(faultNames({ SERVICE_INGRESS_BODY_BYTES_MAX: 'x' }), ['SERVICE_INGRESS_BODY_BYTES_MAX'])
  })

  it('never repeats a value, whatever variable it was pasted into', () => {
    for (const [name, variable] of Object.entries<Variable>(variables)) {
      const pasted = `${canary} \u0001`
      const result = loadConfig({ [name]: pasted, [`${name}_FILE`]: variable.type === 'secret' ? '' : canary }, { cwd })
      const shown = result.ok ? JSON.stringify(result.config.warnings) : JSON.stringify(result.faults)
      assert.ok(!shown.includes(canary), name)
    }
    for (const [, env] of invalid) assert.ok(!JSON.stringify(loadConfig(env, { cwd })).includes(canary))
  })

  it('refuses values outside the bounds of every integer', () => {
    for (const [name, variable] of Object.entries<Variable>(variables)) {
      if (variable.type !== 'integer') continue
      assert.ok(faultNames({ [name]: String(variable.max + 1) }).includes(name), name)
      if (variable.min > 0) assert.ok(faultNames({ [name]: String(variable.min - 1) }).includes(name), name)
    }
  })
})

describe('the described table', () => {
  it('lists every variable in the help, in lines that fit a terminal', () => {
    const lines = describeVariables().split('\n')
    for (const { name } of listVariables())
      assert.ok(
        lines.some((line) => line.trim().split(', ')[0] === name),
        name
      )
    for (const line of lines) assert.ok(line.length <= 100, line)
  })

  it('has a full sentence for every variable, and the file form of every secret', () => {
    for (const { name, description, takes, fileForm } of listVariables()) {
      assert.match(description, /^[A-Z].*\.$/, name)
      assert.notEqual(takes, '', name)
      assert.equal(fileForm, takes.startsWith('secret') ? `${name}_FILE` : undefined, name)
    }
  })

  it('states only defaults that the loader accepts', () => {
    const env = Object.fromEntries(
      Object.entries<Variable>(variables).flatMap(([name, variable]) =>
        'default' in variable && !String(variable.default).endsWith('_MAX') ? [[name, String(variable.default)]] : []
      )
    )
    const { settings, ...stated } = load(env)
    const { settings: unset, ...loaded } = load({})
    assert.deepEqual(stated, loaded)
    const values = (shown: typeof settings) => shown.map(({ name, value }) => [name, value])
    assert.deepEqual(values(settings), values(unset))
  })
})
