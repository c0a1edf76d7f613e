/** The examples of docs/policy-guide.md run as they stand there, in their order, and say what they are said to say. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../scripts/run.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sluiceCommand } from '../support/command.ts'
import { makeDataDir, startTestService } from '../support/start-service.ts'

interface Example {
  readonly commands: string
  /** Lines of its output, in which `…` stands for anything. */
  readonly lines: readonly string[]
}

/** A block of `sh` is an example; a block of `text` right after it is what it says. */
function examplesOf(guide: string): Example[] {
  const blocks = [...guide.matchAll(/^```(sh|text)\n([^]*?)^```$/gm)].map(([, language, body = '']) => ({
    language,
    body
  }))
  return blocks.flatMap(({ language, body }, index) => {
    if (language !== 'sh') return []
    const next = blocks[index + 1]
    const lines = next?.language === 'text' ? next.body.trimEnd().split('\n') : []
    return [{ commands: body, lines }]
  })
}

const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map((text) => RegExp.escape(text))
      .join('.*')}$`,
    'm'
  )

function runShell(
  commands: string,
  cwd: string,
  env: Record<string, string>
): Promise<{ code: number | null; output: string }> {
  const shell = spawn('sh', ['-eu', '-c', commands], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
  return new Promise((resolve) => shell.on('close', (code) => resolve({ code, output })))
}

test('every example of the guide works and says what the guide says', async () => {
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
