import assert from 'node:assert/strict'
import { it } from 'node:test'
import { downstreamServerOf, type Environment } from './environment.ts'

it('the downstream server is the mock for exactly 1, otherwise the variable, otherwise unknown', () => {
  const table: [Environment, string][] = [
    [{}, 'unknown'],
    [{ SERVICE_DOWNSTREAM_SERVER: '' }, 'unknown'],
    [{ SERVICE_DOWNSTREAM_SERVER: 'docker' }, 'docker'],
    [{ SERVICE_DOWNSTREAM_SERVER: 'Docker' }, 'unknown'],
    [{ SERVICE_DOWNSTREAM_SERVER: 'ours' }, 'unknown'],
    [{ SERVICE_DOWNSTREAM_SERVER: 'ours', SERVICE_EXTRA_SANDBOXES: 'theirs, ours' }, 'ours'],
    [{ SERVICE_MCP_PROXY_MOCK: '1' }, 'mock'],
    [{ SERVICE_MCP_PROXY_MOCK: '1', SERVICE_DOWNSTREAM_SERVER: 'docker' }, 'mock'],
    ...['', '0', 'true', '01', ' 1', '1 '].map((mock): [Environment, string] => [
      { SERVICE_MCP_PROXY_MOCK: mock, SERVICE_DOWNSTREAM_SERVER: 'e2b' },
      'e2b'
    ])
  ]
  for (const [env, expected] of table) assert.equal(downstreamServerOf(env), expected, JSON.stringify(env))
})
