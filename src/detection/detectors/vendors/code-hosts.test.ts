import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../../scanner.ts'
import { endsInBase36Crc32 } from '../../validators/crc32.ts'
import { codeHostDetectors } from './code-hosts.ts'

const scanner = createScanner(codeHostDetectors)

test('a routable GitLab token is certain with a right checksum and medium with a wrong one', () => {
  // The sample token of GitLab's design document for routable tokens, which has no prefix.
  const published = ['bzoxd_Rb5_cHeWe1JH56wr2FCBA', '0r1pum4t4'].join('.')
  assert.ok(endsInBase36Crc32(published))
  const [foreign] = scanner.scan('gl' + 'pat-' + published)
  assert.deepEqual([foreign?.end, foreign?.confidence], [43, 'medium'])
  const hits = codeHostDetectors.find((one) => one.id === 'gitlab_pat')?.hits() ?? []
  assert.equal(scanner.scan(hits.at(-1) as string)[0]?.confidence, 'certain')
})

test('a full stop behind a personal access token does not lower its confidence', () => {
  const [found] = scanner.scan(`use ${'gl' + 'pat-'}7MWVBoWhoUBixy7odK2f.`)
  assert.equal(found?.confidence, 'strong')
})
