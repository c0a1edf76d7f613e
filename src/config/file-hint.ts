/** What an operator can do about a file of the data directory that cannot be created or opened. */

const hints: Readonly<Record<string, string>> = {
  EROFS: ' The file system is read-only: mount it for writing, or set SERVICE_DATA_DIR to another folder.',
  ENOSPC: ' The disk is full: make room on it.',
  EDQUOT: ' The quota of this user is used up: make room.',
  EEXIST: ' SERVICE_DATA_DIR must be a folder, and a file stands there.',
  ENOTDIR: ' SERVICE_DATA_DIR must be a folder, and a file stands there.'
}

/**
 * @param code of the system, such as `ENOSPC`
 * @returns a sentence that follows another; nothing for a code without a remedy
 */
export function fileHint(code: string | undefined): string {
  if ((code === 'EACCES' || code === 'EPERM') && process.getuid !== undefined)
    return ` It and its folder must belong to the user that runs this program (user ID ${process.getuid()}).`
  return hints[code ?? ''] ?? ''
}
