import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { version } from '../config/version.ts'

/**
 * The output of a process that runs command lines, one after the other.
 * @param counted which modules of the sources it counts; their number is the last line
 */
function run(lines: readonly string[], counted: RegExp): string[] {
  const code = `
    import { registerHooks } from 'node:module'
    let loaded = 0
    registerHooks({
      load(url, context, next) {
        if (${String(counted)}.test(url)) loaded++
        return next(url, context)
      }
    })
    const { main } = await import(${JSON.stringify(new URL('main.ts', import.meta.url).href)})
    for (const line of ${JSON.stringify(lines)}) await main(line.split(' '))
    console.log(loaded)`
  const args = ['--input-type=module', '-e', code]
  // Each command of several words says on the error output what it can do.
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trim()
    .split('\n')
}

test('the version is printed without loading the service, and help lists every command', () => {
  const ours = /\/src\/(service|detection)\//
  assert.deepEqual(run(['--version', '-V'], ours), [version(), version(), '0'])
  const help = run(['--help'], ours)
  for (const command of ['serve', 'sidecar', 'scan', 'mcp-proxy'])
    assert.ok(
      help.some((line) => line.trimStart().startsWith(command)),
      command
    )
})

test('only commands that search a text or judge a policy load detectors, which multiply a start', () => {
  const detectors = /\/src\/detection\/(detectors|engine)\//
  assert.equal(run(['--help', 'token', 'admin', 'audit', 'events', 'backup', 'policy'], detectors).at(-1), '0')
  assert.notEqual(run(['policy lint nowhere.json'], detectors).at(-1), '0')
})

test('help loads no engine of the store and no HTTP', () => {
  assert.equal(run(['--help'], /\/node_modules\/(kysely|pg|fastify|undici)\//).at(-1), '0')
})
