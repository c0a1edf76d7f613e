/** File system errors as codes that name no path. */
import type { DiskProblem } from './spool-types.ts'

/** Another process owns the folder. */
export class SpoolInUse extends Error {
  override readonly name = 'SpoolInUse'
}

/**
 * The folder is no longer the one that was opened: it was removed or renamed, or another file system is mounted there.
 */
export class FolderGone extends Error {
  override readonly name = 'FolderGone'
}

const problems: Readonly<Record<string, DiskProblem>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read_only',
  EACCES: 'denied',
  EPERM: 'denied'
}

/** The code of an error. */
export function diskProblem(error: unknown): DiskProblem {
  if (error instanceof SpoolInUse) return 'in_use'
  if (error instanceof FolderGone) return 'gone'
  return problems[(error as NodeJS.ErrnoException).code ?? ''] ?? 'failed'
}
