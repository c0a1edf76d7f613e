import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createApp } from './app.ts'
import { createDashboard } from './dashboard.ts'

const page = '<link nonce="SLUICE_CSP_NONCE"><script nonce="SLUICE_CSP_NONCE" src="/assets/index-abc.js"></script>'

describe('the pages of the dashboard', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pages-'))
  let app: FastifyInstance
  const start = (isSecure = false) => {
    const dashboard = createDashboard({ folder, isSecure })
    const made = createApp({ log: pino({ level: 'silent' }), uploadTimeoutMs: 1000, ahead: [], dashboard })
    made.post('/api/setup', () => ({}))
    return made
  }
  before(() => {
    app = start()
  })
  after(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  const ask = (url: string, headers: Record<string, string> = { accept: 'text/html,*/*' }) =>
    app.inject({ url, headers })

  it('are reported as missing if they were not built', async () => {
    const answer = await ask('/policy')
    assert.equal(answer.statusCode, 404)
    assert.match(answer.body, /^The dashboard is not built\. /)
  })

  it('are one document, with a fresh nonce in each answer, under a policy that runs nothing else', async () => {
    writeFileSync(join(folder, 'index.html'), page)
    const nonces = new Set<string>()
    for (const path of [
      '/',
      '/policy',
      '/requests/01890000-0000-7000-8000-000000000000',
      '/a.b/c',
      '/sign-in?problem=x'
    ]) {
      const answer = await ask(path)
      assert.equal(answer.statusCode, 200, path)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'no-store')
      const policy = String(answer.headers['content-security-policy'])
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/]{22}=='; /)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      for (const rule of ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "connect-src 'self'"])
        assert.ok(policy.includes(rule), rule)
      assert.equal(answer.body, page.replaceAll('SLUICE_CSP_NONCE', nonce))
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
      assert.equal(answer.headers['strict-transport-security'], undefined)
      nonces.add(nonce)
    }
    assert.equal(nonces.size, 5)
  })

  it('load files with a hash in their names, cached permanently, and compressed if the build did so', async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'assets/index-abc.js'), 'export {}')
    writeFileSync(join(folder, 'assets/index-abc.js.gz'), gzipSync('export {}'))
    writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
    const plain = await ask('/assets/index-abc.js')
    assert.equal(plain.body, 'export {}')
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(plain.headers['content-type']), /javascript/)
    assert.equal(plain.headers['x-content-type-options'], 'nosniff')
    const packed = await ask('/assets/index-abc.js', { 'accept-encoding': 'gzip' })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    const icon = await ask('/favicon.svg')
    assert.equal(icon.body, '<svg/>')
    assert.equal(icon.headers['cache-control'], 'public, max-age=3600')
  })

  it('do not replace API paths or missing files, and serve nothing outside the folder', async () => {
    for (const [path, status] of [
      ['/api/nothing', 404],
      ['/api/setup', 405],
      ['/assets/nothing.js', 404],
      ['/assets/', 404],
      ['/nothing.png', 404],
      ['/index.html', 404],
      ['/.built', 404],
      ['/assets/..%2findex.html', 404],
      ['/v1/models', 404]
    ] as const) {
      const answer = await ask(path)
      assert.ok([status, 400, 403].includes(answer.statusCode), `${path} ${answer.statusCode}`)
      assert.doesNotMatch(answer.body, /SLUICE_CSP_NONCE|<script/, path)
    }
    assert.equal((await ask('/policy', { accept: 'application/json' })).statusCode, 404, 'a program is told the truth')
    assert.equal(
      (await app.inject({ method: 'POST', url: '/policy', headers: { accept: 'text/html' } })).statusCode,
      404
    )
  })

  it('demand TLS if browsers use it', async () => {
    const secure = start(true)
    const answer = await secure.inject({ url: '/' })
    assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000')
    await secure.close()
  })

  it('come with headers on API answers that prevent any other use of them', async () => {
    const answer = await app.inject({ method: 'POST', url: '/api/setup' })
    assert.equal(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  })
})
