/** Three instances of the service on one PostgreSQL, each behind a relay that can fail like a network. */
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PolicyRevisions } from '../../src/service/policies/revisions.ts'
import { createTokenService } from '../../src/service/tokens/tokens.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { ensureWorkspace } from '../../src/service/workspaces.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres.ts'
import { eventually } from '../../test/support/eventually.ts'
import { runSql, startPostgres, type OwnPostgresServer } from '../../test/support/postgres.ts'
import { call } from '../../test/support/http.ts'
import { startStubUpstream } from '../../test/support/stub-upstream.ts'
import { startTcpRelay, type TcpRelay } from '../../test/support/tcp-relay.ts'
import { answers } from '../../test/support/upstream-behaviours.ts'
import { startVictim, type Victim } from '../kill-check/service.ts'

export const instancesCount = 3
const callTimeoutMs = 2000

export interface Instances extends AsyncDisposable {
  readonly postgres: OwnPostgresServer
  /** Between the instances and the database. */
  readonly databaseRelay: TcpRelay
  /**
   * One for each instance; if its instance is down, connections go to the next running one, as with a load balancer.
   */
  readonly relays: readonly TcpRelay[]
  readonly token: string
  /** Publishes through a separate opening of the store. @returns the sequence */
  publish(): Promise<number>
  /** Ends the connections on which instances are notified of changes. */
  killListeners(): Promise<void>
  kill(index: number): Promise<void>
  restart(index: number): Promise<void>
  /** Opens a policy stream of an instance with a separate token. */
  openStream(index: number): Promise<{ readonly ended: Promise<void> }>
  /** Revokes the token of these streams. */
  revokeStreams(): Promise<void>
  /** The sequence by which a model call is judged at this moment; undefined without a successful answer. */
  enforced(index: number): Promise<number | undefined>
}

interface Instance {
  process: Victim
  url: URL | undefined
}

export async function startInstances(): Promise<Instances> {
  await using undo = new AsyncDisposableStack()
  const postgres = undo.use(await startPostgres({ isDurable: false }))
  const databaseUrl = await postgres.newDatabase()
  const databaseRelay = undo.use(await startTcpRelay(() => Number(new URL(databaseUrl).port)))
  const upstream = undo.use(await startStubUpstream(answers()))
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-policy-faults-'))
  undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  const masterKey = randomBytes(32)
  const env = {
    DATABASE_URL: withPort(databaseUrl, databaseRelay.port),
    SERVICE_MASTER_KEY: masterKey.toString('hex'),
    SERVICE_DATA_DIR: dataDir,
    SERVICE_POLICY_STREAM_HEARTBEAT_MS: '1000',
    UPSTREAM_MESSAGES_API_KEY: 'messages-upstream-credential',
    UPSTREAM_MESSAGES_API_BASE: upstream.url
  }
  const start = async (): Promise<Instance> => {
    const process = startVictim(env)
    return { process, url: new URL(await process.listening) }
  }
  const instances = await Promise.all(Array.from({ length: instancesCount }, start))
  undo.defer(async () => {
    await Promise.all(instances.filter(({ url }) => url).map(({ process }) => process.kill()))
  })
  const store = undo.use(await openPostgresStore({ url: databaseUrl, connectionsMax: 4 }))
  await ensureWorkspace(store, defaultWorkspaceId, 'check')
  const tokens = undo.use(await createTokenService({ store, masterKey: createSecretKey(masterKey) }))
  const makeToken = (label: string) => tokens.create({ workspaceId: defaultWorkspaceId, label }, 'check')
  const { token } = await makeToken('policy faults')
  const brief = await makeToken('streams that end')
  const revisions = new PolicyRevisions(store, { blockHighRisk: true })
  const portBehind = (index: number): number => {
    const turns = instances.map((_, turn) => instances[(index + turn) % instancesCount]?.url)
    return Number(turns.find((url) => url !== undefined)?.port ?? 0)
  }
  const relays = await Promise.all(instances.map((_, index) => startTcpRelay(() => portBehind(index))))
  for (const relay of relays) undo.use(relay)
  const running = undo.move()
  return {
    postgres,
    databaseRelay,
    relays,
    token,
    publish: () => publish(revisions),
    killListeners: () => killListeners(databaseUrl),
    async kill(index) {
      const instance = instances[index] as Instance
      instance.url = undefined
      await instance.process.kill()
    },
    async restart(index) {
      instances[index] = await start()
    },
    openStream: (index) => openStream(instances[index]?.url as URL, brief.token),
    revokeStreams: async () => {
      await tokens.revoke({ workspaceId: defaultWorkspaceId, id: brief.summary.id }, 'check')
    },
    enforced: async (index) => {
      const url = instances[index]?.url
      return url && (await enforcedBy(url, token))
    },
    [Symbol.asyncDispose]: () => running.disposeAsync()
  }
}

function withPort(address: string, port: number): string {
  const url = new URL(address)
  url.port = String(port)
  return url.href
}

let published = 0

async function publish(revisions: PolicyRevisions): Promise<number> {
  const rules = [{ id: 'changing', effect: 'deny', tool: `tool_${++published}` }]
  const outcome = await revisions.publish(
    {
      workspaceId: defaultWorkspaceId,
      draft: { mcpToolPolicy: { version: 1, rules }, redactionProfile: { version: 1 } },
      note: '',
      confirm: false,
      basedOn: undefined
    },
    { actor: 'check', tokenId: null, requestId: null }
  )
  if (outcome.is !== 'published') throw new Error(`The publication ended as ${outcome.is}.`)
  return outcome.revision.sequence
}

/** The last query on a listening connection is that of the counter, which is read after each notification. */
const listening = `from pg_stat_activity
  where application_name = 'sluice' and (query ilike 'listen %' or query ilike 'select value from change_counter%')`

async function killListeners(databaseUrl: string): Promise<void> {
  // An instance may know the newest policy before it listens again.
  await eventually('as many listening connections as instances', async () => {
    const [found] = await runSql<{ count: number }>(databaseUrl, `select count(*)::int as count ${listening}`)
    return (found?.count ?? 0) >= instancesCount || undefined
  })
  await runSql(databaseUrl, `select pg_terminate_backend(pid) ${listening}`)
}

async function openStream(url: URL, token: string): Promise<{ readonly ended: Promise<void> }> {
  const answer = await fetch(new URL('/api/workspace/policy-stream', url), {
    headers: { 'x-service-workspace-token': token }
  })
  if (answer.status !== 200) throw new Error(`A policy stream was answered with ${answer.status}.`)
  const body = answer.body as ReadableStream<Uint8Array>
  return { ended: body.pipeTo(new WritableStream()) }
}

async function enforcedBy(url: URL, token: string): Promise<number | undefined> {
  const reply = await call(new URL('/api/ingress/v1/messages', url).href, {
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-service-workspace-token': token
    },
    body: '{"model":"m","max_tokens":8,"messages":[{"role":"user","content":"hi"}]}',
    signal: AbortSignal.timeout(callTimeoutMs)
  }).catch(() => undefined)
  if (reply?.status !== 200) return undefined
  return Number.parseInt(reply.headers['x-service-policy-revision'] ?? '', 10)
}
