/** Compiles the sources to `dist/`, which is what the npm package runs: Node strips no types under node_modules. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, runNode, tools } from './run.ts'

rmSync(join(root, 'dist'), { recursive: true, force: true })
const { code } = await runNode([tools.compile, '-p', 'tsconfig.build.json'], { shown: true })
process.exitCode = code
