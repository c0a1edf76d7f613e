/** The curl examples of docs/events.md and docs/query.md work exactly as they are written. */
import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../scripts/run.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { examplesOf, runShell } from '../support/doc-examples.ts'
import { makeDataDir, startTestService } from '../support/start-service.ts'

test('every example of the pages about events is accepted', async () => {
  const folder = await makeDataDir()
  try {
    await using service = await startTestService({ dataDir: join(folder, 'data') })
    const { token } = await service.createToken({ scopes: ['events:write', 'audit:read'] })
    await writeFile(join(folder, 'spool.jsonl'), '{"kind":"one_of_two"}\n{"kind":"two_of_two"}\n')
    const env = {
      ...bareEnvironment(),
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      SLUICE_URL: service.url,
      SLUICE_TOKEN: token
    }
    const says: string[] = []
    for (const page of ['docs/events.md', 'docs/query.md']) {
      for (const { commands } of examplesOf(await readFile(join(root, page), 'utf8'))) {
        const { code, output } = await runShell(commands, folder, env)
        assert.equal(code, 0, `${commands}\n${output}`)
        says.push(output)
      }
    }
    assert.equal(says.length, 3)
    assert.match(
      says[0] ?? '',
      /\{"accepted":1,"duplicates":0,"rejected":0,"results":\[\{"index":0,"status":"accepted"/
    )
    assert.match(says[1] ?? '', /\{"accepted":2,"duplicates":0,"rejected":0,/)
    assert.match(says[2] ?? '', /^\{"events":\[\{"sequence":\d+,.*"action":"block".*\],"next":null\}$/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
