/** What is found once must be found in the rest of the request, where nothing around the value tells what it is. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { trafficDetectors } from './detectors/traffic.ts'
import { createScanner } from './scanner.ts'

/** The memory keeps no longer values, and none of more parts. */
const keptUnitsMax = 256
const keptPartsMax = 13

/** Digests of passwords, which open nothing before somebody has guessed the password. */
const digestKinds = new Set(['htpasswd_crypt_hash', 'ntlm_hash_psexec', 'database_password_hash'])

describe('a high-risk secret', () => {
  const scanner = createScanner({ detectors: trafficDetectors })
  for (const detector of trafficDetectors) {
    if (detector.group !== 'secret' || detector.tier !== 'high' || digestKinds.has(detector.id)) continue
    it(`of the kind ${detector.id} is known again without its surroundings`, () => {
      for (const hit of detector.hits()) {
        const memory = scanner.createMemory()
        const found = scanner.scan(hit, memory).find(({ kind, tier }) => kind === detector.id && tier === 'high')
        if (found === undefined) continue
        const value = hit.slice(found.start, found.end)
        if (value.length > keptUnitsMax || value.split(/\W/).length > keptPartsMax) continue
        assert.notEqual(scanner.scan(`see ${value} for it`, memory).length, 0, hit)
      }
    })
  }
})
