/** TLS of the service itself: its certificate is read at the start and whenever its files change. */
import { X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile, type Stats } from 'node:fs'
import type { Server } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'
import type { Metrics } from '../telemetry/metrics.ts'
import { dayMs } from '../timing/spans.ts'

export interface TlsFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** In PEM. */
export interface TlsCredentials {
  readonly cert: string
  readonly key: string
}

/** What reports the state of the certificate. */
interface TlsListeners {
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly metrics: Pick<Metrics, 'set'>
}

/** How long before its expiry a certificate is warned about, once a day: most are renewed a month before. */
const warnedMs = 14 * dayMs

/**
 * How often the files are checked. Polling works on every file system and through the symbolic links that a mounted
 * Kubernetes secret swaps, where file system events do not arrive.
 */
const lookEveryMs = 2000

/**
 * Reads a certificate and its key.
 * @throws Error with a sentence that holds none of the files' content, if they cannot be read or do not match
 */
export function readTls({ certFile, keyFile }: TlsFiles): TlsCredentials {
  try {
    const credentials = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    createSecureContext(credentials)
    return credentials
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new Error(
      `SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE must name a PEM certificate and its unencrypted key (${code}).`,
      { cause: error }
    )
  }
}

/**
 * Logs when the certificate expires, as an error if that is soon: to clients, a service with an expired certificate is
 * down.
 */
function tellEnd(cert: string, { log, metrics }: TlsListeners): void {
  const { validToDate } = new X509Certificate(cert)
  const leftMs = validToDate.getTime() - Date.now()
  metrics.set('tlsExpires', validToDate.getTime() / 1000)
  const expires = { expires: validToDate.toISOString() }
  if (leftMs <= 0)
    log.error(expires, 'the certificate of SERVICE_TLS_CERT_FILE has expired: clients refuse it until it is renewed')
  else if (leftMs < warnedMs)
    log.warn(
      expires,
      'the certificate of SERVICE_TLS_CERT_FILE expires soon: renew it, the file is read again by itself'
    )
}

/**
 * Loads the files into the server whenever one of them changes. Open connections keep their certificate. While one file
 * is new and the other old the pair does not match, and the last matching pair stays.
 * @returns ends the watching
 */
export function reloadTls(files: TlsFiles, server: Server, told: TlsListeners): () => void {
  if (!(server instanceof HttpsServer)) return () => undefined
  const { log } = told
  let { cert } = readTls(files)
  tellEnd(cert, told)
  const daily = setInterval(() => tellEnd(cert, told), dayMs).unref()
  function reload(now: Stats, before: Stats): void {
    // Reading also changes the metadata: the time of access.
    if (now.mtimeMs === before.mtimeMs && now.ino === before.ino && now.size === before.size) return
    try {
      const credentials = readTls(files)
      ;(server as unknown as HttpsServer).setSecureContext(credentials)
      log.info('the certificate was read again')
      cert = credentials.cert
      tellEnd(cert, told)
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the new certificate cannot be used; the old one stays in use')
    }
  }
  const paths = [files.certFile, files.keyFile]
  for (const path of paths) watchFile(path, { interval: lookEveryMs, persistent: false }, reload)
  return () => {
    clearInterval(daily)
    for (const path of paths) unwatchFile(path, reload)
  }
}
