import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const moduleAt = (path: string): string => JSON.stringify(join(import.meta.dirname, path))

/** Masks a body until its code is optimised, and then collects garbage while no call is in progress. */
const script = (before: string): string => `
  import { createScanner } from ${moduleAt('../detection/scanner.ts')}
  import { emailDetectors } from ${moduleAt('../detection/detectors/personal/email.ts')}
  import { dialects } from ${moduleAt('../dialects/index.ts')}
  import { compileProfile } from ${moduleAt('../policy/redaction/decide.ts')}
  import { createPlaceholders } from ${moduleAt('../policy/redaction/placeholder.ts')}
  import { standardProfile } from ${moduleAt('../policy/redaction/profile.ts')}
  import { redactBody } from ${moduleAt('body/redact-body.ts')}
  import { createRedactor } from ${moduleAt('body/redact-texts.ts')}
  import { holdCalls } from ${moduleAt('held-calls.ts')}
  const scanner = createScanner(emailDetectors)
  const profile = compileProfile(standardProfile, { blockHighRisk: false })
  const placeholders = createPlaceholders('keyed', () => new Uint8Array(32))
  const content = 'Reviewed by ana@corp.dev and\\n "others" on a branch. '.repeat(9)
  const messages = Array.from({ length: 20 }, () => ({ role: 'user', content }))
  const bytes = Buffer.from(JSON.stringify({ model: 'm', messages }))
  const bounds = { depthMax: 64, valuesMax: 1000 }
  ${before}
  for (let i = 0; i < 600; i++) {
    const work = redactBody(bytes, dialects['chat-completions'], createRedactor(scanner, profile, placeholders), bounds)
    while (!work.next().done);
  }
  setTimeout(gc)`

/** Names of the functions whose optimised code a collection discarded. */
function discarded(before: string): string[] {
  const flags = [
    '--expose-gc',
    '--trace-deopt',
    '--no-concurrent-recompilation',
    '--input-type=module',
    '-e',
    script(before)
  ]
  const { stdout, stderr, status } = spawnSync(process.execPath, flags, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return [...stdout.matchAll(/SharedFunctionInfo (\S+)>\).*embedded weak objects cleared/g)].map(
    ([, name = '']) => name
  )
}

/** Of several parts of a call: index, scan, search, splice. */
const parts = ['#beginString', 'ScanPass', 'IndexSearch', 'cutsOf']
const among = (names: readonly string[]): string[] => parts.filter((name) => names.includes(name))

describe('calls that are held', () => {
  it('keep the optimised code of all parts of a call over a collection, which otherwise discards it', () => {
    assert.deepEqual(among(discarded('')), parts)
    assert.deepEqual(among(discarded('holdCalls(scanner, bounds)')), [])
  })
})
