/** Sets the owner of files in a data directory. */
import { constants } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'

/**
 * If run as root, gives a new file in a folder to the folder's owner. Otherwise, a command that an administrator runs
 * before the service's first start would leave it a database and a key that it cannot open.
 * @param made by its handle, so that nobody can replace it in the meantime
 */
export async function giveToOwnerOf(folder: string, made: FileHandle): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  if (uid !== 0) await made.chown(uid, gid)
}

/** The same for a new folder. */
export async function giveFolderToOwnerOf(folder: string, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const made = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    await giveToOwnerOf(folder, made)
  } finally {
    await made.close()
  }
}
