/** The guide's code runs as printed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { frameOf, startHub } from './hub.fixture.ts'

const root = join(import.meta.dirname, '../..')

test('the code in docs/policy-stream.md follows the policy', async () => {
  const guide = await readFile(join(root, 'docs/policy-stream.md'), 'utf8')
  const code = /```js\n([^]*?)```/.exec(guide)?.[1] ?? ''
  await using running = await startHub(frameOf(1), { timings: { retryMs: 20 } })
  const client = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    env: { ...process.env, SLUICE_URL: running.url, SLUICE_TOKEN: 't' },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const lines: string[] = []
  try {
    for await (const chunk of client.stdout) {
      lines.push(...String(chunk).trim().split('\n'))
      if (lines.length === 1) running.publish(frameOf(2))
      if (lines.length === 2) {
        // A wrong hash is skipped, and the end of a stream is not the end of the program.
        running.publish({ ...frameOf(3), revision: `3-${'0'.repeat(16)}` })
        running.hub.closeWorkspace('w')
        running.publish(frameOf(4))
      }
      if (lines.length === 3) break
    }
  } finally {
    client.kill()
  }
  assert.deepEqual(
    lines,
    [1, 2, 4].map((sequence) => `enforcing ${frameOf(sequence).revision}`)
  )
})
