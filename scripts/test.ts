/**
 * Runs everything that a change must pass: the checks, and every test. Paths and options are passed to the test runner.
 */
import { globSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../test/support/postgres.ts'
import { filesOf, groups, pathOf } from '../test/together/groups.ts'
import { check, print } from './check.ts'
import { pack } from './pack.ts'
import { root, runNode, type Outcome } from './run.ts'
import { testMsMax } from './silence-reporter.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

const given = process.argv.slice(2)
const hasPaths = given.some((argument) => !argument.startsWith('-'))
const everyTest = ['src', 'test', 'demo', 'bench', 'scripts', 'dashboard/src'].map((folder) => `${folder}/**/*.test.ts`)

/**
 * Files that take long. All of them come before the others, since the last ones of a run have the machine to themselves;
 * the runner sorts them among themselves.
 */
const longest = [
  pathOf('dashboard-work'),
  'test/e2e/policy-faults.test.ts',
  pathOf('dashboard-views'),
  'test/e2e/sidecar-faults.test.ts',
  'test/e2e/events-kills.test.ts',
  'test/e2e/events-otlp.test.ts',
  'test/e2e/instances.test.ts',
  'test/e2e/policy-stream.test.ts',
  pathOf('sensor'),
  'test/e2e/mcp-conformance.test.ts',
  'src/store/postgres/postgres.test.ts',
  pathOf('people'),
  pathOf('detection'),
  pathOf('commands'),
  pathOf('mcp'),
  pathOf('sidecars'),
  'test/e2e/package.test.ts',
  'src/store/sqlite/sqlite.test.ts',
  'test/deploy.test.ts',
  'test/package.test.ts',
  ...groups.map(pathOf)
]

// A file spends half of its time waiting, for sockets, disks, browsers and processes that it started: one file more
// than there are cores keeps them busy for three quarters of a run, twice as many for nearly all of it (decision 142).
const concurrency = 2 * availableParallelism() + 1
/** What the runner prints, and beside it which tests hang. */
const reporters = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${pathToFileURL(join(root, 'scripts/report-silence.ts')).href}`,
  '--test-reporter-destination=stderr'
]
// An option of V8 for the processes of test files, and not for the commands that they start: a young generation that has
// its full size from the beginning. Each file allocates much in little time, and would collect garbage dozens of times
// while it grows (decision 213).
const youngGeneration = '--min-semi-space-size=32'

{
  await using folder = openTemporaryFolder()
  process.env['TMPDIR'] = folder.path
  process.exitCode = hasPaths ? await runGiven() : await runEverything()
  const left = folder.left()
  if (left.length > 0) {
    console.error(`Tests have left temporary files behind: ${left.join(', ')}`)
    process.exitCode = 1
  }
}

/** Runs the given files, after updating what they may need: the built dashboard. @returns the exit code */
async function runGiven(): Promise<number> {
  const { code } = await runNode([join(root, 'scripts/setup.mjs')], { shown: true })
  return code === 0 ? (await runTests()).code : code
}

/** Runs the checks and all tests in parallel: most tests spend their time waiting. @returns the exit code */
async function runEverything(): Promise<number> {
  const checking = check()
  await using undo = new AsyncDisposableStack()
  const [packed, database] = await Promise.all([packOnce(), startDatabase(undo)])
  const [tests, faults] = await Promise.all([runTests(order(), { ...packed, ...database }), checking])
  print(faults)
  const failed = faults.map(({ title }) => title)
  if (packed === undefined) failed.push('the package')
  if (tests.code !== 0) failed.push('tests')
  if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}; see above.`)
  return failed.length > 0 ? 1 : 0
}

/** @returns every file that the runner starts, once: slow ones first, then all others that do not share a process */
function order(): string[] {
  const first = new Set(longest)
  const inGroups = new Set(groups.flatMap(filesOf))
  const others = globSync(everyTest, { cwd: root }).filter((path) => !first.has(path) && !inGroups.has(path))
  // The runner sorts alphabetically, and absolute paths come before relative ones.
  return [...[...first].map((path) => join(root, path)), ...others]
}

function runTests(files: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const options = [...reporters, `--test-timeout=${testMsMax}`, `--test-concurrency=${concurrency}`]
  return runNode([youngGeneration, '--test', ...options, ...given, ...files], { shown: true, env })
}

/**
 * @returns where tests find the package, whose command they start like operators do; undefined if it could not be
 *   packed
 */
async function packOnce(): Promise<Record<string, string> | undefined> {
  const folder = join(root, 'node_modules', '.cache', 'package')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  try {
    await pack(folder)
    return { TEST_SLUICE_PACKAGE: folder }
  } catch (error) {
    console.error(`the package:\n${(error as Error).message.trimEnd()}\n`)
    return undefined
  }
}

/**
 * @param undo stops it
 * @returns where tests find PostgreSQL: one server for all of them, in which each creates its own databases
 */
async function startDatabase(undo: AsyncDisposableStack): Promise<Record<string, string>> {
  if (process.env['TEST_POSTGRES_URL']) return {}
  try {
    const server = undo.use(await startPostgres({ isDurable: false }))
    return { TEST_POSTGRES_URL: server.url }
  } catch {
    // Each test that needs one tries itself, and reports why there is none.
    return {}
  }
}
