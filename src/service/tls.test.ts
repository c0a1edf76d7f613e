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

test('a pair that does not fit is logged without its content, the one before it stays, and the next good one is taken', async () => {
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
  const stop = reloadTls(files, server, { info: note, warn: note })
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
