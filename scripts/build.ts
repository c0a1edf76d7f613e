/**
 * Makes `dist/`, which is what the package and the image run:
 *
 * - `dist/bundle/` the commands with all that they need, in few files, so that they start fast and without node_modules;
 * - `dist/lib/` what other programs import, which names its dependencies as any library does;
 * - `dist/types/` the types of the latter;
 * - `dist/dashboard/` a copy of `dashboard/dist/`, where the dashboard has been built before;
 * - `dist/THIRD-PARTY-NOTICES.txt` the licences of the code in the bundle.
 *
 *     node scripts/build.ts [--out <folder>] [--commands]
 *
 * With `--commands` it leaves out what other programs import and its types, which an image has no use for.
 */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleCommands, bundleLibraries } from './build/bundle.ts'
import { root, runNode, tools } from './run.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'dist') },
    commands: { type: 'boolean', default: false }
  }
})
const out = resolve(values.out)
const dashboard = join(root, 'dashboard', 'dist')

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const types = values.commands
  ? undefined
  : runNode([tools.compile, '-p', 'tsconfig.build.json', '--outDir', join(out, 'types')], { shown: true })
await bundleCommands(out)
if (types !== undefined) await bundleLibraries(out)
if (existsSync(join(dashboard, 'index.html'))) cpSync(dashboard, join(out, 'dashboard'), { recursive: true })
process.exitCode = (await types)?.code ?? 0
