/** What the file system says, as a code that names no path. */
import type { DiskProblem } from './spool-types.ts'

/** Another process has the folder. */
export class SpoolInUse extends Error {
  override readonly name = 'SpoolInUse'
}

/** The folder is not the one that was opened any more: removed, renamed, or another file system is there. */
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

/** Tells failures of a disk apart. */
export function diskProblem(error: unknown): DiskProblem {
  if (error instanceof SpoolInUse) return 'in_use'
  if (error instanceof FolderGone) return 'gone'
  return problems[(error as NodeJS.ErrnoException).code ?? ''] ?? 'failed'
}
