import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { auditOf, rejectsWith } from '../contract/samples.contract.ts'
import { databaseFile } from './database-file.ts'
import { openStore } from './sqlite.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-dialect-'))
after(() => rmSync(root, { recursive: true, force: true }))

describe('a transaction that begins after its caller gave up', () => {
  it('is undone: what is written next is not part of it', async (test) => {
    const dataDir = join(root, 'data')
    await using store = await openStore({ dataDir })
    using other = new DatabaseSync(databaseFile(dataDir), { timeout: 5000 })
    other.exec('begin immediate')
    test.mock.timers.enable({ apis: ['setTimeout'] })
    const late = rejectsWith(store.ensureWorkspace({ id: 'late', name: 'L', createdAt: 1 }, auditOf({})), 'unavailable')
    await turn()
    test.mock.timers.tick(15_000)
    test.mock.timers.reset()
    await late
    other.exec('rollback')
    await store.putMeta('key', 'kept')
    assert.deepEqual({ ...other.prepare(`select value from meta where key = 'key'`).get() }, { value: 'kept' })
  })
})
