/** Three processes of the service on one PostgreSQL behind a load balancer, as an operator runs several instances. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { Account } from '../../scripts/kill-check/account.ts'
import { Ledger } from '../../scripts/kill-check/ledger.ts'
import { Sender } from '../../scripts/kill-check/sender.ts'
import { startVictim, type Victim } from '../../scripts/kill-check/service.ts'
import { auditPublicKey } from '../../src/config/audit-key.ts'
import { createTokenService, type TokenService } from '../../src/service/tokens/tokens.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { ensureWorkspace } from '../../src/service/workspaces.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { startBalancer, type Balancer } from '../support/balancer.ts'
import { sluiceCommand } from '../support/command.ts'
import { enforcement, post, receipt } from '../support/events.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startPostgres, type OwnPostgresServer } from '../support/postgres.ts'
import { createRandom } from '../support/random.ts'
import { makeDataDir } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'
import { bareEnvironment } from '../support/bare-environment.ts'

const workspaceId = defaultWorkspaceId
const masterKey = randomBytes(32)
const sendersCount = 6

interface Instance {
  readonly process: Victim
  readonly url: string
}

let undo: AsyncDisposableStack
let server: OwnPostgresServer
let databaseUrl: string
let env: Record<string, string>
let instances: Instance[]
let balancer: Balancer
/** The tests' own connection to the store, like one more instance. */
let store: Store
let tokens: TokenService
let token: string

async function startInstance(): Promise<Instance> {
  const process = startVictim(env)
  return { process, url: await process.listening }
}

before(async () => {
  undo = new AsyncDisposableStack()
  server = undo.use(await startPostgres())
  databaseUrl = await server.newDatabase()
  const upstream = undo.use(await startStubUpstream(answers()))
  const dataDir = await makeDataDir()
  undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  env = {
    DATABASE_URL: databaseUrl,
    SERVICE_MASTER_KEY: masterKey.toString('hex'),
    SERVICE_DATA_DIR: dataDir,
    UPSTREAM_CHAT_API_KEY: 'chat-upstream-credential',
    UPSTREAM_CHAT_API_BASE: upstream.chatBase
  }
  instances = await Promise.all([1, 2, 3].map(startInstance))
  undo.defer(async () => {
    await Promise.all(instances.map(({ process }) => process.kill()))
  })
  balancer = undo.use(await startBalancer(() => instances.map(({ url }) => url)))
  store = undo.use(await openPostgresStore({ url: databaseUrl, connectionsMax: 4 }))
  await ensureWorkspace(store, workspaceId, 'test')
  tokens = undo.use(await createTokenService({ store, masterKey: createSecretKey(masterKey) }))
  token = await makeToken()
})
after(() => undo.disposeAsync())

async function makeToken(): Promise<string> {
  const scopes = ['ingress:write', 'events:write', 'audit:read']
  return (await tokens.create({ workspaceId, label: 'instances', scopes }, 'test')).token
}

/** What an instance returns when queried for recorded data. */
async function ask(url: string, question: string): Promise<Record<'events' | 'rows' | 'points', object[]>> {
  const headers = { 'x-service-workspace-token': token }
  const reply = await call(`${url}/api/${question}`, { method: 'GET', headers })
  assert.equal(reply.status, 200, reply.text)
  return reply.json() as Awaited<ReturnType<typeof ask>>
}

/** Runs the command line with the environment of the instances, with changes. */
const sluice = (args: readonly string[], changes: Record<string, string | undefined>) =>
  new Promise<{ readonly code: unknown; readonly err: string }>((resolve) => {
    const options = { env: { ...bareEnvironment(), ...env, ...changes } }
    execFile(process.execPath, [sluiceCommand, ...args], options, (error, _out, err) =>
      resolve({ code: error?.code ?? 0, err })
    )
  })

describe('three instances', () => {
  test('each find what was posted to any, and count alike', async () => {
    const requestIds = Array.from({ length: 12 }, () => randomUUID())
    for (const [index, requestId] of requestIds.entries()) {
      const url = index < 3 ? (instances[index]?.url ?? '') : balancer.url
      receipt(await post({ url, token }, { ...enforcement, requestId }))
      for (const instance of instances) {
        const { events } = await ask(instance.url, `events?requestId=${requestId}`)
        const { rows } = await ask(instance.url, `audit?requestId=${requestId}`)
        assert.deepEqual([events.length, rows.length], [1, 1])
      }
    }
    const [first, ...others] = await Promise.all(
      instances.map(async ({ url }) => {
        const { events } = await ask(url, 'events?kind=tool_call_enforcement&limit=1000')
        const { points } = await ask(url, 'events/series?by=riskTier&step=hour&from=24h')
        return { events, points: points as { events: number }[] }
      })
    )
    for (const other of others) assert.deepEqual(other, first)
    const counted = first?.points.reduce((sum, { events }) => sum + events, 0)
    assert.deepEqual([first?.events.length, counted], [requestIds.length, requestIds.length])
  })

  test('recognise a repeated event, whichever accepted it first', async () => {
    const eventId = randomUUID()
    const results = await Promise.all(
      instances.map(
        async ({ url }) => receipt(await post({ url, token }, { ...enforcement, eventId })).results[0]?.status
      )
    )
    assert.deepEqual(results.map(String).toSorted(), ['accepted', 'duplicate', 'duplicate'])
  })

  test('all reject a token that was revoked elsewhere', async () => {
    const shortLived = await makeToken()
    const statusOf = async ({ url }: Instance) => (await post({ url, token: shortLived }, enforcement)).status
    for (const instance of instances) assert.equal(await statusOf(instance), 202)
    await tokens.revoke({ workspaceId, id: shortLived.slice(4, 12) }, 'test')
    for (const instance of instances) {
      await eventually('a refusal', async () => ((await statusOf(instance)) === 401 ? true : undefined))
    }
  })

  test('are not joined by one with another master key, or without one', async () => {
    const other = await sluice(['token', 'list'], { SERVICE_MASTER_KEY: randomBytes(32).toString('hex') })
    assert.notEqual(other.code, 0)
    assert.match(other.err, /master key does not match/)
    const none = await sluice(['token', 'list'], { SERVICE_MASTER_KEY: undefined })
    assert.notEqual(none.code, 0)
    assert.match(none.err, /SERVICE_MASTER_KEY must be set with DATABASE_URL/)
    for (const { err } of [other, none]) assert.ok(!err.includes(new URL(databaseUrl).password))
  })
})

/**
 * Sends events through the balancer while `disturb` runs, then compares the acknowledged events with the stored ones.
 */
async function sendThrough(disturb: (acknowledged: (more: number) => Promise<void>) => Promise<void>): Promise<void> {
  const ownWorkspace = `w-${randomBytes(4).toString('hex')}`
  await ensureWorkspace(store, ownWorkspace, 'test')
  const request = { workspaceId: ownWorkspace, label: 'sender', scopes: ['events:write'] }
  const { token: sendersToken } = await tokens.create(request, 'test')
  const ledger = new Ledger()
  const senders = Array.from(
    { length: sendersCount },
    (_, number) => new Sender(number, { url: balancer.url }, sendersToken, createRandom(number), ledger)
  )
  const sending = Promise.all(senders.map((sender) => sender.run()))
  try {
    await disturb(async (more) => {
      const goal = ledger.acknowledged + more
      await eventually('acknowledgements', () => (ledger.acknowledged >= goal ? true : undefined))
    })
    for (const sender of senders) sender.stop()
    await sending
  } finally {
    for (const sender of senders) sender.giveUp()
  }
  const account = new Account(ledger, ownWorkspace, auditPublicKey(createSecretKey(masterKey), ownWorkspace))
  assert.deepEqual(await account.check(store), [])
  assert.equal(account.stored, ledger.sent)
}

describe('under load nothing acknowledged is lost and nothing is stored twice', () => {
  test('when an instance is killed', async () => {
    await sendThrough(async (acknowledged) => {
      await acknowledged(100)
      await instances[0]?.process.kill()
      await acknowledged(200)
      instances[0] = await startInstance()
      await acknowledged(100)
    })
  })

  for (const [how, crash] of [
    ['is restarted', false],
    ['crashes', true]
  ] as const) {
    test(`when PostgreSQL ${how}`, async () => {
      await sendThrough(async (acknowledged) => {
        await acknowledged(100)
        await server.stop({ crash })
        await server.start()
        await acknowledged(200)
      })
    })
  }
})

test('while PostgreSQL is down, model calls continue, and are recorded once it is back', async () => {
  const { url } = instances[1] as Instance
  const callModel = () =>
    call(`${url}/api/ingress/v1/chat/completions`, {
      headers: { 'content-type': 'application/json', 'x-service-workspace-token': token },
      body: '{"model":"m","messages":[{"role":"user","content":"hi"}]}'
    })
  assert.equal((await callModel()).status, 200)
  await server.stop()
  const reply = await callModel()
  assert.equal(reply.status, 200, reply.text)
  assert.equal((await post({ url, token }, enforcement)).status, 503)
  await server.start()
  const requestId = reply.headers['x-request-id'] ?? ''
  await eventually('an instance that is ready', async () =>
    (await call(`${url}/readyz`, { method: 'GET' })).status === 200 ? true : undefined
  )
  await eventually('the record of the call', async () =>
    (await ask(url, `events?requestId=${requestId}`)).events.length === 1 ? true : undefined
  )
})
