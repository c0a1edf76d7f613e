/** The command as an operator uses it: in separate processes, next to a service on the same data directory. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseToken } from '../../src/protocol/token-format.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sluiceCommand } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { runSluice, type Ran } from '../support/run-sluice.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

let dataDir: string
let upstream: StubUpstream
let service: TestService

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-cli-'))
  upstream = await startStubUpstream(answers())
  service = await startTestService({ dataDir, upstream })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
})

const sluice = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  runSluice(dataDir, args, env)

const ask = (token: string) =>
  service.send('chat-completions', '{"model":"m","messages":[{"role":"user","content":"hi"}]}', { token })

test('listing tokens in a wrong directory fails with a message, and creates no database there', async () => {
  const wrong = join(dataDir, 'nothing-here')
  for (const args of [['list'], ['revoke', 'AAAAAAAA'], ['rotate', 'AAAAAAAA']]) {
    const ran = await sluice(['token', ...args], { SERVICE_DATA_DIR: wrong })
    const way = 'run the command with the variables of the service'
    assert.equal(ran.err, `sluice: there is no database in ${wrong} (SERVICE_DATA_DIR); ${way}\n`)
    assert.equal(ran.code, 2)
  }
  await assert.rejects(readdir(wrong), { code: 'ENOENT' })
})

test('a token created while the service runs works at once, and stops working once revoked', async () => {
  const made = await sluice(['token', 'create', '--json', '--label', 'ci', '--expires', '90d'])
  assert.equal(made.code, 0, made.err)
  const { token, id, label, scopes, expiresAt } = JSON.parse(made.out) as Record<string, string>
  assert.deepEqual(parseToken(token ?? ''), { ok: true, id })
  assert.equal(label, 'ci')
  assert.deepEqual(scopes, ['ingress:write', 'events:write', 'policy:read'])
  assert.ok(Date.parse(expiresAt ?? '') > Date.now() + 89 * 86_400_000)
  assert.equal((await ask(token ?? '')).status, 200)

  const listed = await sluice(['token', 'list'])
  assert.match(listed.out, new RegExp(`^${id} .*until .*ci$`, 'm'))
  assert.equal(listed.out.includes((token ?? '').slice(12)), false, 'a list shows a token')

  const revoked = await sluice(['token', 'revoke', id ?? ''])
  assert.equal(revoked.code, 0, revoked.err)
  await eventually('the service refuses the revoked token', async () =>
    (await ask(token ?? '')).status === 401 ? true : undefined
  )
  assert.match((await sluice(['token', 'revoke', id ?? ''])).err, /was already revoked/)
})

test('without a terminal, a token goes to a file that only its owner can read', async () => {
  const made = await sluice(['token', 'create', '--scopes', 'audit:read'])
  assert.equal(made.code, 0, made.err)
  const name = (await readdir(dataDir)).find((file) => made.err.includes(file) && file.startsWith('token-'))
  const path = join(dataDir, name ?? 'missing')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const token = (await readFile(path, 'utf8')).trim()
  assert.equal(parseToken(token).ok, true)
  assert.equal((made.out + made.err).includes(token), false)
})

test('a new workspace is created with its first token, and sees nothing of another', async () => {
  const made = await sluice([
    'token',
    'create',
    '--workspace',
    'team-b',
    '--json',
    '--scopes',
    'ingress:write,audit:read'
  ])
  const { token, workspace } = JSON.parse(made.out) as { token: string; workspace: string }
  assert.equal(workspace, 'team-b')
  const answer = await ask(token)
  assert.equal(answer.status, 200)
  const requestId = answer.headers['x-request-id'] as string
  const shown = await eventually('the audit row', async () => {
    const ran = await sluice(['audit', 'show', requestId, '--workspace', 'team-b', '--json'])
    return ran.code === 0 ? ran.out : undefined
  })
  assert.equal((JSON.parse(shown) as { action: string }).action, 'ingress_proxy')
  const elsewhere = await sluice(['audit', 'show', requestId])
  assert.equal(elsewhere.code, 1)
  assert.match(elsewhere.err, /no audit row/)
})

test('a reader that has seen enough ends a command quietly, with the status that it has anyway', async () => {
  assert.equal((await ask(service.token)).status, 200)
  const ended = async (args: readonly string[]): Promise<{ code: unknown; err: string }> => {
    const child = spawn(process.execPath, [sluiceCommand, ...args], {
      env: { ...bareEnvironment(), SERVICE_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    // Before the command has loaded, and so before its first word.
    child.stdout.destroy()
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text))
    const [code] = (await once(child, 'close')) as [unknown]
    return { code, err }
  }
  for (const args of [
    ['events', 'tail', '--no-follow'],
    ['token', 'list'],
    ['policy', 'show'],
    ['audit', 'verify']
  ]) {
    assert.deepEqual(await ended(args), { code: 0, err: '' }, args.join(' '))
  }
})

/** Commands that only read a workspace: a misspelt one must not look like one without records. */
const aboutOneWorkspace = [
  ['token', 'list'],
  ['policy', 'history'],
  ['policy', 'show'],
  ['audit', 'show', '01a2231d-bffb-7c35-8c10-061f2748f64f'],
  ['audit', 'export'],
  ['audit', 'roots'],
  ['audit', 'key'],
  ['audit', 'verify'],
  ['events', 'tail', '--no-follow'],
  ['admin', 'users'],
  ['admin', 'invite', 'grace']
]

test('invalid arguments end with status 2 and a message', async () => {
  const table: [string[], RegExp][] = [
    [['token', 'create', '--scopes', 'everything'], /^sluice: --scopes must be one of ingress:write/],
    [['token', 'create', '--expires', 'soon'], /^error: option '--expires <when>' is not valid\. Give a date/],
    [
      ['token', 'create', service.token],
      /^error: too many arguments for 'create'\. Expected 0 arguments but got 1\.\n/
    ],
    [['token', 'create', '--expires', '2020-01-01'], /^sluice: --expires must be a time to come\.\n$/],
    [['token', 'create', '--workspace', 'Team B'], /A workspace ID consists of lower case letters/],
    ...aboutOneWorkspace.map((args): [string[], RegExp] => [
      [...args, '--workspace', 'nobody'],
      /^sluice: there is no workspace "nobody"; "sluice token create --workspace nobody" makes one\n$/
    ]),
    [['token', 'revoke', 'XXXXXXXX'], /has no active token with this ID/],
    [['audit', 'show', 'not-a-uuid'], /must be a UUID/],
    [['mcp-proxy', '--json', '--', 'true'], /^sluice: --json can only be used with --dry-run\.\n$/],
    [['token', 'make'], /unknown command/],
    [['nonsense'], /unknown command/]
  ]
  for (const [args, expected] of table) {
    const ran = await sluice(args)
    assert.equal(ran.code, 2, `${args.join(' ')}: ${ran.err}`)
    assert.match(ran.err, expected)
    assert.ok(!ran.err.includes(service.token), 'a token is repeated')
  }
})

test('all errors of a configuration are shown at once, by name and rule and without a value', async () => {
  const hidden = ['not', 'a', 'key', '4711'].join('-')
  const ran = await sluice(['serve'], { PORT: '99999', UPSTREAM_CHAT_API_BASE: 'ftp://x', SERVICE_MASTER_KEY: hidden })
  assert.equal(ran.code, 2)
  for (const name of ['PORT', 'UPSTREAM_CHAT_API_BASE', 'SERVICE_MASTER_KEY'])
    assert.match(ran.err, new RegExp(`^${name} `, 'm'))
  assert.equal(ran.err.includes(hidden), false)
})

test('an address that cannot be used is reported with the settings that name it', async () => {
  const port = new URL(service.running.url).port
  const elsewhere = await mkdtemp(join(tmpdir(), 'sluice-listen-'))
  const sensor = {
    SERVICE_INGRESS_TARGET: service.running.url,
    SERVICE_WORKSPACE_TOKEN: service.token,
    LISTEN_HOST: '127.0.0.1'
  }
  const said = `sluice: cannot listen: another program is listening on port ${port}`
  const remedy = '; stop it, or set another port (EADDRINUSE).\n'
  try {
    for (const [args, env, expected] of [
      [['serve'], { PORT: port }, `${said} (PORT)${remedy}`],
      [
        ['serve'],
        { PORT: '0', HOST: '203.0.113.7' },
        'sluice: cannot listen: HOST is not an address of this machine (EADDRNOTAVAIL).\n'
      ],
      [['sidecar'], { ...sensor, LISTEN_PORT: port }, `${said} (LISTEN_PORT)${remedy}`],
      [['mcp-proxy', '--listen', port, '--', 'cat'], sensor, `${said} (--listen)${remedy}`]
    ] as const) {
      const ran = await runSluice(elsewhere, args, { ...env, SERVICE_LOG_LEVEL: 'silent' })
      assert.deepEqual([ran.code, ran.err], [1, expected])
    }
  } finally {
    await rm(elsewhere, { recursive: true, force: true })
  }
})

test('a data directory of another master key is rejected', async () => {
  const ran = await sluice(['token', 'list'], { SERVICE_MASTER_KEY: '0123456789abcdef'.repeat(4) })
  assert.equal(ran.code, 1)
  assert.match(ran.err, /The master key does not match this database/)
})

test('tokens are listed, rotated and revoked whatever is wrong with settings that this does not need', async () => {
  const { id } = JSON.parse((await sluice(['token', 'create', '--json'])).out) as { id: string }
  const broken = { UPSTREAM_CHAT_API_KEY_FILE: join(dataDir, 'not-for-everybody'), PORT: 'none' }
  for (const args of [['list'], ['rotate', id], ['revoke', id]]) {
    const ran = await sluice(['token', ...args], broken)
    assert.equal(ran.code, 0, ran.err)
  }
  const made = await sluice(['token', 'create'], broken)
  assert.equal(made.code, 2)
  assert.match(made.err, /UPSTREAM_CHAT_API_KEY_FILE must name a file/)
})

test('help names every variable', async () => {
  const ran = await sluice(['serve', '--help'])
  assert.equal(ran.code, 0)
  for (const name of ['UPSTREAM_CHAT_API_BASE', 'SERVICE_INGRESS_BLOCK_HIGH_RISK', 'SERVICE_MASTER_KEY']) {
    assert.match(ran.out, new RegExp(name))
  }
})
