/** Linter, formatter and type checker, side by side. Prints only what is wrong. */
import { pathToFileURL } from 'node:url'
import { runNode, tools } from './run.ts'

const checks = [
  { title: 'lint', args: [tools.lint, '--type-aware', '--deny-warnings'] },
  { title: 'format', args: [tools.format, '--list-different'] },
  { title: 'types', args: [tools.compile, '--noEmit', '-p', '.'] },
  { title: 'types of the dashboard', args: [tools.compile, '--noEmit', '-p', 'dashboard'] }
]

/** @returns titles of the checks that found something */
export async function check(): Promise<string[]> {
  const outcomes = await Promise.all(
    checks.map(async ({ title, args }) => ({ title, ...(await runNode(args, { shown: false })) }))
  )
  const failed = outcomes.filter((outcome) => outcome.code !== 0)
  for (const { title, output } of failed) console.error(`${title}:\n${output.trimEnd()}\n`)
  if (failed.some(({ title }) => title === 'format')) console.error('`npm run format` puts the files above in form.\n')
  return failed.map(({ title }) => title)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && (await check()).length > 0) process.exitCode = 1
