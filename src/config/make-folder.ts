/** Folders of data. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder that its owner alone may enter, and those above it, where they are missing. Node's own recursive way tries
 * for ever, on a thread that cannot be stopped, where a file system answers that there is no such folder although the one
 * above is there, as that of `/proc` does.
 * @throws the error of the file system, by its `code`
 */
export async function makeFolder(path: string): Promise<void> {
  const fault = await tryFolder(path)
  if (fault === undefined) return
  const above = dirname(path)
  if (fault.code !== 'ENOENT' || above === path) throw fault
  await makeFolder(above)
  const second = await tryFolder(path)
  if (second !== undefined) throw second
}

/** @returns what kept the folder from being there */
async function tryFolder(path: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode: 0o700 })
    return undefined
  } catch (error) {
    // Which error a folder gives that is there already depends on the system.
    const isThere = await stat(path).then((found) => found.isDirectory()).catch(() => false) // prettier-ignore
    return isThere ? undefined : (error as NodeJS.ErrnoException)
  }
}
