import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { takeFolder } from './owner.ts'
import { takeSpoolFolder } from './slots.ts'
import { newFolder } from './spool.fixture.ts'

it('each process gets a folder of its own: the first one that no live process has', async () => {
  await using folder = await newFolder()
  const root = join(folder.path, 'spool')
  const first = await takeSpoolFolder(root)
  assert.equal(first, join(root, '0'))
  const owner = await takeFolder(first)
  assert.equal(await takeSpoolFolder(root), join(root, '1'))
  await owner.release()
  assert.equal(await takeSpoolFolder(root), first)
})

it('if no folder can be created there is none', async () => {
  await using folder = await newFolder()
  const file = join(folder.path, 'file')
  await writeFile(file, '')
  assert.equal(await takeSpoolFolder(join(file, 'spool')), undefined)
})
