/** The script that sets up a fresh clone, run in small checkouts of its own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'

const root = join(import.meta.dirname, '..')
const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

const dependency = { 'node_modules/one': { version: '1.0.0', integrity: 'sha512-x' } }

/** A checkout whose lock file lists some packages and whose node_modules claims to contain some. */
function checkout(wanted: object, installed: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-setup-'))
  folders.push(folder)
  for (const name of ['scripts', 'bin', 'node_modules/.bin']) mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['scripts/setup.mjs', 'bin/sluice.mjs']) copyFileSync(join(root, name), join(folder, name))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
  return folder
}

async function setup(folder: string) {
  // This points to no npm, so that an attempt to install fails and shows.
  const env = { ...process.env, npm_execpath: join(folder, 'npm-cli.js'), npm_node_execpath: process.execPath }
  const child = spawn(process.execPath, [join(folder, 'scripts/setup.mjs')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [shown, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, shown }
}

const done = { code: 0, shown: '' }

describe('setup', () => {
  it('accepts an existing installation silently', async () => {
    const folder = checkout(dependency, dependency)
    assert.deepEqual(await setup(folder), done)
    assert.equal(readlinkSync(join(folder, 'node_modules/.bin/sluice')), '../../bin/sluice.mjs')
    assert.deepEqual(await setup(folder), done)
  })

  it('does not require optional packages of other platforms', async () => {
    const other = { ...dependency, 'node_modules/two': { version: '1.0.0', integrity: 'sha512-y', optional: true } }
    assert.deepEqual(await setup(checkout(other, dependency)), done)
  })

  it('requires optional packages of this machine', async () => {
    const two = { version: '1.0.0', integrity: 'sha512-y', optional: true, os: [process.platform], cpu: [process.arch] }
    const { code, shown } = await setup(checkout({ ...dependency, 'node_modules/two': two }, dependency))
    assert.equal(code, 1)
    assert.match(shown, /^Installing dependencies/)
  })

  it("requests what npm's cache does not know, and accepts what the cache has", async () => {
    for (const [firstLacks, runs] of [
      [true, ['--prefer-offline', '--prefer-online']],
      [false, ['--prefer-offline']]
    ] as const) {
      const folder = checkout(dependency, {})
      const noted = join(folder, 'noted')
      const installed = join(folder, 'node_modules/.package-lock.json')
      // It always succeeds, and omits what its cache does not know.
      writeFileSync(
        join(folder, 'npm-cli.js'),
        `const fs = require('node:fs')
        const freshness = process.argv.find((one) => one.startsWith('--prefer-'))
        fs.appendFileSync(${JSON.stringify(noted)}, freshness + '\\n')
        const packages = ${String(firstLacks)} && freshness === '--prefer-offline' ? {} : ${JSON.stringify(dependency)}
        fs.writeFileSync(${JSON.stringify(installed)}, JSON.stringify({ packages }))`
      )
      assert.deepEqual(await setup(folder), { code: 0, shown: 'Installing dependencies ...\n' })
      assert.deepEqual(readFileSync(noted, 'utf8').trim().split('\n'), runs)
      assert.deepEqual(await setup(folder), done)
    }
  })

  it('lets two setups run at once', async () => {
    const folder = checkout(dependency, dependency)
    for (const { code, shown } of await Promise.all([setup(folder), setup(folder), setup(folder)])) {
      assert.equal(code, 0)
      // A setup that waits longer than a moment says so, once.
      assert.match(shown, /^(?:Waiting for another setup of this checkout \.\.\.\n)?$/)
    }
    assert.ok(!existsSync(join(folder, '.setup-lock')))
  })

  it('takes over the lock of a setup that died', async () => {
    const folder = checkout(dependency, dependency)
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'close')
    writeFileSync(join(folder, '.setup-lock'), String(dead.pid))
    assert.deepEqual(await setup(folder), done)
  })

  for (const [what, installed] of [
    ['another version', { 'node_modules/one': { ...dependency['node_modules/one'], version: '1.0.1' } }],
    ['another checksum', { 'node_modules/one': { ...dependency['node_modules/one'], integrity: 'sha512-z' } }],
    ['a package too few', {}],
    ['a package too many', { ...dependency, 'node_modules/two': { version: '1.0.0' } }]
  ] as const) {
    it(`installs if there is ${what}, and says what failed`, async () => {
      const folder = checkout(dependency, installed)
      const { code, shown } = await setup(folder)
      assert.equal(code, 1)
      assert.match(shown, /^Installing dependencies/)
      assert.match(shown, /npm install failed; see its message above\.\n$/)
      assert.ok(!existsSync(join(folder, 'node_modules/.setup')) && !existsSync(join(folder, '.setup-lock')))
    })
  }

  it('checks again when the lock file has changed', async () => {
    const folder = checkout(dependency, dependency)
    assert.deepEqual(await setup(folder), done)
    const marker = readFileSync(join(folder, 'node_modules/.setup'), 'utf8')
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: {} }))
    assert.equal((await setup(folder)).code, 1)
    assert.equal(readFileSync(join(folder, 'node_modules/.setup'), 'utf8'), marker)
  })
})
