/** `.sluiceignore`: which files a scan skips, in the syntax of `.gitignore`. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'

const ignoreFile = '.sluiceignore'

export interface IgnoreRules {
  /** Whether a rule in `root` or in a folder below it excludes this path, or a folder that contains it. */
  ignores(path: string, isFolder: boolean): boolean
}

/**
 * The rules of a folder and of all folders below it, read when needed. As with git, the rule in the deepest folder
 * takes precedence, and nothing can be included again inside an excluded folder.
 * @param root absolute path
 */
export function createIgnoreRules(root: string): IgnoreRules {
  const rulesOf = new Map<string, Ignore | undefined>()
  const verdicts = new Map<string, boolean>()

  function rules(folder: string): Ignore | undefined {
    if (!rulesOf.has(folder)) rulesOf.set(folder, readRules(join(folder, ignoreFile)))
    return rulesOf.get(folder)
  }

  function judge(path: string, isFolder: boolean): boolean {
    const parent = dirname(path)
    if (parent !== root && folderIgnored(parent)) return true
    for (let folder = parent; ; folder = dirname(folder)) {
      const name = relative(folder, path).replaceAll(sep, '/') + (isFolder ? '/' : '')
      const verdict = rules(folder)?.test(name)
      if (verdict?.ignored) return true
      if (verdict?.unignored || folder === root) return false
    }
  }

  function folderIgnored(path: string): boolean {
    const known = verdicts.get(path) ?? judge(path, true)
    verdicts.set(path, known)
    return known
  }

  return {
    ignores(path, isFolder) {
      if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return false
      return isFolder ? folderIgnored(path) : judge(path, false)
    }
  }
}

function readRules(path: string): Ignore | undefined {
  try {
    return ignore().add(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
