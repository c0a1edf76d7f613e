/** Packs the package like npm, after building it, and unpacks its files as in an installation. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environment, root } from './run.ts'
import { takeTurn } from './setup.mjs'

export interface Packed {
  /** The file that npm publishes. */
  readonly tarball: string
  /** Its contents, by their paths in it. */
  readonly files: readonly string[]
  /** A folder with the same files. */
  readonly folder: string
}

const record = 'packed.json'
const cache = join(root, 'node_modules', '.cache')
const busyFile = join(cache, 'pack-lock')

/**
 * Packs this checkout. Others who want to wait: each build begins by removing `dist/`, which another may be packing.
 * @param into an empty folder, which gets the tarball, its files, and a record for {@link packedIn}
 * @throws Error with npm's output if it or the build failed
 */
export async function pack(into: string): Promise<Packed> {
  await mkdir(cache, { recursive: true })
  takeTurn(busyFile, 'packing')
  try {
    return await packNow(into)
  } finally {
    await rm(busyFile)
  }
}

async function packNow(into: string): Promise<Packed> {
  const env = { ...environment, npm_config_loglevel: 'error' }
  const args = ['pack', '--json', '--pack-destination', into]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, env, maxBuffer: 2 ** 26 })
  // The build may print before npm does. Some versions of npm print a list, others an object by name.
  const parsed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as unknown
  const [entry] = Object.values(parsed as object) as [{ filename: string; files: { path: string }[] }]
  const files = entry.files.map(({ path }) => path)
  const folder = join(into, 'package')
  for (const path of files) await cp(join(root, path), join(folder, path))
  const packed: Packed = { tarball: join(into, entry.filename), files, folder }
  await writeFile(join(into, record), JSON.stringify(packed))
  return packed
}

/** The result of an earlier {@link pack} into a folder. */
export async function packedIn(folder: string): Promise<Packed> {
  return JSON.parse(await readFile(join(folder, record), 'utf8')) as Packed
}
