/** Folders for the spools of processes that share a data directory. */
import { join } from 'node:path'
import { makeFolder } from '../../config/make-folder.ts'
import { takeFolder } from './owner.ts'

const slotsMax = 32

/**
 * Finds the first folder that no live process has, so that what a process left behind is sent by the next. If another
 * process takes it at the same moment, one of the two spools stays in memory.
 * @returns undefined if all are taken, or none can be created: then events are kept in memory
 */
export async function takeSpoolFolder(root: string): Promise<string | undefined> {
  for (let slot = 0; slot < slotsMax; slot++) {
    const dir = join(root, String(slot))
    try {
      await makeFolder(dir)
      const { release } = await takeFolder(dir)
      await release()
      return dir
    } catch {
      // In use or inaccessible: try the next one.
    }
  }
  return undefined
}
