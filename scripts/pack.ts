/** Packs the package as npm does, with its own build before, and lays its files out as an installation has them. */
import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environment, root } from './run.ts'

export interface Packed {
  /** What npm publishes. */
  readonly tarball: string
  /** What stands in it, by paths in it. */
  readonly files: readonly string[]
  /** The folder that has the same files. */
  readonly folder: string
}

const record = 'packed.json'

/**
 * Packs this checkout.
 * @param into an empty folder, which gets the tarball, its files, and a record for {@link packedIn}
 * @throws Error with what npm said where it or the build failed
 */
export async function pack(into: string): Promise<Packed> {
  const env = { ...environment, npm_config_loglevel: 'error' }
  const args = ['pack', '--json', '--pack-destination', into]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, env, maxBuffer: 2 ** 26 })
  // The build may speak before npm does. Some versions of npm give a list, others an object by name.
  const parsed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as unknown
  const [entry] = Object.values(parsed as object) as [{ filename: string; files: { path: string }[] }]
  const files = entry.files.map(({ path }) => path)
  const folder = join(into, 'package')
  for (const path of files) await cp(join(root, path), join(folder, path))
  const packed: Packed = { tarball: join(into, entry.filename), files, folder }
  await writeFile(join(into, record), JSON.stringify(packed))
  return packed
}

/** What {@link pack} has put into a folder. */
export async function packedIn(folder: string): Promise<Packed> {
  return JSON.parse(await readFile(join(folder, record), 'utf8')) as Packed
}
