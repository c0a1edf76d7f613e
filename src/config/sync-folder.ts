/** What a new name in a folder needs to outlive a loss of power. */
import { open } from 'node:fs/promises'

/** Brings the names in a folder to the disk. Windows has no such call and keeps them by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
