import assert from 'node:assert/strict'
import { test } from 'node:test'
import { topCosts } from './top-costs.ts'

test('self time is summed by function without idle time, the largest first', () => {
  const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber })
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('scan', 'file:///home/me/sluice/src/detection/scanner.ts', 39) },
      { id: 3, callFrame: frame('', 'file:///home/me/sluice/node_modules/undici/lib/client.js', 6) },
      { id: 4, callFrame: frame('scan', 'file:///home/me/sluice/src/detection/scanner.ts', 39) }
    ],
    samples: [1, 2, 3, 4, 1],
    timeDeltas: [9000, 2000, 1000, 1000, 9000]
  }
  assert.deepEqual(topCosts(profile), [
    { place: 'scan (src/detection/scanner.ts:40)', ms: 3, share: 0.75 },
    { place: '(anonymous) (undici/lib/client.js:7)', ms: 1, share: 0.25 }
  ])
})
