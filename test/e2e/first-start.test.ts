/** The first start with a database on a server, where the data directory contains nothing but the first token. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sluiceCommand } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { runSluice, type Ran } from '../support/run-sluice.ts'

const running = new AsyncDisposableStack()
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-first-'))
  running.defer(() => rm(folder, { recursive: true, force: true }))
})
after(() => running.disposeAsync())

async function settings(): Promise<Record<string, string>> {
  const server = running.use(await sharedPostgres())
  const DATABASE_URL = await server.newDatabase()
  return { HOST: '127.0.0.1', PORT: '0', DATABASE_URL, SERVICE_MASTER_KEY: randomBytes(32).toString('hex') }
}

/** Serves until startup is complete, then stops. @returns the output, and how the process ended */
async function serveOnce(
  env: Record<string, string>,
  said: RegExp,
  meanwhile: () => Promise<void> = async () => {}
): Promise<{ printed: string; end: unknown[] }> {
  const child = spawn(process.execPath, [sluiceCommand, 'serve'], {
    env: { ...bareEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  try {
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (printed += text))
    const closed = once(child, 'close')
    await eventually('the last word of the start', () => {
      assert.equal(child.exitCode, null, printed)
      return said.test(printed) ? true : undefined
    })
    await meanwhile()
    child.kill('SIGTERM')
    return { printed, end: (await closed) as unknown[] }
  } finally {
    child.kill('SIGKILL')
  }
}

test('the folder of the first token is created if it does not exist', async () => {
  const dataDir = join(folder, 'not', 'yet')
  const { printed, end } = await serveOnce({ ...(await settings()), SERVICE_DATA_DIR: dataDir }, /The link can be used/)
  assert.match(printed, /The workspace token was written to /)
  assert.equal((await readdir(dataDir)).filter((name) => name.startsWith('token-')).length, 1)
  assert.deepEqual(end, [0, null])
})

test('if the folder cannot be created, the service says so, serves and stops when signalled', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const env = { ...(await settings()), SERVICE_DATA_DIR: join(file, 'data') }
  const { printed, end } = await serveOnce(env, /The link can be used/)
  assert.match(
    printed,
    /could not be written to \S+ \(ENOTDIR\), so nobody can use it\. Make another with "sluice token create"/
  )
  assert.deepEqual(end, [0, null])
  const made = await runSluice(join(file, 'data'), ['token', 'create'], env)
  assert.equal(made.code, 1)
  assert.match(made.err, /could not be written to \S+ \(ENOTDIR\)[^]* ID \w+\.$/m)
})

test('a link of the command line begins with the address of the service that runs, unless a public one is set', async () => {
  const dataDir = join(folder, 'beside')
  const link = (env: Record<string, string> = {}) => runSluice(dataDir, ['admin', 'setup-link'], env)
  const links: Ran[] = []
  const health: Ran[] = []
  const env = { HOST: '127.0.0.1', PORT: '0', SERVICE_DATA_DIR: dataDir }
  const { printed } = await serveOnce(env, /The link can be used/, async () => {
    links.push(await link())
    health.push(await runSluice(dataDir, ['health'], { PORT: '1' }))
  })
  const [address] = /http:\/\/127\.0\.0\.1:\d+(?=\/setup#)/.exec(printed) ?? []
  const [beside] = links
  assert.ok(beside && address !== undefined && !address.endsWith(':8080'), printed)
  assert.ok(beside.out.startsWith(`${address}/setup#`), beside.out)
  assert.match(beside.err, /at another address than http:\S+, set SERVICE_PUBLIC_URL to it\./)

  // The check asks where it is told to, and says where the service is.
  const [check] = health
  assert.equal(check?.code, 1)
  assert.ok(check.err.startsWith(`The service of this data directory was last started at ${address}: `), check.err)

  const publicly = await link({ SERVICE_PUBLIC_URL: 'https://sluice.corp.example' })
  assert.match(publicly.out, /^https:\/\/sluice\.corp\.example\/setup#/)
  assert.doesNotMatch(publicly.err, /SERVICE_PUBLIC_URL/)
  // Nobody answers at the address of a service that has stopped.
  const later = await link({ PORT: '9090' })
  assert.match(later.out, /^http:\/\/127\.0\.0\.1:9090\/setup#/)
})
