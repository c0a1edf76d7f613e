/** As root, as in an image build, files are given away; for any other user they are their own either way. */
import assert from 'node:assert/strict'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openStore } from '../store/sqlite/sqlite.ts'
import { fileHint } from './file-hint.ts'
import { loadMasterKey } from './master-key.ts'

const isRoot = process.getuid?.() === 0
const other = isRoot ? 65_532 : process.getuid?.()
const root = mkdtempSync(join(tmpdir(), 'sluice-owner-'))
after(() => rmSync(root, { recursive: true, force: true }))

describe('a data directory owned by the user of the service', () => {
  const dataDir = join(root, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  if (isRoot) chownSync(dataDir, 65_532, 65_532)

  it('holds nothing of root’s after root has run a command first', async () => {
    await loadMasterKey({ dataDir })
    await (await openStore({ dataDir })).close()
    const files = readdirSync(dataDir, { recursive: true }).map(String)
    for (const file of ['keys', join('keys', 'master'), 'sluice.db']) assert.ok(files.includes(file), file)
    for (const file of files) assert.equal(statSync(join(dataDir, file)).uid, other, file)
  })
})

it('keeps the owner of an existing folder of keys, which may be a link', async () => {
  const dataDir = join(root, 'linked')
  const secrets = join(root, 'secrets')
  mkdirSync(dataDir)
  mkdirSync(secrets)
  symlinkSync(secrets, join(dataDir, 'keys'))
  if (isRoot) chownSync(dataDir, 65_532, 65_532)
  await loadMasterKey({ dataDir })
  assert.deepEqual(readdirSync(secrets), ['master'])
  for (const path of [secrets, join(secrets, 'master')]) assert.equal(statSync(path).uid, process.getuid?.(), path)
})

it('names the required owner of a file that cannot be opened', () => {
  assert.match(
    fileHint('EACCES'),
    RegExp(`must belong to the user that runs this program \\(user ID ${process.getuid?.()}\\)`)
  )
  assert.equal(fileHint('ENOTDIR'), ' SERVICE_DATA_DIR must be a folder, and a file stands there.')
  assert.equal(fileHint('EISDIR'), '')
  assert.equal(fileHint(undefined), '')
})
