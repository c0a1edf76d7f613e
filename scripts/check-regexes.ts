/**
 * `npm run check:regexes`: whether a text can make a regular expression of the sources slow. Asks recheck
 * (https://makenowjust-labs.github.io/recheck/), which is installed into a temporary folder (decision 168).
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { run } from './interop/child.ts'
import { root } from './run.ts'

const checker = 'recheck@4.5.0'
const installMsMax = 300_000

/** The part of recheck that is used. */
interface Recheck {
  check(
    pattern: string,
    flags: string,
    options: { readonly timeout: number | null }
  ): Promise<{
    readonly status: 'safe' | 'vulnerable' | 'unknown'
    readonly complexity?: { readonly summary: string }
    readonly attack?: { readonly pattern: string }
  }>
}

/** Files whose expressions read nothing but what the person who runs the program has written. */
const ownTexts: ReadonlyMap<string, string> = new Map([
  ['src/cli/wrong-words.ts', 'the words of a command'],
  ['src/config/mcp-servers.ts', 'a configuration file of 1 MB at most']
])

/** Every regular expression in the tree of a parsed file. */
function* regexesIn(node: unknown): Generator<{ readonly pattern: string; readonly flags: string }> {
  if (typeof node !== 'object' || node === null) return
  if ('regex' in node) yield node.regex as { readonly pattern: string; readonly flags: string }
  for (const inner of Object.values(node)) yield* regexesIn(inner)
}

async function install(folder: string): Promise<Recheck> {
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--prefix', folder, checker]
  const outcome = await run({ file: 'npm', args }, { cwd: folder, env: process.env, timeoutMs: installMsMax })
  if (outcome.code !== 0) throw new Error(`npm could not install ${checker}:\n${outcome.output}`)
  return createRequire(join(folder, 'package.json'))('recheck') as Recheck
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-regexes-'))
try {
  const { check } = await install(folder)
  const files = globSync('{src,dashboard/src}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.(test|fixture|contract)\.ts$/.test(file) && !ownTexts.has(file)
  )
  let [checked, slow] = [0, 0]
  for (const file of files) {
    for (const { pattern, flags } of regexesIn(parseSync(file, readFileSync(join(root, file), 'utf8')).program)) {
      checked++
      const { status, complexity, attack } = await check(pattern, flags, { timeout: null })
      if (status === 'safe') continue
      slow++
      console.error(`${file}: /${pattern}/${flags}: ${complexity?.summary ?? status}, by ${attack?.pattern}`)
    }
  }
  console.log(`${checked} regular expressions, ${slow} of them slow`)
  if (slow > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
