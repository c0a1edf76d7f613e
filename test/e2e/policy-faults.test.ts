/** The short form of the fault check; `npm run check:policy-faults` is the long one, which checks timing as well. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root, runNode } from '../../scripts/run.ts'

test('while connections, instances, the database and the network fail, every sensor ends up with the newest policy', async () => {
  const { code, output } = await runNode([join(root, 'scripts/policy-faults.ts'), '--short'], { shown: false })
  assert.equal(code, 0, output)
  assert.match(output, /9 sensors, 3 instances: nothing lost, nothing went back\./)
})
