import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

test('a process fails if a test ends it early, and succeeds if it has nothing more to do', () => {
  const url = pathToFileURL(join(import.meta.dirname, 'early-end.ts')).href
  const statusOf = (end: string) => {
    const code = `import { failAtEarlyEnd } from ${JSON.stringify(url)}\nfailAtEarlyEnd()\n${end}`
    return spawnSync(process.execPath, ['--input-type=module', '-e', code], { timeout: 120_000 }).status
  }
  assert.deepEqual(
    ['process.exit(0)', '', 'setTimeout(() => process.exit(), 1)', 'setTimeout(() => 0, 1)'].map(statusOf),
    [1, 0, 1, 0]
  )
})
