/** What the collector frees, and when. */
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
 * How many objects outlive minor collections, which come every few calls, those of the whole heap only when it has grown by
 * much. Something old that points to a new object keeps it from them, however dead it is itself: a map that V8 made for
 * it, a promise that it resolved.
 * @param make gives objects that nothing else is to hold
 */
export async function leftByMinorCollections(make: () => readonly WeakKey[]): Promise<number> {
  const collect = collector()
  // What the first one makes is for all that follow, and the collector takes its time to begin.
  make()
  await nextTurn()
  for (let i = 0; i < 2; i++) collect({ type: 'minor' })
  const made = make().map((object) => new WeakRef(object))
  // A weak reference holds what it names until the turn is over.
  await nextTurn()
  for (let i = 0; i < 2; i++) collect({ type: 'minor' })
  return made.filter((object) => object.deref() !== undefined).length
}

/** Whether nothing holds an object any more. */
export async function isFreed(object: WeakRef<WeakKey>): Promise<boolean> {
  await nextTurn()
  collector()({ type: 'major' })
  return object.deref() === undefined
}
