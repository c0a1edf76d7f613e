/** TLS of the service itself: its certificate is read at the start and again whenever its files change. */
import { readFileSync, unwatchFile, watchFile, type Stats } from 'node:fs'
import type { Server } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'

export interface TlsFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** In PEM. */
export interface TlsCredentials {
  readonly cert: string
  readonly key: string
}

/**
 * How often the files are looked at. Looking works on every file system and through the symbolic links that a mounted
 * secret of Kubernetes swaps, where events of the kernel do not come.
 */
const lookEveryMs = 2000

/**
 * Reads a certificate and its key.
 * @throws Error in a sentence that holds nothing of the files' content, for files that cannot be read or do not fit
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
 * Gives the server what the files hold whenever one of them changes. Connections that are open keep what they began
 * with. While one file is new and the other one old the pair does not fit, and the last one that did stays.
 * @returns ends it
 */
export function reloadTls(files: TlsFiles, server: Server, log: Pick<Logger, 'info' | 'warn'>): () => void {
  if (!(server instanceof HttpsServer)) return () => undefined
  function reload(now: Stats, before: Stats): void {
    // A reading alone is a change as well, of the time of access.
    if (now.mtimeMs === before.mtimeMs && now.ino === before.ino && now.size === before.size) return
    try {
      ;(server as unknown as HttpsServer).setSecureContext(readTls(files))
      log.info('the certificate was read again')
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the new certificate cannot be used, the one before it stays')
    }
  }
  const paths = [files.certFile, files.keyFile]
  for (const path of paths) watchFile(path, { interval: lookEveryMs, persistent: false }, reload)
  return () => {
    for (const path of paths) unwatchFile(path, reload)
  }
}
