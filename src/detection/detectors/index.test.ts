import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { createScanner } from '../scanner.ts'
import { builtInDetectors } from './index.ts'

const scanner = createScanner()
const kindsIn = (text: string) => scanner.scan(text).map((finding) => finding.kind)

for (const detector of builtInDetectors) {
  test(`${detector.id} finds its hits and none of its misses`, () => {
    assert.match(detector.id, /^[a-z][a-z0-9_]*$/)
    assert.match(detector.label, /^[A-Z][A-Z0-9_]*$/)
    assert.ok(detector.title.length > 2 && detector.source.length > 10 && detector.anchors.length > 0)
    assert.ok(detector.hits().length > 0 && detector.misses().length > 0)
    for (const hit of detector.hits())
      assert.ok(kindsIn(hit).includes(detector.id), `not found in: ${hit} (${kindsIn(hit).join()})`)
    for (const hit of detector.hits()) {
      const quoted = `x = "${hit}" # end`
      assert.ok(kindsIn(quoted).includes(detector.id), `not found in: ${quoted}`)
    }
    for (const miss of detector.misses()) assert.ok(!kindsIn(miss).includes(detector.id), `found in: ${miss}`)
  })
}

test('no anchor is a single letter, which may be in every word of a language', () => {
  for (const { id, anchors } of builtInDetectors)
    for (const anchor of anchors) if ('literal' in anchor) assert.doesNotMatch(anchor.literal, /^\p{L}$/u, id)
})

test('a kind of the high tier without context words can reach the confidence that blocks', () => {
  for (const detector of builtInDetectors) {
    if (detector.tier !== 'high' || detector.contextOnly === true) continue
    const found = detector
      .hits()
      .flatMap((hit) => scanner.scan(hit))
      .filter((finding) => finding.kind === detector.id)
    assert.ok(
      found.some((one) => one.tier === 'high' && one.confidence !== 'medium' && one.confidence !== 'weak'),
      detector.id
    )
  }
})

test('the README lists every file, and the right one for every kind that it names', () => {
  const folder = import.meta.dirname
  const sourcesIn = (path: string) =>
    readdirSync(join(folder, path), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(path, file))
  const files = [...sourcesIn('.'), ...sourcesIn('../values')]
  /** The one file that a name in the README means: the end of its path. */
  const fileOf = (name: string) => {
    const meant = files.filter((file) => `/${file}`.endsWith(`/${name}`))
    return meant.find((file) => file === name) ?? (meant.length === 1 ? meant[0] : undefined)
  }
  const read = (name: string) => readFileSync(join(folder, fileOf(name) ?? name), 'utf8')
  const fileName = /[\w/-]+\.ts(?=`)/g
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const names = readme.match(fileName) ?? []
  for (const name of names) assert.ok(fileOf(name) ?? existsSync(join(folder, '..', name)), name)
  const named = new Set(names.map(fileOf))
  assert.deepEqual(
    files.filter((file) => !named.has(file)),
    []
  )

  const rows = readme.split('\n').map((line) => line.split(/(?<!\\)\|/))
  const rowsOfKinds = rows.filter((cells) => cells.length === 6 && cells[4]?.includes('`'))
  assert.ok(rowsOfKinds.length > 15)
  for (const [, , , filesCell = '', kindsCell = ''] of rowsOfKinds) {
    const sources = (filesCell.match(fileName) ?? []).map(read).join('')
    for (const kind of kindsCell.match(/\w+(?=`)/g) ?? [])
      assert.ok(sources.includes(`id: '${kind}'`), `${kind}: ${filesCell}`)
  }
})
