/** The kill check in its short form, on both engines; `npm run check:kills` is the long one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import { root, runNode } from '../../scripts/run.ts'

for (const engine of ['sqlite', 'postgres']) {
  test(`${engine}: a killed service loses nothing that it acknowledged and stores nothing twice`, async () => {
    const args = [join(root, 'scripts/kill-check.ts'), '--short', '--engine', engine]
    const { code, output } = await runNode(args, { shown: false })
    assert.equal(code, 0, output)
    assert.match(output, /3 kills, [1-9]\d* events by 8 senders: nothing lost, nothing twice/)
  })
}
