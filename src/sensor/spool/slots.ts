/** Folders for the spools of processes that share a data directory. */
import { join } from 'node:path'
import { makeFolder } from '../../config/make-folder.ts'
import { takeFolder } from './owner.ts'

const slotsMax = 32

/**
 * Finds a folder that no living process has, the first one first, so that what a process left behind is sent by the next.
 * Should another process take it in the same moment, the spool of one of them stays in memory.
 * @returns undefined where all are taken, or none can be: then events are kept in memory
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
      // In use, or not to be had: the next one may be.
    }
  }
  return undefined
}
