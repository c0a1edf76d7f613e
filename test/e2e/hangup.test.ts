/** A terminal that closes, and a script that rotates logs, send SIGHUP: the end is as orderly as by SIGTERM; others send SIGUSR1. */
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

test('a signal opens no debugger', async () => {
  const dataDir = await makeDataDir()
  const child = spawn(process.execPath, [sluiceCommand, 'serve'], {
    env: { ...bareEnvironment(), HOST: '127.0.0.1', PORT: '0', SERVICE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const closed = once(child, 'close')
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, url } = JSON.parse(line) as { readonly msg: string; readonly url?: string }
    if (msg !== 'listening') return
    child.kill('SIGUSR1')
    // The runtime's own handler opens the debugger before the process answers anything more.
    void fetch(`${url}/livez`).then(({ status }) => child.kill(status === 200 ? 'SIGTERM' : 'SIGKILL'))
  })
  try {
    assert.deepEqual(await closed, [0, null])
    assert.match(complaints, /Sluice is listening/)
    assert.doesNotMatch(complaints, /Debugger listening/)
  } finally {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
})
