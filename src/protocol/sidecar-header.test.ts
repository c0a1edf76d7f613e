import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSidecarHeader, otherKinds, parseSidecarHeader, type SidecarCounts } from './sidecar-header.ts'

const counts: SidecarCounts = {
  action: 'mask',
  riskTier: 'medium',
  entitiesMasked: 3,
  entityCounts: { email_address: 2, phone_number: 1 },
  policyRevision: '7-9f2b61c07de51a84'
}
const known = (kind: string): boolean => Object.hasOwn(counts.entityCounts, kind)

test('what is written is read again', () => {
  const text = formatSidecarHeader(counts)
  assert.equal(
    text,
    'action=mask; tier=medium; masked=3; revision=7-9f2b61c07de51a84; entities=email_address:2,phone_number:1'
  )
  assert.deepEqual(parseSidecarHeader(text, known), counts)
  const nothing: SidecarCounts = { action: 'allow', riskTier: 'none', entitiesMasked: 0, entityCounts: {} }
  assert.deepEqual(parseSidecarHeader(formatSidecarHeader(nothing), known), nothing)
})

test('kinds beyond the limit are counted together', () => {
  const longest = (index: number): string => `kind_${index}`.padEnd(64, '_')
  const entityCounts = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [longest(index), 1]))
  const read = parseSidecarHeader(formatSidecarHeader({ ...counts, entityCounts }), (kind) => kind.startsWith('kind_'))
  assert.equal(Object.keys(read?.entityCounts ?? {}).length, 32)
  assert.equal(read?.entityCounts[otherKinds], 29)
  const atBound = Object.fromEntries(Object.entries(entityCounts).slice(0, 32))
  const header = formatSidecarHeader({ ...counts, entityCounts: atBound })
  assert.deepEqual(parseSidecarHeader(header, () => true)?.entityCounts, atBound)
})

test('no unknown word gets through', () => {
  const text =
    'action=block; tier=high; masked=0; revision=drop-table; entities=ana_at_corp:2,constructor:1,email_address:1'
  assert.deepEqual(parseSidecarHeader(text, known), {
    action: 'block',
    riskTier: 'high',
    entitiesMasked: 0,
    entityCounts: { [otherKinds]: 3, email_address: 1 }
  })
})

test('a malformed header counts as absent', () => {
  const good = 'action=mask; tier=low; masked=1'
  assert.ok(parseSidecarHeader(good, known))
  for (const text of [
    undefined,
    '',
    'hop',
    good.replace('mask;', 'mangle;'),
    good.replace('low', 'lowest'),
    good.replace('masked=1', 'masked=-1'),
    good.replace('masked=1', 'masked=1e9'),
    `${good}; entities=Email:1`,
    `${good}; entities=email_address:x`,
    `${good}; entities=${'a:1,'.repeat(40)}a:1`,
    `${good}; revision=${'x'.repeat(5000)}`
  ])
    assert.equal(parseSidecarHeader(text, known), undefined, text ?? 'absent')
})
