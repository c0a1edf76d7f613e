/** The subscriber is loaded into sensors and other people's programs: no server code may come with it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Everything that a file loads: paths relative to the checkout, and names of packages. */
async function loadedBy(file: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context) } })
    await import(${JSON.stringify(join(root, file))})
    console.log(JSON.stringify(urls))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  return (JSON.parse(stdout) as string[])
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(root, fileURLToPath(url)))
}

test('the subscriber loads pure folders, its own folder without the hub, timers, the helpers for private folders and proxies, and few packages', async () => {
  const loaded = await loadedBy('src/policy-stream/subscriber.ts')
  const packages = new Set(loaded.flatMap((path) => /^node_modules\/([^/]+)\//.exec(path)?.[1] ?? []))
  const folders = new Set(loaded.flatMap((path) => /^src\/([^/]+)\//.exec(path)?.[1] ?? []))
  for (const name of packages) assert.ok(['eventsource-parser', 'undici', 'zod', 're2js'].includes(name), name)
  for (const name of folders)
    assert.ok(['policy-stream', 'policy', 'protocol', 'detection', 'config', 'timing'].includes(name), name)
  assert.deepEqual(loaded.filter((path) => path.startsWith('src/config/')).toSorted(), [
    'src/config/agent.ts',
    'src/config/make-folder.ts',
    'src/config/sync-folder.ts',
    'src/config/web-proxy.ts'
  ])
  assert.ok(packages.has('eventsource-parser') && folders.has('policy-stream'))
  assert.deepEqual(
    loaded.filter((path) => /policy-stream\/(hub|registry|channel|timer-wheel|policy-writer)/.test(path)),
    []
  )
})
