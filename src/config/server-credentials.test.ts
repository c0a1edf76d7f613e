import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filler } from '../detection/sample-text.ts'
import { credentialValues } from './credential-values.ts'
import type { McpServer } from './mcp-servers.ts'
import { serverCredentials } from './server-credentials.ts'

const one = filler(24, undefined, 61)
const other = filler(24, undefined, 62)
const special = `p/${filler(20, undefined, 63)}`

const given: Record<string, { readonly server: McpServer; readonly env?: Record<string, string> }> = {
  'a header with a scheme': { server: { url: 'https://mcp.example/mcp', headers: { authorization: `Bearer ${one}` } } },
  'a header of its own': { server: { url: 'https://mcp.example/mcp', headers: { 'x-api-key': one } } },
  'a parameter of the address': { server: { url: `https://mcp.example/mcp?api_key=${one}&page=${other}` } },
  'a variable of its entry': { server: { command: ['files'], env: { FILES_TOKEN: one, FILES_ROOT: other } } },
  'a variable of the proxy': {
    server: { command: ['files'] },
    env: { GITHUB_PAT: one, FILES_ROOT: other, CACHE_KEY: other }
  },
  'an address in a variable': { server: { command: ['db'], env: { STORE: `postgres://me:${one}@db.internal/shop` } } },
  'an argument': { server: { command: ['db', `postgresql://me:${one}@db.internal/shop`] } },
  'an option with its value': { server: { command: ['files', `--api-key=${one}`, `--root=${other}`] } },
  'a header in a variable': { server: { command: ['files'], env: { MCP_AUTH: `Bearer ${one}`, X_NOTE: other } } },
  'headers in a variable': {
    server: {
      command: ['notes'],
      env: { MCP_HEADERS: JSON.stringify({ Authorization: `Bearer ${one}`, 'X-Id': other }) }
    }
  },
  'logins in a variable': {
    server: {
      command: ['images'],
      env: { LOGINS: JSON.stringify({ auths: { 'ghcr.io': { auth: one, host: other } } }) }
    }
  },
  'a list in a variable': { server: { command: ['files'], env: { API_KEYS: `${special}, ${one}`, ROOTS: other } } },
  'a variable with a line break': { server: { command: ['files'], env: { FILES_TOKEN: `${one}\n` } } },
  'a header among the arguments': {
    server: { command: ['remote', 'https://mcp.example/sse', '--header', `Authorization: Bearer ${one}`] }
  },
  'an option that is a header': {
    server: { command: ['remote', `--header=X-Api-Key:${one}`, `--header=X-Page:${other}`] }
  },
  'an option that is a variable': {
    server: { command: ['docker', 'run', `--env=API_KEY=${one}`, `--env=ROOT=${other}`] }
  },
  'the line of a shell': {
    server: { command: ['sh', '-c', `API_KEY=${one} ROOT=${other} exec files --root ${other}`] }
  },
  'an option in the line of a shell': { server: { command: ['sh', '-c', `files --token '${one}' --root '${other}'`] } },
  'an option before its value': { server: { command: ['files', '--token', one, '--root', other] } },
  'a connection string': {
    server: { command: ['db'], env: { SQL: `Server=db.internal;Database=${other};User Id=me;Password=${one};` } }
  },
  'a connection string under the name of a secret': {
    server: { command: ['db'], env: { DB_SECRET: `driver={ODBC 18}; server=db.internal; pwd = '${one}'` } }
  },
  'a connection string of Azure': {
    server: {
      command: ['queue', `Endpoint=sb://q.example/;SharedAccessKeyName=${other};SharedAccessKey=${one}`]
    }
  },
  'a connection string of Redis': {
    server: { command: ['cache'], env: { REDIS: `cache.internal:6380,password=${one},ssl=True,name=${other}` } }
  },
  'a connection string of PostgreSQL': {
    server: { command: ['db', `host=db.internal user=${other} password='${one}' dbname=shop`] }
  },
  'an address of JDBC': {
    server: {
      command: ['db', `jdbc:postgresql://db.internal/shop?user=${other}&password=${one}`],
      env: { SHOP: `jdbc:sqlserver://db.internal:1433;user=${other};password=${one};encrypt=true` }
    }
  },
  'an option of a command that takes a password there': {
    server: { command: ['sshpass', '-p', one, 'ssh', '-p', '22', 'me@host.internal', 'files --root', other] }
  },
  'a password behind its option in the line of a shell': {
    server: { command: ['bash', '-lc', `cd ${other} && exec /usr/bin/mysql -h db.internal -u me -p${one} shop`] }
  }
}

for (const [place, { server, env = {} }] of Object.entries(given))
  test(`what an MCP server gets in ${place} is known, and what stands beside it is not`, () => {
    const values = credentialValues(serverCredentials([server], env))
    assert.ok(values.includes(one), String(values.length))
    assert.ok(!values.includes(other))
  })

test('settings of servers are no credentials', () => {
  const servers: McpServer[] = [
    {
      url: 'https://mcp.example/mcp?toolsets=repositories_pull_requests',
      headers: {
        'x-mcp-toolsets': 'repositories,issues,pull_requests',
        'x-tenant': '4c1d7f0e-93a2-4b58-8e6d-2f7a05c9b31e'
      }
    },
    {
      command: ['npx', '-y', '@scope/server-filesystem@2026.8.31', '/srv/project-4711'],
      env: { LOG_LEVEL: 'debug-verbose' }
    },
    { command: ['db', '-p', filler(24, undefined, 66), 'host=db.internal port=5432 dbname=project-4711'] }
  ]
  const env = {
    SSH_AUTH_SOCK: '/run/ssh-XkQ3v9RzWq/agent.4711',
    XAUTHORITY: '/run/user/1000/.mutter-Xwaylandauth.4XKZ92',
    GPG_KEY: 'A035C8C19219BA821ECEA86B64E628F8D684696D',
    GPG_SIGNING_KEY: 'A035C8C19219BA821ECEA86B64E628F8D684696D',
    GIT_SIGNING_KEY: '0x64E628F8D684696D',
    DEPLOY_KEYS: 'id_ed25519_work, id_rsa_home2',
    SSH_KEY: '/home/me/.ssh/id_ed25519',
    SIGNING_KEY_PATH: 'keys/release-2026.pem',
    AUTH_NOTE: 'token of the release-pipeline-4711',
    DEPLOY_KEY: `ssh-rsa ${filler(700, undefined, 64)} me@desk`,
    JWT_SECRET: `-----BEGIN PUBLIC KEY-----\n${filler(700, undefined, 65)}\n-----END PUBLIC KEY-----\n`,
    ACCESS_KEY: Array.from({ length: 40 }, (_, i) => `/srv/keys/project-${i}`).join(':'),
    EDITOR_STATE: '{"theme":"solarized-dark-2","path":"/srv/project-4711"}'
  }
  assert.deepEqual(credentialValues(serverCredentials(servers, env)), [])
})

test('the environment of the proxy counts only where a server gets it', () => {
  assert.deepEqual(serverCredentials([{ url: 'http://127.0.0.1:1/' }], { GITHUB_TOKEN: one }).slice(1), [])
})
