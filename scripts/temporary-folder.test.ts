import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { eventually } from '../test/support/eventually.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

describe('the temporary folder of a run', () => {
  const parent = mkdtempSync(join(tmpdir(), 'sluice-temporary-'))
  after(() => rmSync(parent, { recursive: true }))

  it('names what tests have left in it, and is removed with it', async () => {
    const folder = openTemporaryFolder(parent)
    assert.equal(dirname(folder.path), parent)
    assert.deepEqual(folder.left(), [])
    mkdirSync(join(folder.path, 'sluice-data-1'))
    writeFileSync(join(folder.path, 'sluice-data-1', 'file'), 'text')
    writeFileSync(join(folder.path, '.org.browser.1'), '')
    assert.deepEqual(folder.left(), ['sluice-data-1'])
    await folder[Symbol.asyncDispose]()
    assert.deepEqual(readdirSync(parent), [])
  })

  it('is removed when the process that opened it is killed', async () => {
    const url = pathToFileURL(join(import.meta.dirname, 'temporary-folder.ts')).href
    const code = `import { openTemporaryFolder } from ${JSON.stringify(url)}
      const { path } = openTemporaryFolder()
      console.log(path)
      process.stdin.resume()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      env: { ...process.env, TMPDIR: parent },
      stdio: ['pipe', 'pipe', 'inherit']
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const path = line.toString().trim()
    assert.equal(dirname(path), parent)
    assert.ok(existsSync(path))
    child.kill('SIGKILL')
    await eventually('the end of the folder', () => !existsSync(path) || undefined)
  })
})
