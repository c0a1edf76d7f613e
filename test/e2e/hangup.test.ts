/** A terminal that closes, and a script that rotates logs, send SIGHUP: the end is as orderly as by SIGTERM. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sluiceCommand } from '../support/command.ts'
import { makeDataDir } from '../support/start-service.ts'

test('a hangup ends the service once everything is put away', async () => {
  const dataDir = await makeDataDir()
  const child = spawn(process.execPath, [sluiceCommand, 'serve'], {
    env: { ...bareEnvironment(), HOST: '127.0.0.1', PORT: '0', SERVICE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const closed = once(child, 'close')
  const messages: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg } = JSON.parse(line) as { msg: string }
    messages.push(msg)
    if (msg === 'listening') child.kill('SIGHUP')
  })
  try {
    assert.deepEqual(await closed, [null, 'SIGHUP'])
    assert.ok(messages.includes('listening'), messages.join('\n'))
    // What only an orderly end does: the log of the database is taken into it.
    const files = await readdir(dataDir)
    assert.deepEqual([files.includes('sluice.db'), files.filter((file) => /-(?:wal|shm)$/.test(file))], [true, []])
  } finally {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
})
