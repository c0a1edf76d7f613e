/** A Unix socket to listen on: whose file it is, and who may connect. */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect } from 'node:net'

export interface SocketOptions {
  readonly path: string
  /** Permissions of the file: 0o600 for the owner alone, 0o660 for the group too. */
  readonly mode: number
}

/** Longest wait for whoever may listen already. */
const probeTimeoutMs = 1000

/**
 * Listens on a socket. A file that a process left behind when it was killed is replaced; anything else that stands there
 * is left alone.
 * @throws Error with a sentence for the operator where the path is taken; what the system says otherwise
 */
export async function listenOnSocket(server: Server, { path, mode }: SocketOptions): Promise<void> {
  await removeStale(path)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // The file is made within this call; nobody else may connect before its permissions are set.
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

/** Whether somebody answers. A socket that may not be asked counts as served: it is not ours to remove. */
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
