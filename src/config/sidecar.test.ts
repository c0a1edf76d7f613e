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

test('target and token are enough', () => {
  const config = good({})
  assert.deepEqual(config.listen, { hosts: ['127.0.0.1', '::1'], port: 8787 })
  assert.equal(config.target, least.SERVICE_INGRESS_TARGET)
  assert.equal(config.token.reveal(), token)
  assert.equal(config.dataDir, '/srv/data/sidecar')
  assert.deepEqual(config.knownHosts, [])
  assert.deepEqual(config.warnings, [])
})

test('every fault is told at once, by name, and no value with it', () => {
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

test('the token can stand in a file, and not in both places', () => {
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

test('what is allowed and probably not meant is warned about', () => {
  assert.match(good({ SERVICE_INGRESS_TARGET: 'http://sluice.example' }).warnings.join(), /plain http/)
  assert.deepEqual(good({ SERVICE_INGRESS_TARGET: 'http://127.0.0.1:8080' }).warnings, [])
  assert.match(good({ LISTEN_HOST: '0.0.0.0' }).warnings.join(), /LISTEN_HOST is no loopback address/)
  assert.match(good({ SERVICE_SIDECAR_HOST: 'a' }).warnings.join(), /did you mean SERVICE_SIDECAR_HOSTS/)
})

test('names of hosts have a port or none', () => {
  const { knownHosts } = good({ SERVICE_SIDECAR_HOSTS: 'Sidecar.Internal, localhost:9999,[fd00::1]:8787' })
  assert.deepEqual(knownHosts, ['sidecar.internal', 'localhost:9999', '[fd00::1]:8787'])
})

test('the guide names every variable with its default', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/sidecar.md'), 'utf8')
  for (const { name, default: value } of listVariables(sidecarVariables)) {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\``))
    assert.ok(row?.includes(value === '' ? '|' : `\`${value}\``), name)
  }
})
