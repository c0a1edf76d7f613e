/** Runs linter, formatter and type checker in parallel. Prints only what is wrong. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, runNode, tools } from './run.ts'

/**
 * Checks the types of a project, beginning with what the last check knows of the files that have not changed since
 * (decision 172). A second compiler thread would infer again much of what the first has inferred.
 */
const compile = (project: string, remembered: string): string[] => [
  tools.compile,
  '--noEmit',
  '--singleThreaded',
  '--incremental',
  '--tsBuildInfoFile',
  join(root, 'node_modules', '.cache', remembered),
  '-p',
  project
]
const checks = [
  { title: 'lint', args: [tools.lint, '--type-aware', '--deny-warnings'] },
  { title: 'format', args: [tools.format, '--list-different'] },
  { title: 'types', args: compile('.', 'types.json') },
  { title: 'types of the dashboard', args: compile('dashboard', 'dashboard-types.json') }
]

/**
 * Settings of Go, the tools' runtime: collect garbage rarely, since none of them runs for long, and leave half of the
 * processors to other work.
 */
const env = { GOGC: '400', GOMAXPROCS: String(Math.ceil(availableParallelism() / 2)) }

/** A check that found something, and its output. */
interface CheckFault {
  readonly title: string
  readonly output: string
}

/** @returns the checks that found something */
export async function check(): Promise<CheckFault[]> {
  const outcomes = await Promise.all(
    checks.map(async ({ title, args }) => ({ title, ...(await runNode(args, { shown: false, env })) }))
  )
  return outcomes.filter(({ code }) => code !== 0)
}

/** Prints what checks found. */
export function print(faults: readonly CheckFault[]): void {
  for (const { title, output } of faults) console.error(`${title}:\n${output.trimEnd()}\n`)
  if (faults.some(({ title }) => title === 'format')) console.error('`npm run format` puts the files above in form.\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = await check()
  print(faults)
  if (faults.length > 0) process.exitCode = 1
}
