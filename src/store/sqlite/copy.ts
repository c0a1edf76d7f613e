/** Copies the database while it is in use, in a separate thread and from one snapshot. */
import { open, rm, stat } from 'node:fs/promises'
import { SqliteThread } from './thread.ts'
import { StoreError } from '../store.ts'

const progressMs = 200

/** Creates the target file, for its owner only; an existing file is never touched. */
async function createTarget(file: string): Promise<void> {
  try {
    const target = await open(file, 'wx', 0o600)
    await target.close()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    const isTaken = code === 'EEXIST'
    throw new StoreError(
      isTaken ? 'invalid' : 'unavailable',
      isTaken
        ? 'The file to copy into exists.'
        : `The file to copy into cannot be made (${code}).${code === 'ENOENT' ? ' Its folder must exist.' : ''}`
    )
  }
}

/** Syncs the file: the engine does not wait for the disk when it writes a copy. */
async function flush(file: string): Promise<void> {
  const target = await open(file, 'r+')
  try {
    await target.sync()
  } finally {
    await target.close()
  }
}

/**
 * Copies a database. Neither writer nor readers wait; the write-ahead log grows until the copy is done.
 * @param from.bytes approximate size of the copy
 * @param onProgress called with the completed share, from 0 to 1
 * @throws StoreError `invalid` if `file` exists, `unavailable`
 */
export async function copyDatabase(
  from: { readonly path: string; readonly bytes: number; readonly busyTimeoutMs: number },
  file: string,
  onProgress?: (done: number) => void
): Promise<void> {
  const { path, busyTimeoutMs } = from
  await createTarget(file)
  let isUnderWay = true
  const report = async () => {
    const { size } = await stat(file).catch(() => ({ size: 0 }))
    // The copy may have ended while its size was requested.
    if (isUnderWay) onProgress?.(Math.min(size / Math.max(from.bytes, 1), 0.99))
  }
  const timer = setInterval(() => void report(), progressMs)
  try {
    const thread = await SqliteThread.start({ path, role: 'copier', busyTimeoutMs, writerId: '' })
    try {
      await thread.request({ op: 'query', sql: 'vacuum into ?', parameters: [file] })
    } finally {
      await thread.close(busyTimeoutMs)
    }
    await flush(file)
  } catch (error) {
    await rm(file, { force: true })
    if (error instanceof StoreError) throw error
    throw new StoreError('unavailable', 'The copy could not be written to the end.')
  } finally {
    isUnderWay = false
    clearInterval(timer)
  }
  onProgress?.(1)
}
