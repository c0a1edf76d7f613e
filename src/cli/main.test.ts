import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { version } from '../config/version.ts'

/**
 * The output of a process that runs a command line, then the number of modules of the service and the scanner it
 * loaded.
 */
function run(word: string): string[] {
  const code = `
    import { registerHooks } from 'node:module'
    let loaded = 0
    registerHooks({
      load(url, context, next) {
        if (/\\/src\\/(service|detection)\\//.test(url)) loaded++
        return next(url, context)
      }
    })
    const { main } = await import(${JSON.stringify(new URL('main.ts', import.meta.url).href)})
    await main([${JSON.stringify(word)}])
    console.log(loaded)`
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim().split('\n')
}

test('the version is printed without loading the service, and help lists every command', () => {
  for (const word of ['--version', '-V']) assert.deepEqual(run(word), [version(), '0'])
  const help = run('--help')
  for (const command of ['serve', 'sidecar', 'scan', 'mcp-proxy'])
    assert.ok(
      help.some((line) => line.trimStart().startsWith(command)),
      command
    )
  assert.notEqual(help.at(-1), '0')
})
