/** The package as a user gets it: packed, installed into an empty folder, serving a masked call. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { environment } from '../../scripts/run.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { call } from '../support/http.ts'
import { startOidcProvider } from '../support/oidc-provider.ts'
import { signInByProvider } from '../support/oidc-traveller.ts'
import { packedPackage } from '../support/packed-package.ts'
import { testEnvironment } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'
import { createVisitor } from '../support/visitor.ts'

const run = promisify(execFile)

test('the packed package, installed into an empty folder, serves a masked call and signs people in', async () => {
  await using packed = await packedPackage()
  const folder = await mkdtemp(join(tmpdir(), 'sluice-package-'))
  try {
    const { tarball, files } = packed
    const wanted = [
      'bin/sluice.mjs',
      'dist/bundle/main.js',
      'dist/types/sdk/index.d.ts',
      'dist/lib/sensor.js',
      'dist/dashboard/index.html',
      'LICENSE'
    ]
    for (const file of [...wanted, 'dist/THIRD-PARTY-NOTICES.txt']) assert.ok(files.includes(file), file)
    const unwanted = files.filter((path) =>
      /^(?:src|test|bench|demo|scripts|node_modules|dist\/compile-cache)\/|\.test\.|\.contract\./.test(path)
    )
    assert.deepEqual(unwanted, [])

    await writeFile(join(folder, 'package.json'), '{"name":"empty","private":true}')
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], {
      cwd: folder,
      env: { ...environment, npm_config_loglevel: 'error' }
    })
    await serveMaskedCall(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function serveMaskedCall(folder: string): Promise<void> {
  await using upstream = await startStubUpstream(answers())
  const dataDir = join(folder, 'data')
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  await using provider = await startOidcProvider({
    redirectUris: [`${address}/api/session/oidc/callback`],
    people: { ana: { preferred_username: 'ana', groups: ['staff'] } }
  })
  const env = { PORT: String(port), SERVICE_LOG_LEVEL: 'info', ...provider.environment(address) }
  const settings = testEnvironment(dataDir, { upstream, env })
  const bin = join(folder, 'node_modules', 'sluice', 'bin', 'sluice.mjs')
  const child = spawn(process.execPath, [bin, 'serve'], {
    cwd: folder,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (errors += text))
  const exited = once(child, 'exit')
  try {
    const url = await Promise.race([listening(child.stdout), exited.then(() => assert.fail(errors))])
    const path = await tokenFile(dataDir)
    const token = (await readFile(path, 'utf8')).trim()
    const answer = await call(`${url}/api/ingress/v1/chat/completions`, {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Write to ana@acme-corp.dev' }] })
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers['x-service-action'], 'mask')
    assert.match(upstream.lastBody(), /Write to EMAIL_[A-Z2-7]{10}/)
    // A worker thread handles this call; the bundle must contain its file.
    const linted = await call(`${url}/api/workspace/policy/lint`, {
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ redactionProfile: { version: 1 } })
    })
    assert.equal(linted.status, 200, linted.text)
    const page = await call(`${url}/policy`, { method: 'GET', headers: { accept: 'text/html' } })
    assert.match(page.text, /<script type="module"[^>]* src="\/assets\//)
    // The OpenID library is in a file of its own, loaded when a provider is configured.
    const ana = createVisitor(url)
    const back = await signInByProvider(ana, 'ana', '?to=/policy')
    assert.deepEqual([back.status, back.headers['location']], [302, '/policy'], back.text)
    assert.partialDeepStrictEqual((await ana.get('/api/session')).json(), { user: { name: 'ana', provider: 'oidc' } })
  } finally {
    child.kill('SIGTERM')
    const [code] = (await exited) as [number | null]
    assert.equal(code, 0, errors)
  }
}

/** The address that the log reports. */
async function listening(out: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: out })) {
    const { msg, url } = JSON.parse(line) as { msg: string; url?: string }
    if (msg === 'listening' && url !== undefined) {
      out.resume()
      return url
    }
  }
  return assert.fail('the service ended without listening')
}

/** The complete file: it is moved into place only when written. */
function tokenFile(dataDir: string): Promise<string> {
  return eventually('the first token', async () => {
    const name = (await readdir(dataDir)).find((file) => file.startsWith('token-'))
    return name === undefined ? undefined : join(dataDir, name)
  })
}
