/** Entries of libraries that name the Node.js version they need, where an older one would fail somewhere inside. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.ts'

/**
 * Writes the entry of each library: it checks the version, and exports what `<name>-library.js` exports. Modules are
 * evaluated in the order in which they are imported, so the check comes before every dependency.
 */
export function guardEntries(folder: string, names: readonly string[]): void {
  const { name, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly engines: { readonly node: string }
  }
  const [, wanted = '', major, minor] = /^>=((\d+)\.(\d+))$/.exec(engines.node) ?? []
  if (wanted === '') throw new Error('engines.node of package.json must have the form >=MAJOR.MINOR.')
  writeFileSync(
    join(folder, 'node-version.js'),
    `// Programs for browsers, and other runtimes, have no version of Node.js.
const version = globalThis.process?.versions?.node
const [major, minor] = (version ?? '').split('.').map(Number)
if (version !== undefined && (major < ${major} || (major === ${major} && minor < ${minor})))
  throw new Error(\`${name} needs Node.js ${wanted} or newer; this is \${version}.\`)
`
  )
  for (const entry of names)
    writeFileSync(join(folder, `${entry}.js`), `import './node-version.js'\nexport * from './${entry}-library.js'\n`)
}
