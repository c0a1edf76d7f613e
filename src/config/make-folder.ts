/** Folders of data. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder that its owner alone may enter, and those above it, where they are missing. Node's own recursive way tries
 * for ever, on a thread that cannot be stopped, where a file system answers that there is no such folder although the one
 * above is there, as that of `/proc` does.
 * @returns whether it was missing
 * @throws the error of the file system, by its `code`
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

/** @returns whether it was made, or what kept the folder from being there */
async function tryFolder(path: string): Promise<boolean | NodeJS.ErrnoException> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    // Which error a folder gives that is there already depends on the system.
    const isThere = await stat(path).then((found) => found.isDirectory()).catch(() => false) // prettier-ignore
    return isThere ? false : (error as NodeJS.ErrnoException)
  }
}
