/** The examples of docs/policy-guide.md run as written, in their order, with the output that the guide shows. */
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../scripts/run.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sluiceCommand } from '../support/command.ts'
import { examplesOf, patternOf, runShell } from '../support/doc-examples.ts'
import { makeDataDir, startTestService } from '../support/start-service.ts'

test('every example of the guide works and prints what the guide shows', async () => {
  const examples = examplesOf(await readFile(join(root, 'docs/policy-guide.md'), 'utf8'))
  assert.ok(examples.length >= 10)
  const folder = await makeDataDir()
  try {
    const dataDir = join(folder, 'data')
    await using service = await startTestService({ dataDir })
    const { token } = await service.createToken({ scopes: ['policy:read', 'policy:write', 'audit:read'] })
    const programs = join(folder, 'programs')
    await mkdir(programs)
    const sluice = join(programs, 'sluice')
    await writeFile(sluice, `#!/bin/sh\nexec '${process.execPath}' '${sluiceCommand}' "$@"\n`)
    await chmod(sluice, 0o755)
    const env = {
      ...bareEnvironment(),
      PATH: `${programs}:${process.env['PATH']}`,
      SERVICE_DATA_DIR: dataDir,
      SLUICE_URL: service.url,
      SLUICE_TOKEN: token
    }
    for (const { commands, lines } of examples) {
      const { code, output } = await runShell(commands, folder, env)
      assert.equal(code, 0, `${commands}\n${output}`)
      for (const line of lines) assert.match(output, patternOf(line), commands)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
