import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../scanner.ts'
import { builtInDetectors } from './index.ts'

const scanner = createScanner()
const kindsIn = (text: string) => scanner.scan(text).map((finding) => finding.kind)

for (const detector of builtInDetectors) {
  test(`${detector.id} carries its proof`, () => {
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

test('what is high without context words reaches the confidence that blocks', () => {
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
