/**
 * `npm run check:kills`: the service is killed at random moments under load, and after each kill the store is checked:
 * every acknowledged event must be there exactly once, every other one at most once, the rollups must match the events,
 * and the audit trail must verify.
 *
 * `--short` kills 3 times; `--kills N`; `--engine sqlite` or `postgres` (default: both); `--seed N` repeats a run's
 * choices. `--server` leaves the service alone and stops PostgreSQL instead, in order or as in a crash, and restarts it.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { auditPublicKey } from '../src/config/audit-key.ts'
import { loadMasterKey } from '../src/config/master-key.ts'
import { Secret } from '../src/config/secret.ts'
import { createTokenService } from '../src/service/tokens/tokens.ts'
import { defaultWorkspaceId } from '../src/protocol/workspace-id.ts'
import { ensureWorkspace } from '../src/service/workspaces.ts'
import { openStore } from '../src/store/open.ts'
import { sharedPostgres, startPostgres, type OwnPostgresServer } from '../test/support/postgres.ts'
import { createRandom, type SeededRandom } from '../test/support/random.ts'
import { Account } from './kill-check/account.ts'
import { Ledger } from './kill-check/ledger.ts'
import { Sender, type Target } from './kill-check/sender.ts'
import { startVictim } from './kill-check/service.ts'

const engines = ['sqlite', 'postgres'] as const
type Engine = (typeof engines)[number]

const sendersCount = 8
/** Latest time of a kill after the service listens, or in one round of eight after it was started. */
const roundMsMax = 900
const startMsMax = 700
/** Longest time for which PostgreSQL is down. */
const awayMsMax = 1500

interface Ground {
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  readonly open: () => ReturnType<typeof openStore>
  /** Set if the server is stopped instead. */
  readonly server?: OwnPostgresServer
}

async function prepare(engine: Engine, undo: AsyncDisposableStack): Promise<Ground> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-kills-'))
  undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  const env = { SERVICE_DATA_DIR: dataDir, SERVICE_MASTER_KEY: randomBytes(32).toString('hex') }
  if (engine === 'sqlite') return { dataDir, env, open: () => openStore({ dataDir }) }
  const server = options.server ? undo.use(await startPostgres()) : undefined
  const url = await (server ?? undo.use(await sharedPostgres())).newDatabase()
  const database = { url: new Secret(url), connectionsMax: 4 }
  return {
    dataDir,
    env: { ...env, DATABASE_URL: url },
    open: () => openStore({ dataDir, database }),
    ...(server && { server })
  }
}

/** @returns the number of faults */
async function checkEngine(engine: Engine, kills: number, random: SeededRandom): Promise<number> {
  await using undo = new AsyncDisposableStack()
  const { dataDir, env, open, server } = await prepare(engine, undo)
  const masterKey = await loadMasterKey({ configured: env['SERVICE_MASTER_KEY'], dataDir })
  const token = await makeToken(open, masterKey)
  const ledger = new Ledger()
  const account = new Account(ledger, defaultWorkspaceId, auditPublicKey(masterKey, defaultWorkspaceId))
  const target: Target = { url: undefined }
  const senders = Array.from(
    { length: sendersCount },
    (_, number) => new Sender(number, target, token, createRandom(random.below(2 ** 31)), ledger)
  )
  undo.defer(() => {
    for (const sender of senders) sender.giveUp()
  })
  const sending = Promise.all(senders.map((sender) => sender.run()))
  let faults = 0
  const check = async (what: string): Promise<void> => {
    await using store = await open()
    const found = await account.check(store)
    faults += found.length
    for (const fault of found) console.error(`${engine}, ${what}: ${fault}`)
    const { acknowledged, sent } = ledger
    process.stderr.write(`${engine}, ${what}: ${sent} sent, ${acknowledged} acknowledged, ${account.stored} stored\n`)
  }
  if (server) {
    const survivor = startVictim(env)
    undo.defer(() => survivor.kill())
    target.url = await survivor.listening
  }
  for (let kill = 1; kill <= kills; kill++) {
    await (server ? stopOnce(server, random) : killOnce(env, target, random))
    await check(`kill ${kill} of ${kills}`)
  }
  for (const sender of senders) sender.stop()
  const last = startVictim(env)
  try {
    target.url = await last.listening
    await sending
  } finally {
    await last.kill()
  }
  await check('everything acknowledged')
  if (ledger.acknowledged !== ledger.sent || account.stored !== ledger.sent) faults++
  const what = server ? 'stops of the server' : 'kills'
  const verdict = faults === 0 ? 'nothing lost, nothing twice, the audit verifies' : `${faults} FAULTS`
  console.log(`${engine}: ${kills} ${what}, ${ledger.sent} events by ${sendersCount} senders: ${verdict}.`)
  return faults
}

async function makeToken(open: Ground['open'], masterKey: Awaited<ReturnType<typeof loadMasterKey>>): Promise<string> {
  await using store = await open()
  await ensureWorkspace(store, defaultWorkspaceId, 'test')
  await using tokens = await createTokenService({ store, masterKey })
  const request = { workspaceId: defaultWorkspaceId, label: 'kill check', scopes: ['events:write'] }
  return (await tokens.create(request, 'test')).token
}

async function killOnce(env: Ground['env'], target: Target, random: SeededRandom): Promise<void> {
  const victim = startVictim(env)
  try {
    if (random.below(8) === 0) {
      await sleep(random.below(startMsMax))
      return
    }
    target.url = await victim.listening
    await sleep(random.below(roundMsMax))
  } finally {
    await victim.kill()
    target.url = undefined
  }
}

/** Stops the server under load, and restarts it. */
async function stopOnce(server: OwnPostgresServer, random: SeededRandom): Promise<void> {
  await sleep(random.below(roundMsMax))
  await server.stop({ crash: random.below(2) === 0 })
  await sleep(random.below(awayMsMax))
  await server.start()
  await sleep(random.below(roundMsMax))
}

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    kills: { type: 'string' },
    engine: { type: 'string' },
    seed: { type: 'string' },
    server: { type: 'boolean', default: false }
  }
})

const kills = Number(options.kills ?? (options.short ? 3 : 100))
const seed = Number(options.seed ?? randomBytes(4).readUInt32BE())
const asked = options.server ? 'postgres' : options.engine
const chosen = engines.filter((engine) => asked === undefined || asked === engine)
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed) || chosen.length === 0) {
  throw new Error('--kills and --seed take whole numbers, --engine takes sqlite or postgres.')
}
console.log(`Seed ${seed}, Node ${process.version}.`)
let faults = 0
for (const engine of chosen) faults += await checkEngine(engine, kills, createRandom(seed))
process.exitCode = faults === 0 ? 0 : 1
