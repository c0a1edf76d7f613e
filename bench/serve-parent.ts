/** The benchmark's child side: handles the calls of its parent over IPC and ends when the parent ends. */

type Handlers = Readonly<Record<string, (argument: never) => unknown>>

export interface Asked {
  readonly id: number
  readonly name: string
  readonly argument: unknown
}

export type Told = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly fault: string }

/**
 * Tells the parent that the child is ready and handles its calls from then on. Every child answers `cpu` (microseconds
 * of processor time used so far, all threads) and `stop`.
 * @param ready sent to the parent first
 * @param close called once before the process ends
 */
export function serveParent(ready: unknown, handlers: Handlers, close: () => Promise<void> | void): void {
  const send = (told: Told): void => void process.send?.(told)
  const all: Record<string, (argument: never) => unknown> = {
    ...handlers,
    cpu() {
      const { user, system } = process.cpuUsage()
      return user + system
    }
  }
  async function end(): Promise<void> {
    try {
      await close()
    } finally {
      process.exit(0)
    }
  }
  process.on('disconnect', () => void end())
  // Ctrl-C reaches the whole process group; the parent decides when its children end.
  process.on('SIGINT', () => {})
  process.on('message', async ({ id, name, argument }: Asked) => {
    if (name === 'stop') return end()
    try {
      const handler = all[name]
      if (handler === undefined) throw new Error(`There is no handler "${name}".`)
      send({ id, result: await handler(argument as never) })
    } catch (error) {
      send({ id, fault: error instanceof Error ? error.message : String(error) })
    }
  })
  send({ id: 0, result: ready })
}
