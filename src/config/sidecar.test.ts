import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { mintToken } from '../protocol/token-format.ts'
import { listVariables } from './describe-variables.ts'
import type { Environment } from './reader.ts'
import { sidecarVariables } from './sidecar-variables.ts'
import { loadSidecarConfig, type SidecarConfig } from './sidecar.ts'

const { token } = mintToken((count) => Uint8Array.from({ length: count }, (_, index) => index * 3))
const least = { SERVICE_INGRESS_TARGET: 'https://sluice.example/api/ingress/v1', SERVICE_WORKSPACE_TOKEN: token }

function good(env: Environment): SidecarConfig {
  const loaded = loadSidecarConfig({ ...least, ...env }, { cwd: '/srv' })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  return loaded.config
}

function faultsOf(env: Environment): readonly string[] {
  const loaded = loadSidecarConfig({ ...least, ...env }, { cwd: '/srv' })
  assert.ok(!loaded.ok)
  return loaded.faults.map(({ name }) => name)
}

test('target and token are sufficient', () => {
  const config = good({})
  assert.deepEqual(config.listen, { hosts: ['127.0.0.1', '::1'], port: 8787, socket: undefined })
  assert.equal(config.target, least.SERVICE_INGRESS_TARGET)
  assert.equal(config.token.reveal(), token)
  assert.equal(config.dataDir, '/srv/data/sidecar')
  assert.deepEqual(config.knownHosts, [])
  assert.deepEqual(config.warnings, [])
})

test('all faults are reported at once, by name and without values', () => {
  const wrong = {
    SERVICE_INGRESS_TARGET: 'ftp://user:hunter2@host',
    SERVICE_WORKSPACE_TOKEN: `${token}x`,
    LISTEN_PORT: '70000',
    LISTEN_HOST: 'http://a',
    SERVICE_SIDECAR_HOSTS: 'a b,c'
  }
  assert.deepEqual(faultsOf(wrong).toSorted(), Object.keys(wrong).toSorted())
  const text = JSON.stringify(loadSidecarConfig(wrong, { cwd: '/srv' }))
  for (const value of Object.values(wrong)) assert.ok(!text.includes(value), 'a fault repeats a value')
  assert.deepEqual(faultsOf({ SERVICE_INGRESS_TARGET: '', SERVICE_WORKSPACE_TOKEN: '' }), Object.keys(least))
})

test('the token can be in a file, but not in both places', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sidecar-'))
  try {
    const file = join(folder, 'token')
    writeFileSync(file, `${token}\n`)
    const env = { SERVICE_WORKSPACE_TOKEN: '', SERVICE_WORKSPACE_TOKEN_FILE: file }
    assert.equal(good(env).token.reveal(), token)
    assert.deepEqual(faultsOf({ SERVICE_WORKSPACE_TOKEN_FILE: file }), ['SERVICE_WORKSPACE_TOKEN'])
    assert.deepEqual(faultsOf({ ...env, SERVICE_WORKSPACE_TOKEN_FILE: `${file}.gone` }), [
      'SERVICE_WORKSPACE_TOKEN_FILE'
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('settings that are allowed but probably not intended cause warnings', () => {
  assert.match(good({ SERVICE_INGRESS_TARGET: 'http://sluice.example' }).warnings.join(), /plain http/)
  assert.deepEqual(good({ SERVICE_INGRESS_TARGET: 'http://127.0.0.1:8080' }).warnings, [])
  for (const host of ['0.0.0.0', 'fe80::1%eth0'])
    assert.match(good({ LISTEN_HOST: host }).warnings.join(), /LISTEN_HOST is not a loopback address/)
  const foreign = good({ SERVICE_INGRESS_BLOCK_HIGH_RISK: 'false' }).warnings.join()
  assert.match(foreign, /SERVICE_INGRESS_BLOCK_HIGH_RISK is a setting of the service and is ignored here/)
  assert.match(good({ SERVICE_SIDECAR_HOST: 'a' }).warnings.join(), /did you mean SERVICE_SIDECAR_HOSTS/)
})

test('a socket can be used in addition to the port or instead of it', () => {
  const beside = good({ LISTEN_SOCKET: 'run/s.sock' }).listen
  assert.deepEqual(beside.socket, { path: '/srv/run/s.sock', mode: 0o600 })
  assert.equal(beside.hosts.length, 2)
  const alone = good({ LISTEN_SOCKET: '/run/s.sock', LISTEN_SOCKET_MODE: '0660', LISTEN_HOST: 'none' }).listen
  assert.deepEqual(alone, { hosts: [], port: 8787, socket: { path: '/run/s.sock', mode: 0o660 } })
  // A name that every object of JavaScript has.
  assert.deepEqual(good({ LISTEN_HOST: 'constructor' }).listen.hosts, ['constructor'])
  assert.deepEqual(faultsOf({ LISTEN_HOST: 'none' }), ['LISTEN_SOCKET'])
  assert.deepEqual(faultsOf({ LISTEN_SOCKET: `/run/${'s'.repeat(120)}` }), ['LISTEN_SOCKET'])
  assert.deepEqual(faultsOf({ LISTEN_SOCKET: '/run/s', LISTEN_SOCKET_MODE: '0666' }), ['LISTEN_SOCKET_MODE'])
})

test('a baseline is a preset or a file with a profile, and is read at the start', () => {
  assert.equal(good({}).baseline, undefined)
  assert.equal(good({ SERVICE_SIDECAR_BASELINE: 'coding-agents' }).baseline?.preset, 'coding-agents')
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sidecar-'))
  try {
    const file = join(folder, 'profile.json')
    writeFileSync(file, JSON.stringify({ version: 1, deny: ['Project Heron'] }))
    assert.deepEqual(good({ SERVICE_SIDECAR_BASELINE: file }).baseline?.deny, ['Project Heron'])
    writeFileSync(file, JSON.stringify({ version: 1, unknown: true }))
    assert.deepEqual(faultsOf({ SERVICE_SIDECAR_BASELINE: file }), ['SERVICE_SIDECAR_BASELINE'])
    assert.deepEqual(faultsOf({ SERVICE_SIDECAR_BASELINE: `${file}.gone` }), ['SERVICE_SIDECAR_BASELINE'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('host names have a port or none', () => {
  const { knownHosts } = good({ SERVICE_SIDECAR_HOSTS: 'Sidecar.Internal, localhost:9999,[fd00::1]:8787' })
  assert.deepEqual(knownHosts, ['sidecar.internal', 'localhost:9999', '[fd00::1]:8787'])
})

test('the guide lists every variable with its default', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/sidecar.md'), 'utf8')
  for (const { name, default: value } of listVariables(sidecarVariables)) {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\``))
    assert.ok(row?.includes(value === '' ? '|' : `\`${value}\``), name)
  }
})
