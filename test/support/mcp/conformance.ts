/** Runs `@modelcontextprotocol/conformance` and returns its results as a list by which two runs can be compared. */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The package has no exports that could be resolved by name. */
const packages = join(import.meta.dirname, '..', '..', '..', 'node_modules')
const cli = join(packages, '@modelcontextprotocol', 'conformance', 'dist', 'index.js')

/** Lines of the form `scenario: check STATUS`, sorted; a repeated check appears repeatedly. */
export type Findings = readonly string[]

interface Check {
  readonly id: string
  readonly status: string
}

/** @param words its command line, without the folder for its results */
export async function runConformance(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {}
): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-conformance-'))
  try {
    const child = spawn(process.execPath, [cli, ...words, '-o', folder], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'ignore']
    })
    await new Promise((resolve) => child.once('exit', resolve))
    return await findingsIn(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function findingsIn(folder: string): Promise<Findings> {
  const findings: string[] = []
  for (const entry of await readdir(folder, { recursive: true })) {
    if (!entry.endsWith('checks.json')) continue
    const scenario = entry.replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    const checks = JSON.parse(await readFile(join(folder, entry), 'utf8')) as Check[]
    for (const { id, status } of checks) if (status !== 'INFO') findings.push(`${scenario}: ${id} ${status}`)
  }
  return findings.sort()
}

/** What is in one list but not in the other, for a reader. */
export function differences(direct: Findings, proxied: Findings): string[] {
  const count = (list: Findings, line: string): number => list.filter((one) => one === line).length
  const all = [...new Set([...direct, ...proxied])].sort()
  return all
    .filter((line) => count(direct, line) !== count(proxied, line))
    .map((line) => `${line}: ${count(direct, line)} direct, ${count(proxied, line)} proxied`)
}
