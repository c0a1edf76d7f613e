/** Creates folders for data. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder that only its owner may enter, and missing parents. Node's own recursive version loops forever, on a
 * thread that cannot be stopped, if a file system reports a missing parent although that exists, as `/proc` does.
 * @returns whether it was missing
 * @throws the file system error, identified by its `code`
 */
export async function makeFolder(path: string): Promise<boolean> {
  const first = await tryFolder(path)
  if (typeof first === 'boolean') return first
  const above = dirname(path)
  if (first.code !== 'ENOENT' || above === path) throw first
  await makeFolder(above)
  const second = await tryFolder(path)
  if (typeof second === 'boolean') return second
  throw second
}

/** @returns whether it was created, or the error that prevented it */
async function tryFolder(path: string): Promise<boolean | NodeJS.ErrnoException> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    // The error for an existing folder depends on the system.
    const isThere = await stat(path).then((found) => found.isDirectory()).catch(() => false) // prettier-ignore
    return isThere ? false : (error as NodeJS.ErrnoException)
  }
}
