import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { createCertificateAuthority } from '../../test/support/certificates.ts'
import { eventually } from '../../test/support/eventually.ts'
import { readTls, reloadTls } from './tls.ts'

const authority = createCertificateAuthority()

test('a mismatched pair is logged without its content, the previous one stays, and the next valid one is used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-tls-unit-'))
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  const install = async (cert: string, key: string): Promise<void> => {
    await writeFile(files.certFile, cert)
    await writeFile(files.keyFile, key)
  }
  const first = authority.issue('first')
  await install(first.cert, first.key)
  const server = createServer(readTls(files))
  const logged: unknown[] = []
  const note = (...line: unknown[]): void => void logged.push(line)
  const log = { info: note, warn: note, error: note }
  const stop = reloadTls(files, server, { log, metrics: { set: () => undefined } })
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const shown = async (): Promise<string> => {
      const socket = connect({ port, host: '127.0.0.1', ca: authority.cert })
      await once(socket, 'secureConnect')
      const { subject } = socket.getPeerCertificate()
      socket.destroy()
      return String(subject.CN)
    }
    await install('no certificate', 'no key')
    await eventually('the complaint', () => (logged.length > 0 ? true : undefined))
    assert.match(JSON.stringify(logged), /SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE must name a PEM certificate/)
    assert.doesNotMatch(JSON.stringify(logged), /no key/)
    assert.equal(await shown(), 'first')
    const second = authority.issue('second')
    await install(second.cert, second.key)
    await eventually('the new certificate', async () => ((await shown()) === 'second' ? true : undefined))
  } finally {
    stop()
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true, force: true })
  }
})

test('a certificate that expires soon, or has expired, is reported at the start and when it changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-tls-end-'))
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  const install = async (lastsMs: number): Promise<void> => {
    const { cert, key } = authority.issue('ends', { lastsMs })
    await writeFile(files.keyFile, key)
    await writeFile(files.certFile, cert)
  }
  const dayMs = 86_400_000
  await install(20 * dayMs)
  const server = createServer(readTls(files))
  const logged: string[] = []
  const ends: number[] = []
  const log = {
    info: () => undefined,
    warn: (...line: unknown[]): void => void logged.push(`warn ${JSON.stringify(line)}`),
    error: (...line: unknown[]): void => void logged.push(`error ${JSON.stringify(line)}`)
  }
  const metrics = { set: (...[, value]: readonly unknown[]): void => void ends.push(Number(value)) }
  const stop = reloadTls(files, server, { log, metrics })
  try {
    assert.deepEqual(logged, [])
    assert.ok(Math.abs((ends[0] ?? 0) - (Date.now() + 20 * dayMs) / 1000) < 60, String(ends))
    const saidOf = async (lastsMs: number, what: RegExp): Promise<void> => {
      await install(lastsMs)
      await eventually(String(what), () => (logged.some((line) => what.test(line)) ? true : undefined))
    }
    await saidOf(5 * dayMs, /^warn .*expires soon/)
    await saidOf(-60_000, /^error .*has expired/)
    assert.ok((ends.at(-1) ?? Infinity) < Date.now() / 1000)
  } finally {
    stop()
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
})
