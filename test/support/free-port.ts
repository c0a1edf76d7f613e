import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

const lowest = 12_000
/** Linux assigns ephemeral ports from here on by default; other systems start higher. */
const usualLimit = 32_768
const triesMax = 100
/** What this process has been given: a server that is to have one of them may not listen yet. */
const given = new Set<number>()

/** The first port that the system may assign by itself. */
function limit(): number {
  let first = usualLimit
  try {
    first = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10)
  } catch {
    // Not Linux.
  }
  // If it assigns from all ports, none is safe from it, and any is as good as another.
  return first > lowest + 1000 ? Math.min(first, usualLimit) : usualLimit
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/**
 * A port for a server whose address must be known before it starts or while it is down. It lies outside the range of
 * ports that the system assigns by itself: the system may assign a released port to anyone in the meantime. A client
 * that keeps connecting to a local server that is down would eventually be assigned that server's own port and connect
 * to itself.
 */
export async function freePort(): Promise<number> {
  const end = limit()
  for (let tries = 0; tries < triesMax; tries++) {
    const port = randomInt(lowest, end)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error('No port is free.')
}
