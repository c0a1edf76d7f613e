import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { standardPolicy } from '../../policy/revision.ts'
import type { PolicyRevision } from '../../store/store.ts'
import { compileDraft } from './compile-draft.ts'
import { replayedPolicies } from './replayed-policies.ts'

const revisionOf = (revision: string, redactionProfile: object): PolicyRevision => ({
  ...standardPolicy,
  workspaceId: 'acme',
  sequence: 1,
  revision,
  redactionProfile: { version: 1, ...redactionProfile },
  author: 'ops',
  note: '',
  publishedAt: 0
})

function policies(stored: readonly PolicyRevision[]) {
  const asked: string[] = []
  const revisions = {
    current: async () => revisionOf('in force', { preset: 'standard' }),
    find: async (_workspace: string, revision: string) => {
      asked.push(revision)
      return stored.find((one) => one.revision === revision)
    }
  }
  const options = { allowKey: createSecretKey(Buffer.alloc(32, 1)), blockHighRisk: true, detectors: [] }
  const compile = (_workspace: string, profile: unknown) => compileDraft(profile, options)
  return { asked, reading: replayedPolicies({ revisions, compile }, 'acme') }
}

test('each policy is read once, and the one in force replaces those that are missing or unreadable', async () => {
  const { asked, reading } = policies([revisionOf('usual', {}), revisionOf('newer', { unheardOf: 1 })])
  const policyOf = await reading
  const inForce = await policyOf(null)
  const usual = await policyOf('usual')
  assert.notEqual(usual, inForce)
  assert.equal(await policyOf('usual'), usual)
  assert.equal(await policyOf('newer'), inForce)
  assert.equal(await policyOf('newer'), inForce)
  assert.equal(await policyOf('gone'), inForce)
  assert.deepEqual(asked, ['usual', 'newer', 'gone'])
})

test('no more than ten policies are read', async () => {
  const stored = Array.from({ length: 12 }, (_, index) => revisionOf(`r${index}`, {}))
  const { asked, reading } = policies(stored)
  const policyOf = await reading
  const found = []
  for (const { revision } of stored) found.push(await policyOf(revision))
  assert.equal(asked.length, 10)
  const inForce = await policyOf(null)
  assert.deepEqual(
    found.map((policy) => policy === inForce),
    stored.map((_, index) => index >= 10)
  )
})
