/** The package as users install it: built, without sources, accessed through the names that it exports. */
import assert from 'node:assert/strict'
import { isAscii } from 'node:buffer'
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { tools } from '../scripts/run.ts'
import { mintToken } from '../src/protocol/token-format.ts'
import { testToken } from './support/mcp/test-token.ts'
import { createCertificateAuthority } from './support/certificates.ts'
import { packedPackage } from './support/packed-package.ts'

const root = join(import.meta.dirname, '..')
const mail = ['ana', 'corp.dev'].join('@')

describe('the built package', () => {
  const user = mkdtempSync(join(tmpdir(), 'sluice-package-'))
  const installed = join(user, 'node_modules/sluice')
  after(() => rmSync(user, { recursive: true, force: true }))

  function run(args: readonly string[], input = ''): { readonly code: number; readonly output: string } {
    // The compile cache of a test run is for the sources; the package must use its own.
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined }
    const { status, stdout, stderr } = spawnSync(process.execPath, [...args], { cwd: user, input, env })
    return { code: status ?? -1, output: `${stdout}${stderr}` }
  }

  before(async () => {
    await using packed = await packedPackage()
    for (const path of packed.files) cpSync(join(packed.folder, path), join(installed, path))
    symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
  })

  it('exports the scanner', () => {
    writeFileSync(
      join(user, 'use.mjs'),
      `import { builtInDetectors, createScanner } from 'sluice/detection'
      const found = createScanner().scan('write to ${mail}')
      console.log(builtInDetectors.length > 50, JSON.stringify(found))`
    )
    const { code, output } = run(['use.mjs'])
    assert.equal(code, 0, output)
    assert.match(output, /^true \[\{"kind":"email_address",.*"start":9,"end":21\}\]\n$/)
  })

  it('exports the sensor, which works without a service', () => {
    writeFileSync(
      join(user, 'sense.mjs'),
      `import { createSensor, labelsFor } from 'sluice/sensor'
      const sensor = createSensor({ target: 'http://127.0.0.1:9', token: '${testToken}' })
      sensor.report({ kind: 'tool_call_enforcement', action: 'allow', mcpToolName: 'read' })
      console.log(typeof labelsFor, sensor.stats() !== undefined)
      await sensor.close()`
    )
    const { code, output } = run(['sense.mjs'])
    assert.equal(code, 0, output)
    assert.match(output, /^function true\n/)
  })

  it('says in its exports which Node.js they need, before an older one fails at something else', () => {
    writeFileSync(
      join(user, 'older.mjs'),
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
      delete Map.groupBy
      for (const name of ['sluice/detection', 'sluice/sensor'])
        await import(name).then(() => console.log('loaded'), ({ message }) => console.log(message))`
    )
    const { code, output } = run(['older.mjs'])
    assert.equal(code, 0, output)
    assert.equal(output, 'sluice needs Node.js 24.12 or newer; this is 20.20.2.\n'.repeat(2))
  })

  it('ships the types of what it exports', () => {
    writeFileSync(
      join(user, 'use.mts'),
      `import { createScanner, type Finding, type Scanner } from 'sluice/detection'
      const scanner: Scanner = createScanner()
      export const found: Finding[] = scanner.scan('text', scanner.createMemory())
      // @ts-expect-error A finding never carries the text that it found.
      export const text = found[0]?.text`
    )
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--types', '']
    const { code, output } = run([tools.compile, ...options, 'use.mts'])
    assert.equal(code, 0, output)
  })

  it('does not expose its internals', () => {
    writeFileSync(join(user, 'reach.mjs'), "await import('sluice/dist/lib/detection.js')")
    assert.match(run(['reach.mjs']).output, /ERR_PACKAGE_PATH_NOT_EXPORTED/)
  })

  it('runs its commands without any other package, and states whose code it contains', () => {
    const alone = join(user, 'alone')
    for (const name of ['bin', 'dist', 'package.json'])
      cpSync(join(installed, name), join(alone, name), { recursive: true })
    const { code, output } = run([join(alone, 'bin/sluice.mjs'), 'scan', '-'], mail)
    assert.equal(code, 1, output)
    assert.match(run([join(alone, 'bin/sluice.mjs'), 'sidecar', '--help']).output, /SERVICE_INGRESS_TARGET/)
    // Compiled code is cached only inside the package, never where others could write.
    assert.ok(existsSync(join(alone, 'dist/compile-cache')))
    const notices = readFileSync(join(alone, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of ['fastify', 'undici', 'zod', 'pg'])
      assert.match(notices, new RegExp(`^${name}@[0-9.]+ \\(`, 'm'))
    assert.ok(!notices.includes('typescript@'))
  })

  it('makes nobody install what only the commands need, which bring it along', () => {
    const importedBy = (folder: string): ReadonlySet<string | undefined> => {
      const names = readdirSync(join(installed, folder), { recursive: true, encoding: 'utf8' })
      const code = names
        .filter((name) => /\.[jt]s$/.test(name))
        .map((name) => readFileSync(join(installed, folder, name), 'utf8'))
      return new Set(code.flatMap((text) => [...text.matchAll(/\bfrom ["']([a-z@][^"':]*)["']/g)].map(([, id]) => id)))
    }
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies: object
    }
    const brought = new Set(Object.keys(dependencies))
    assert.deepEqual(importedBy('dist/lib'), brought)
    const typed = importedBy('dist/types')
    assert.ok(typed.size > 0 && typed.isSubsetOf(brought), [...typed].join())
  })

  it('has no large text twice in memory: no character beyond ASCII, and WebAssembly programs as files', () => {
    const names = readdirSync(join(installed, 'dist/bundle'))
    assert.ok(names.includes('llhttp_simd.wasm') && names.includes('llhttp.wasm'))
    for (const name of names.filter((one) => one.endsWith('.js'))) {
      const code = readFileSync(join(installed, 'dist/bundle', name))
      assert.ok(isAscii(code), name)
      // How such a program begins, in base 64.
      assert.ok(!code.includes('AGFzbQ'), name)
    }
  })

  it('speaks HTTP/1.1 to a server that would rather have HTTP/2, and never loads the latter', async () => {
    const authority = createCertificateAuthority()
    writeFileSync(join(user, 'authority.pem'), authority.cert)
    const versions: string[] = []
    const options = { ...authority.issue('service'), allowHTTP1: true }
    const server = createSecureServer(options, (req, res) => {
      versions.push(req.httpVersion)
      res.end(JSON.stringify({ status: req.url === '/livez' ? 'ok' : 'none' }))
    })
    const loaded = `process.on('exit', () => console.log('http2', process.moduleLoadList.includes('NativeModule http2')))`
    writeFileSync(join(user, 'loaded.cjs'), loaded)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const env = {
      ...process.env,
      NODE_COMPILE_CACHE: undefined,
      NODE_EXTRA_CA_CERTS: join(user, 'authority.pem'),
      NODE_OPTIONS: `--require ${join(user, 'loaded.cjs')}`,
      SERVICE_DATA_DIR: join(user, 'data'),
      SERVICE_INGRESS_TARGET: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      SERVICE_WORKSPACE_TOKEN: mintToken(randomBytes).token
    }
    const command = [join(installed, 'bin/sluice.mjs'), 'sidecar', '--check']
    const output = await new Promise<string>((resolve) =>
      execFile(process.execPath, command, { env }, (_error, stdout, stderr) => resolve(stdout + stderr))
    )
    server.close()
    assert.match(output, /target: the service is reachable/)
    assert.match(output, /^http2 false$/m)
    assert.deepEqual(new Set(versions), new Set(['1.1']))
  })

  it('ships the command', () => {
    const { code, output } = run([join(installed, 'bin/sluice.mjs'), 'scan', '-'], mail)
    assert.equal(code, 1, output)
    assert.match(output, /^<stdin>:1:1 {2}e-mail address/)
  })
})
