import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { auditOf, eventOf, noon } from '../contract/samples.contract.ts'
import { openDatabaseCopy } from './check.ts'
import { databaseFile } from './database-file.ts'
import { openStore } from './sqlite.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'sluice-check-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

/** Flips one bit of the first value that a table holds, not of its index. */
function flipBit(file: string, table: string): void {
  const db = new DatabaseSync(file, { readOnly: true })
  const place = db.prepare(
    'select rootpage as page, page_size as bytes from sqlite_schema, pragma_page_size where name = ?'
  )
  const { page, bytes } = place.get(table) as { page: number; bytes: number }
  db.close()
  const content = readFileSync(file)
  const at = content.indexOf('total', (page - 1) * bytes)
  assert.ok(at > 0 && at < page * bytes)
  content.writeUInt8(content.readUInt8(at) ^ 1, at)
  writeFileSync(file, content)
}

describe('the check of a database file', () => {
  it('names what is broken in its structure, also in tables that the audit does not need', async () => {
    const file = databaseFile(dataDir)
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ at: noon }))
    await store.append({ events: [eventOf({ receivedAt: noon })], audit: [] })
    await store.close()
    {
      await using intact = await openDatabaseCopy(file)
      assert.deepEqual(await intact.structuralFaults(), [])
    }
    flipBit(file, 'rollup_hour')
    await using broken = await openDatabaseCopy(file)
    assert.match((await broken.structuralFaults()).join('\n'), /missing from index/)
  })
})
