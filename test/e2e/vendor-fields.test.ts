/**
 * The short form of `npm run vendor-fields`: every field of every block of the vendors' APIs, through the service
 * itself.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendFields } from '../../scripts/vendor-fields/through-ingress.ts'

test('a secret and an address in every field of every block are blocked or masked, and nothing else is altered', async () => {
  const { places, requests, faults } = await sendFields({ short: true })
  assert.deepEqual(faults, [])
  assert.ok(places > 1000)
  assert.equal(requests, 2 * places)
})
