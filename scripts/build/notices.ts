/** The licences of the packages in a bundle, whose texts must be distributed with their code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/**
 * The notices of all packages from which modules come.
 * @param moduleIds absolute paths
 * @throws Error for a package that neither contains a licence text nor names its licence
 */
export function noticesOf(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.map(packageFolder).filter((folder) => folder !== undefined))
  const notices = new Map([...folders].map((folder) => notice(folder)))
  const names = [...notices.keys()].toSorted()
  const head = 'This program contains the following packages, each under its own licence.\n'
  return [head, ...names.map((name) => notices.get(name))].join('\n')
}

/** The folder of the package to which a module belongs; undefined for our own. */
function packageFolder(id: string): string | undefined {
  if (!/[\\/]node_modules[\\/]/.test(id) || id.startsWith('\0')) return undefined
  let folder = dirname(id)
  // Some packages contain further manifests, which only say how their files are to be read.
  while (!existsSync(join(folder, 'package.json')) || manifestOf(folder).version === undefined) folder = dirname(folder)
  return folder
}

const manifestOf = (folder: string): Partial<Manifest> =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Partial<Manifest>

function notice(folder: string): [string, string] {
  const { name, version, license } = manifestOf(folder) as Manifest
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0 && license === undefined) throw new Error(`The package ${name} names no licence.`)
  const title = `${name}@${version} (${license ?? 'see below'})`
  return [name, [`${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n`, ...texts, ''].join('\n')]
}
