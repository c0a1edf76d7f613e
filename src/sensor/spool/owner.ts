/**
 * One process at a time per folder. The owner listens on a socket in it: whether it is alive is then known to the
 * kernel, without process ids, clocks or leases, and correctly even between containers on one machine.
 */
import { readdir, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { SpoolInUse } from './disk-problem.ts'

const namePattern = /^owner-([0-9]{1,12})\.sock$/

export interface Ownership {
  release(): Promise<void>
}

/**
 * Takes ownership of a folder.
 *
 * Sockets are numbered, and a new one is bound beside those of killed owners, never over them: two processes that find
 * the same dead owner cannot both believe that they have replaced it. After binding, a process looks once more, and if
 * two see each other neither stays.
 * @throws SpoolInUse if a live process owns it, otherwise a file system error
 */
export async function takeFolder(dir: string): Promise<Ownership> {
  const before = await look(dir)
  if (before.isAlive) throw new SpoolInUse()
  const own = before.numberMax + 1
  const server = await listen(join(dir, nameOf(own)))
  const release = () => new Promise<void>((resolve) => server.close(() => resolve()))
  try {
    const after = await look(dir, own)
    if (after.isAlive) throw new SpoolInUse()
    for (const name of after.dead) await unlink(join(dir, name)).catch(() => undefined)
  } catch (error) {
    await release()
    throw error
  }
  return { release }
}

const nameOf = (number: number): string => `owner-${number}.sock`

async function look(
  dir: string,
  own?: number
): Promise<{ readonly isAlive: boolean; readonly dead: readonly string[]; readonly numberMax: number }> {
  const dead: string[] = []
  let isAlive = false
  let numberMax = 0
  for (const name of await readdir(dir)) {
    const number = Number(namePattern.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(number) || number === own) continue
    numberMax = Math.max(numberMax, number)
    if (await answers(join(dir, name))) isAlive = true
    else dead.push(name)
  }
  return { isAlive, dead, numberMax }
}

/** Whether a process listens there. Only a refused connection proves that none does. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new SpoolInUse() : error)
    )
    server.listen(path, () => resolve(server.unref()))
  })
}
