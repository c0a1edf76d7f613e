import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { makeFolder } from './make-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-folder-'))
after(() => rmSync(root, { recursive: true, force: true }))

it('creates what is missing, for its owner only, once or concurrently', async () => {
  const path = join(root, 'a', 'b', 'c')
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(root, 'a', 'd'))])
  await makeFolder(path)
  for (const made of [path, join(root, 'a'), join(root, 'a', 'd')]) assert.ok(statSync(made).isDirectory())
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o700)
})

it('does not take a file for a folder', async () => {
  const file = join(root, 'file')
  writeFileSync(file, '')
  await assert.rejects(makeFolder(file), { code: 'EEXIST' })
  await assert.rejects(makeFolder(join(file, 'below')), { code: 'ENOTDIR' })
})

it('ends if a file system rejects a folder although its parent exists', async () => {
  await assert.rejects(makeFolder('/proc/sluice/data'), (error: NodeJS.ErrnoException) => error.code !== undefined)
})
