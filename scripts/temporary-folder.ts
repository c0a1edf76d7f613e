/**
 * A folder for all temporary files of a test run, removed with everything in it when the run ends, also when it is
 * killed. Run as a program with a folder's path, this file removes the folder when its standard input ends.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
  /** Names of what tests have left in it; what browsers and other programs leave is none of them. */
  left(): string[]
}

/** What tests call their temporary files begins with this. */
const prefix = 'sluice-'

/**
 * Creates the folder. Processes that have its path as `TMPDIR` put their temporary files there.
 * @param parent an existing folder
 */
export function openTemporaryFolder(parent = temporaryPlace()): TemporaryFolder {
  const path = mkdtempSync(join(parent, `${prefix}run-`))
  // PostgreSQL, which refuses to run as root, must be able to reach its own folder in this one.
  chmodSync(path, 0o711)
  // The pipe closes however this process ends. Detached, so that an interrupt from the terminal does not reach it.
  const remover = spawn(process.execPath, [fileURLToPath(import.meta.url), path], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit']
  })
  const removed = once(remover, 'exit')
  remover.unref()
  return {
    path,
    left: () => readdirSync(path).filter((name) => name.startsWith(prefix)),
    async [Symbol.asyncDispose]() {
      remover.ref()
      remover.stdin.end()
      await removed
    }
  }
}

const memory = '/dev/shm'
/** Room that a run must find in memory: several times what it needs. */
const bytesMin = 4 * 2 ** 30

/**
 * Memory where Linux has enough of it, unless `TMPDIR` names a folder. On a disk, hundreds of small databases make tests
 * wait for it (decision 191).
 */
function temporaryPlace(): string {
  if (process.env['TMPDIR'] || process.platform !== 'linux' || process.availableMemory() < 2 * bytesMin) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(memory)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory)
    // Tests also start programs that they have put there.
    const isUsable = mount !== undefined && !/\bnoexec\b/.test(mount)
    return isUsable && bavail * bsize >= bytesMin ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = process.argv[2]
  if (path === undefined) throw new Error('usage: temporary-folder.ts <folder>')
  process.stdin.resume().once('close', () => {
    // Tests of a killed run may still be writing: they fail at once, but not all at the same moment.
    rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
}
