/** Makes a new name in a folder survive a power failure. */
import { open } from 'node:fs/promises'

/** Syncs the names in a folder to disk. Windows has no such call and does this itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
