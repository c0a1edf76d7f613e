import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function untilEnded(pid: number): Promise<void> {
  while (isRunning(pid)) await sleep(10)
}

test('a child answers, reports its errors, and is gone once disposed of', async () => {
  const child = await startChild<{ port: number }>('upstream.ts', { core: undefined })
  try {
    assert.ok(child.ready.port > 0)
    assert.ok((await child.ask<number>('cpu')) > 0)
    await assert.rejects(child.ask('nonsense'), /no handler "nonsense"/)
  } finally {
    await child[Symbol.asyncDispose]()
  }
  assert.equal(isRunning(child.pid), false)
  await child[Symbol.asyncDispose]()
})

test('startChild rejects when the child ends before it is ready', async () => {
  await assert.rejects(startChild('bodies.ts', { core: undefined }), /bodies\.ts has ended \(status 0\)/)
})

test('children end when their parent is killed', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'child.ts'))
  const start = "console.log((await startChild('upstream.ts', { core: undefined })).pid)"
  const script = `import { startChild } from ${module}; ${start}`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  assert.ok(isRunning(pid))
  parent.kill('SIGKILL')
  await untilEnded(pid)
})
