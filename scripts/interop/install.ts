/** Installs a client from npm or PyPI into a separate folder outside the project, and keeps it for the next run. */
import { lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { run, type Command } from './child.ts'
import { isPython, versions, type ClientName } from './versions.ts'

/** The largest clients take 400 MB. */
const installMsMax = 600_000

/** The temporary folder may be shared: nobody else may have put programs there for us to run. */
async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const { uid, mode } = await lstat(path)
  const isOurs = process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o022) === 0)
  if (!isOurs) throw new Error(`${path} belongs to somebody else, or others may write to it; remove it.`)
  return realpath(path)
}

/** The folder for all clients and their home folders. */
export const interopFolder = (): Promise<string> => ownFolder(join(tmpdir(), `sluice-interop-${userInfo().username}`))

/** @returns the folder whose `node_modules` (or `venv`, for a Python client) contains the client */
export async function install(client: ClientName): Promise<string> {
  const packages = versions[client]
  const folder = await ownFolder(join(await interopFolder(), client))
  const wanted = `${JSON.stringify(packages, null, 2)}\n`
  const stamp = join(folder, 'installed.json')
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return folder
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify({ private: true, dependencies: packages }, null, 2)}\n`
  )
  for (const command of isPython(client) ? pythonSteps(folder, packages) : npmSteps) {
    const outcome = await run(command, { cwd: folder, env: process.env, timeoutMs: installMsMax })
    if (outcome.code !== 0) throw new Error(`${command.file} could not install ${client}:\n${outcome.output}`)
  }
  await writeFile(stamp, wanted)
  return folder
}

const npmSteps: readonly Command[] = [
  { file: 'npm', args: ['install', '--no-audit', '--no-fund', '--no-package-lock'] }
]

const pythonSteps = (folder: string, packages: Readonly<Record<string, string>>): Command[] => [
  { file: 'python3', args: ['-m', 'venv', 'venv'] },
  {
    file: pythonOf(folder),
    args: [
      '-m',
      'pip',
      'install',
      '--quiet',
      ...Object.entries(packages).map(([name, version]) => `${name}==${version}`)
    ]
  }
]

/** The Python interpreter with the client's packages. */
export const pythonOf = (folder: string): string => join(folder, 'venv', 'bin', 'python')
