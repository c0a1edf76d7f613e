/** Finds out what the garbage collector frees, and when. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { readonly type: 'minor' | 'major' }) => void

function collector(): Collect {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return collect
}

/**
 * Counts objects that survive minor collections. Those run every few calls; a collection of the whole heap runs only
 * when the heap has grown a lot. An old object that points to a new one keeps it alive in a minor collection even if
 * the old one is unreachable itself: a map that V8 made for it, or a promise that it resolved.
 * @param make returns objects that nothing else should hold
 */
export async function leftByMinorCollections(make: () => readonly WeakKey[]): Promise<number> {
  const collect = collector()
  // The first call allocates what all later ones share, and the collector may start late.
  make()
  await nextTurn()
  for (let i = 0; i < 2; i++) collect({ type: 'minor' })
  const made = make().map((object) => new WeakRef(object))
  // A weak reference keeps its target alive until the current turn of the event loop ends.
  await nextTurn()
  for (let i = 0; i < 2; i++) collect({ type: 'minor' })
  return made.filter((object) => object.deref() !== undefined).length
}

/** Whether the object has become unreachable. */
export async function isFreed(object: WeakRef<WeakKey>): Promise<boolean> {
  await nextTurn()
  collector()({ type: 'major' })
  return object.deref() === undefined
}

/** How many more bytes of heap and buffers are in use after `work`. */
export function bytesLeftBy(work: () => void): number {
  const collect = collector()
  const inUse = (): number => {
    collect({ type: 'major' })
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = inUse()
  work()
  return inUse() - before
}
