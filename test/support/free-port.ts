import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

const lowest = 12_000
/** From here on Linux gives ports to whoever names none, unless its operator says otherwise; other systems begin later. */
const usualLimit = 32_768
const triesMax = 100

/** The first port that the system may choose by itself. */
function limit(): number {
  let first = usualLimit
  try {
    first = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10)
  } catch {
    // Not Linux.
  }
  // Where it chooses among all ports there is none that it never gives away, and any is as good as another.
  return first > lowest + 1000 ? Math.min(first, usualLimit) : usualLimit
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/**
 * A port for a service whose address others must know before it is there, or while it is away. It is one of those that
 * the system gives to nobody by itself: of its own it may give one that was let go to anyone in the meantime, and who
 * tries again and again to reach a server that is away is given that server's very port in the end, and meets itself.
 */
export async function freePort(): Promise<number> {
  const end = limit()
  for (let tries = 0; tries < triesMax; tries++) {
    const port = randomInt(lowest, end)
    if (await isFree(port)) return port
  }
  throw new Error('No port is free.')
}
