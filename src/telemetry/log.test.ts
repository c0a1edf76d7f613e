import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'

const lines = 300

/** Logs 30 MB in one go, reports that, and ends once all is written that was not dropped, or half a minute has gone. */
const script = `
  import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
  const { logger, flush } = openLog('info')
  const text = 'x'.repeat(100_000)
  for (let i = 0; i < ${lines}; i++) logger.info({ text }, 'one of many')
  process.stderr.write('logged')
  for (let tries = 0; tries < 30 && !(await flush()); tries++);`

test('lines that a stalled reader leaves no room for are dropped, and counted once it reads again', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  await once(child.stderr, 'data')
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text))
  assert.deepEqual(await once(child, 'close'), [0, null])
  const logged = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; lines?: number })
  const written = logged.filter(({ msg }) => msg === 'one of many').length
  assert.ok(written > 150 && written < lines, `${written} lines were written`)
  const lost = logged.filter(({ msg }) => msg.startsWith('lines of the log were lost'))
  assert.deepEqual(
    lost.map((line) => line.lines),
    [lines - written]
  )
})
