/** The SDK is loaded into other people's programs: no server code may come with it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const packagesAllowed = ['eventsource-parser', 're2js', 'undici', 'zod']
const foldersAllowed = [
  'config',
  'detection',
  'policy',
  'policy-stream',
  'protocol',
  'sdk',
  'sensor',
  'timing',
  'upstream'
]

test('the SDK loads four packages, and no code of the server', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context) } })
    await import(${JSON.stringify(join(root, 'src/sdk/index.ts'))})
    console.log(JSON.stringify(urls))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  const urls = JSON.parse(stdout) as string[]
  const paths = urls.filter((url) => url.startsWith('file:')).map((url) => relative(root, fileURLToPath(url)))
  const first = (pattern: RegExp): string[] =>
    [...new Set(paths.flatMap((path) => pattern.exec(path)?.[1] ?? []))].toSorted()
  assert.deepEqual(first(/^node_modules\/([^/]+)\//), packagesAllowed)
  assert.deepEqual(first(/^src\/([^/]+)\//), foldersAllowed)
  assert.deepEqual(paths.filter((path) => path.startsWith('src/config/')).toSorted(), [
    'src/config/agent.ts',
    'src/config/credential-values.ts',
    'src/config/credentials-of.ts',
    'src/config/foreign-secrets.ts',
    'src/config/make-folder.ts',
    'src/config/secret.ts',
    'src/config/short-hmac.ts',
    'src/config/sync-folder.ts',
    'src/config/web-proxy.ts'
  ])
  assert.deepEqual(
    paths.filter((path) => path.startsWith('src/upstream/')),
    ['src/upstream/read-bounded.ts']
  )
  assert.deepEqual(
    paths.filter((path) => /policy-stream\/(hub|registry|channel)|sensor\/sidecar/.test(path)),
    []
  )
  assert.ok(!urls.includes('node:sqlite'))
})
