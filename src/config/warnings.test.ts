/** The loader's warnings about configurations that are allowed but probably not intended. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatFaults, loadConfig, type Config } from './config.ts'
import { mcpProxyVariables } from './mcp-proxy-variables.ts'
import { misspellings } from './misspellings.ts'
import { sidecarVariables } from './sidecar-variables.ts'
import { variables } from './variables.ts'

const hexKey = 'ab12'.repeat(16)
/** Stands for anything secret; no warning may ever hold it. */
const canary = ['can', 'ary-', '7f3a9c'].join('')
const database = 'postgres://user:pass@db.example/sluice?sslmode=verify-full'

type Env = Record<string, string>

function load(env: Env): Config {
  const result = loadConfig(env, { cwd: '/srv' })
  assert.ok(result.ok, result.ok ? '' : formatFaults(result.faults))
  return result.config
}

describe('warnings', () => {
  const warnings = (env: Env) => load(env).warnings
  const quiet = { UPSTREAM_CHAT_API_KEY: 'k', UPSTREAM_MESSAGES_API_KEY: 'k' }

  it('mention a default base without a key, and disappear once keys are set', () => {
    assert.equal(warnings({}).length, 2)
    assert.match(warnings({})[0] as string, /^UPSTREAM_CHAT_API_KEY is not set/)
    assert.deepEqual(warnings(quiet), [])
  })

  it('accept an own base without a key', () => {
    const own = { UPSTREAM_CHAT_API_BASE: 'http://localhost:1/v1', UPSTREAM_MESSAGES_API_BASE: 'http://[::1]:2' }
    assert.deepEqual(warnings(own), [])
  })

  it('mention plain http to another machine', () => {
    const [warning, ...rest] = warnings({ ...quiet, UPSTREAM_CHAT_API_BASE: 'http://10.0.0.7/v1' })
    assert.match(warning as string, /^UPSTREAM_CHAT_API_BASE is plain http/)
    assert.deepEqual(rest, [])
  })

  it('mention a database connection without encryption', () => {
    const text = (url: string) => warnings({ ...quiet, DATABASE_URL: url, SERVICE_MASTER_KEY: hexKey }).join()
    assert.match(text('postgres://u:p@db.example/sluice'), /^DATABASE_URL has no sslmode/)
    assert.match(text('postgres://u:p@db.example/sluice?sslmode=disable'), /^DATABASE_URL has no sslmode/)
    assert.equal(text('postgres://u:p@127.0.0.1/sluice'), '')
    assert.equal(text(database), '')
  })

  it('mention a value that leaves blocking on and a base that contains its route', () => {
    for (const text of ['fasle', 'False', '0', 'false ', 'on']) {
      const [warning, ...rest] = warnings({ ...quiet, SERVICE_INGRESS_BLOCK_HIGH_RISK: text })
      assert.match(warning as string, /^SERVICE_INGRESS_BLOCK_HIGH_RISK is neither true nor false, so it is on/)
      assert.deepEqual(rest, [])
    }
    for (const text of ['true', 'false', ''])
      assert.deepEqual(warnings({ ...quiet, SERVICE_INGRESS_BLOCK_HIGH_RISK: text }), [])
    const shown = load({ SERVICE_INGRESS_BLOCK_HIGH_RISK: 'fasle' }).settings
    assert.equal(shown.find(({ name }) => name === 'SERVICE_INGRESS_BLOCK_HIGH_RISK')?.value, 'true')
    for (const [name, base] of [
      ['UPSTREAM_CHAT_API_BASE', 'https://a.example/v1/chat/completions/'],
      ['UPSTREAM_MESSAGES_API_BASE', 'https://a.example/v1'],
      ['UPSTREAM_MESSAGES_API_BASE', 'https://a.example/v1/messages']
    ] as const)
      assert.match(warnings({ ...quiet, [name]: base }).join(), new RegExp(`^${name} ends with what is appended to it`))
    assert.deepEqual(warnings({ ...quiet, UPSTREAM_MESSAGES_API_BASE: 'https://a.example/proxy' }), [])
    for (const [base, expected] of [
      ['https://a.example/v1/v1/', 'UPSTREAM_CHAT_API_BASE ends with /v1 twice: once is what vendors have.'],
      ['https://api.openai.com/', 'UPSTREAM_CHAT_API_BASE lacks the version: set it to https://api.openai.com/v1.']
    ] as const)
      assert.deepEqual(warnings({ ...quiet, UPSTREAM_CHAT_API_BASE: base }), [expected])
  })

  it('mention misspelt names but not unrelated ones', () => {
    const env = {
      ...quiet,
      SERVICE_INGRES_BLOCK_HIGH_RISK: 'false',
      UPSTREAM_CHAT_API_KEYS: canary,
      UPSTREAM_CHAT_API_KEY_FIEL: canary,
      SERVICE_DOWNSTREAM_SERVER: 'e2b',
      SERVICE_HOST: 'x',
      UPSTREAM_PORT: 'tcp://10.0.0.1:80'
    }
    const text = warnings(env).join('\n')
    assert.match(text, /SERVICE_INGRES_BLOCK_HIGH_RISK .*did you mean SERVICE_INGRESS_BLOCK_HIGH_RISK\?/)
    assert.match(text, /UPSTREAM_CHAT_API_KEYS .*did you mean UPSTREAM_CHAT_API_KEY\?/)
    assert.match(text, /UPSTREAM_CHAT_API_KEY_FIEL .*did you mean UPSTREAM_CHAT_API_KEY_FILE\?/)
    assert.equal(warnings(env).length, 3)
    assert.ok(!text.includes(canary))
  })

  it('mention names with a word too few or too many, and none that another program sets or reads', () => {
    for (const [name, meant] of [
      ['UPSTREAM_CHAT_BASE', 'UPSTREAM_CHAT_API_BASE'],
      ['UPSTREAM_CHAT_API_BASE_URL', 'UPSTREAM_CHAT_API_BASE'],
      ['UPSTREAM_MESSAGES_KEY', 'UPSTREAM_MESSAGES_API_KEY'],
      ['UPSTREAM_CHAT_BASE_URL', 'UPSTREAM_CHAT_API_BASE or UPSTREAM_CHAT_API_KEY'],
      ['UPSTREAM_MESSAGES_URL', 'UPSTREAM_MESSAGES_API_BASE or UPSTREAM_MESSAGES_API_KEY'],
      ['SERVICE_BLOCK_HIGH_RISK', 'SERVICE_INGRESS_BLOCK_HIGH_RISK']
    ] as const)
      assert.deepEqual(warnings({ ...quiet, [name]: canary }), [
        `${name} is not a known variable and is ignored: did you mean ${meant}?`
      ])
    // What an orchestrator sets for other services, and what the other commands of this program read.
    const others = ['SERVICE_A_PORT', 'SERVICE_A_SERVICE_HOST', 'UPSTREAM_PORT_8080_TCP_ADDR', 'SERVICE_LOG']
    const links = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT', 'PORT_80_TCP', 'PORT_80_TCP_PROTO']
    others.push(...links.map((link) => `UPSTREAM_CHAT_${link}`))
    const ours = [variables, sidecarVariables, mcpProxyVariables]
    for (const table of ours)
      assert.deepEqual(
        misspellings(Object.fromEntries([...others, ...ours.flatMap(Object.keys)].map((name) => [name, 'x'])), table),
        []
      )
  })
})
