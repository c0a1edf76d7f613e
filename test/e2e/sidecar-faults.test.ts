/**
 * The short form of the sidecar's fault run; `npm run check:sidecar-faults` is the long one, which checks memory as
 * well.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { root, runNode } from '../../scripts/run.ts'

test('while the service is killed, slow, half-open or sends garbage, nothing leaks and no event is lost', async () => {
  const { code, output } = await runNode([join(root, 'scripts/sidecar-faults.ts'), '--short'], { shown: false })
  assert.equal(code, 0, output)
  assert.match(output, /Nothing leaked, nothing was lost, nothing came twice\./)
})
