/** Linter, formatter and type checker, side by side. Prints only what is wrong. */
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { runNode, tools } from './run.ts'

// A second thread of the compiler infers again much of what the first has inferred: twice the work for the same answer.
const compile = [tools.compile, '--noEmit', '--singleThreaded']
const checks = [
  { title: 'lint', args: [tools.lint, '--type-aware', '--deny-warnings'] },
  { title: 'format', args: [tools.format, '--list-different'] },
  { title: 'types', args: [...compile, '-p', '.'] },
  { title: 'types of the dashboard', args: [...compile, '-p', 'dashboard'] }
]

/**
 * What the tools' runtime, Go's, is told: to collect garbage rarely, since none of them lives for long, and to leave half
 * of the processors to what runs beside it.
 */
const env = { GOGC: '400', GOMAXPROCS: String(Math.ceil(availableParallelism() / 2)) }

/** @returns titles of the checks that found something */
export async function check(): Promise<string[]> {
  const outcomes = await Promise.all(
    checks.map(async ({ title, args }) => ({ title, ...(await runNode(args, { shown: false, env })) }))
  )
  const failed = outcomes.filter((outcome) => outcome.code !== 0)
  for (const { title, output } of failed) console.error(`${title}:\n${output.trimEnd()}\n`)
  if (failed.some(({ title }) => title === 'format')) console.error('`npm run format` puts the files above in form.\n')
  return failed.map(({ title }) => title)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && (await check()).length > 0) process.exitCode = 1
