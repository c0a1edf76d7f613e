/** A Unix socket to listen on: who owns its file, and who may connect. */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect } from 'node:net'

export interface SocketOptions {
  readonly path: string
  /** Permissions of the file: 0o600 for the owner only, 0o660 for the group too. */
  readonly mode: number
}

/** Longest wait for a process that may already be listening. */
const probeTimeoutMs = 1000

/**
 * Listens on a socket. A file left behind by a killed process is replaced; anything else at the path is left alone.
 * @throws Error with a sentence for the operator if the path is taken, otherwise the system's error
 */
export async function listenOnSocket(server: Server, { path, mode }: SocketOptions): Promise<void> {
  await removeStale(path)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // The file is created within this call; nobody else may connect before its permissions are set.
    const before = process.umask(0o777 & ~mode)
    try {
      server.listen({ path }, () => {
        server.off('error', reject)
        resolve()
      })
    } finally {
      process.umask(before)
    }
  })
  chmodSync(path, mode)
}

async function removeStale(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isSocket()) throw new Error('LISTEN_SOCKET names something that is no socket; it is left as it is.')
  if (await isServed(path)) throw new Error('LISTEN_SOCKET is a socket that another process listens on.')
  unlinkSync(path)
}

/** Whether a process answers. A socket that may not be connected to counts as in use: it is not ours to remove. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ path, timeout: probeTimeoutMs })
    const end = (served: boolean): void => {
      probe.destroy()
      resolve(served)
    }
    probe
      .once('connect', () => end(true))
      .once('timeout', () => end(true))
      .once('error', ({ code }: NodeJS.ErrnoException) => end(code !== 'ECONNREFUSED'))
  })
}
