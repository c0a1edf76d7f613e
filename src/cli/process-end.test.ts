import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/** Leaves while a write to its standard output, which nobody reads, does not return. */
const program = `
  import { write } from 'node:fs'
  import { leave } from ${JSON.stringify(new URL('process-end.ts', import.meta.url).href)}
  write(1, Buffer.alloc(1_048_576), () => {})
  process.on('SIGTERM', leave)
  console.error('ready')
  setInterval(() => {}, 60_000)`

test('a process whose write does not return can end without a signal, as the first of a container must', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-end-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  await using unread = await open(path, constants.O_RDWR)
  const args = ['--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', unread.fd, 'pipe'] })
  try {
    await once(child.stderr as NodeJS.ReadableStream, 'data')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  } finally {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})

test('a diagnostic report of a command holds nothing of its environment', () => {
  const token = ['svw', 'of', 'a', 'report'].join('_')
  const reporting = `
    import { main } from ${JSON.stringify(new URL('main.ts', import.meta.url).href)}
    await main(['--version'])
    console.log(JSON.stringify(process.report.getReport()))`
  const env = { ...process.env, SERVICE_WORKSPACE_TOKEN: token }
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', reporting], {
    env,
    encoding: 'utf8'
  })
  assert.ok(printed.includes('"javascriptStack"'), printed.slice(0, 200))
  assert.ok(!printed.includes(token))
})
