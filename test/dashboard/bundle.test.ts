/** The size of what a first visit loads, and what the build must not contain. */
import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { builtDashboard as dist, filesOf } from '../support/dashboard-build.ts'

/** Limit on the compressed bytes of everything that the sign-in or the first page needs. */
const firstBytesMax = 350 * 1024

test('the first page stays below its size limit', async () => {
  const files = await filesOf('index.html', 'src/pages/overview/overview.tsx', 'src/components/time-chart.tsx')
  let bytes = 0
  for (const file of files) {
    const path = join(dist, file)
    const compressed = await stat(`${path}.gz`).catch(() => stat(path))
    bytes += compressed.size
  }
  assert.ok(bytes > 100_000, 'the files were found')
  assert.ok(bytes <= firstBytesMax, `${bytes} bytes with gzip`)
  assert.ok(![...files].some((file) => /editor|codemirror/i.test(file)), 'the editor is loaded when it is opened')
})

test('no built file names another host to load from, or a folder of the machine that built it', async () => {
  const home = join(import.meta.dirname, '../..')
  for (const name of await readdir(dist, { recursive: true })) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue
    const text = await readFile(join(dist, name), 'utf8')
    assert.doesNotMatch(text, /url\(["']?https?:|@import|<(?:script|link|img)[^>]+(?:src|href)=["']https?:/, name)
    assert.ok(!text.includes(home), `${name} holds a path of this machine`)
  }
})
