import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { filler } from '../detection/sample-text.ts'
import { loadConfig } from './config.ts'
import { credentialValues } from './credential-values.ts'

const [one, other] = [filler(24, undefined, 91), filler(24, undefined, 92)] as const
const home = await mkdtemp(join(tmpdir(), 'sluice-pgpass-'))
after(() => rm(home, { recursive: true, force: true }))
const lines = [
  `# db:5432:shop:me:${other}`,
  '',
  'broken',
  `db.internal:5432:*:sluice:${one}`,
  `db\\:1:*:*:me:a\\:${one}`
]
await writeFile(join(home, '.pgpass'), `${lines.join('\n')}\n`)
await writeFile(join(home, 'elsewhere'), `*:*:*:*:${other}`)

const master = 'ab'.repeat(32)

function found(env: Record<string, string>): string[] {
  const loaded = loadConfig({ HOME: home, SERVICE_MASTER_KEY: master, ...env }, { cwd: home })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  return credentialValues(loaded.config.foreignSecrets)
}
const database = { DATABASE_URL: 'postgres://sluice@db.internal/sluice' }

test('the passwords of the file that the PostgreSQL client reads are known', () => {
  assert.deepEqual(found(database), [one, `a:${one}`])
  assert.deepEqual(found({ ...database, PGPASSFILE: join(home, 'elsewhere') }), [other])
})

test('the file is read for a PostgreSQL database only, and may be missing', () => {
  assert.deepEqual(found({}), [])
  assert.deepEqual(found({ ...database, PGPASSFILE: join(home, 'none') }), [])
  assert.deepEqual(found({ ...database, PGPASSFILE: home }), [])
})

test('a pipe is left to the driver, since what it holds can be read only once', () => {
  const script = `import { pgpassSecrets } from ${JSON.stringify(import.meta.resolve('./pgpass.ts'))}
  console.log(pgpassSecrets({ PGPASSFILE: '/dev/stdin' }).length)`
  // Through a shell, because a child's standard input is a socket otherwise, which cannot be opened.
  const command = 'printf "%s\\n" "$LINE" | "$NODE" --input-type=module --eval "$SCRIPT"'
  const env = { ...process.env, NODE: process.execPath, SCRIPT: script, LINE: `*:*:*:*:${one}` }
  const read = spawnSync('sh', ['-c', command], { env })
  assert.equal(read.stdout.toString(), '0\n', read.stderr.toString())
})
