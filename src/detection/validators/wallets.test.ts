import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import fc from '../../../test/support/property.ts'
import { decodeBase58Check, encodeBase58Check } from './base58.ts'
import { bech32Checksum, isBech32 } from './bech32.ts'
import { crc16, hasNkeyChecksum, nkeySeed, nkeySeedUnits } from './nkey.ts'
import { sha256 } from './sha256.ts'

const bytes = fc.uint8Array({ maxLength: 140 })

test('SHA-256 agrees with the platform, also at the limits of a block', () => {
  for (const length of [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128]) {
    const input = new Uint8Array(length).fill(length)
    assert.deepEqual([...sha256(input)], [...createHash('sha256').update(input).digest()], `${length} bytes`)
  }
  fc.assert(
    fc.property(bytes, (input) => {
      assert.deepEqual([...sha256(input)], [...createHash('sha256').update(input).digest()])
    })
  )
})

test('base58check accepts the address of the first block and a key, and rejects either with one wrong letter', () => {
  // The vectors of the Bitcoin wiki, in pieces.
  const genesis = ['1A1zP1eP5QGefi2D', 'MPTfTL5SLmv7DivfNa'].join('')
  const wif = ['5HueCGU8rMjxEXxiPuD5BDku', '4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'].join('')
  assert.equal(decodeBase58Check(genesis)?.length, 21)
  assert.equal(decodeBase58Check(wif)?.[0], 0x80)
  assert.equal(decodeBase58Check(genesis.slice(0, -1) + 'b'), undefined)
  assert.equal(decodeBase58Check('0OIl'), undefined)
  assert.equal(decodeBase58Check(''), undefined)
  assert.equal(decodeBase58Check('z'.repeat(121)), undefined)
})

test('base58check decodes what it encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 78 }), (payload) => {
      assert.deepEqual([...(decodeBase58Check(encodeBase58Check(payload)) ?? [])], [...payload])
    })
  )
})

test('bech32 and bech32m accept the vectors of BIP-173 and BIP-350, and reject mixed case', () => {
  const segwit = ['bc1qw508d6qejxtdg4y5', 'r3zarvary0c5xw7kv8f3t4'].join('')
  const taproot = ['bc1p0xlxvlhemja6c4dqv22uapctqupfhl', 'xm9h8z3k2e72q4k9hcz7vqzk5jj0'].join('')
  assert.ok(isBech32(segwit) && isBech32(taproot) && isBech32(segwit.toUpperCase()))
  assert.ok(!isBech32(segwit.slice(0, -1) + '5') && !isBech32('B' + segwit.slice(1)) && !isBech32('bc1'))
  assert.equal(bech32Checksum('bc', segwit.slice(3, -6)), segwit.slice(-6))
})

test('the seed of a NATS key carries CRC-16 with the polynomial 0x1021', () => {
  assert.equal(crc16([...'123456789'].map((one) => one.charCodeAt(0))), 0x31c3)
  const key = Array.from({ length: 32 }, (_, i) => i)
  const seed = nkeySeed(160, key)
  assert.ok(seed.length === nkeySeedUnits && seed.startsWith('SUA') && hasNkeyChecksum(seed))
  assert.ok(!hasNkeyChecksum(seed.slice(0, 20) + 'QQ' + seed.slice(22)) && !hasNkeyChecksum('S1'))
  // The seed of the documentation of nkeys.
  assert.ok(hasNkeyChecksum(['SUAIBDPBAUTWCWBKIO6XHQNINK5F', 'WJW4OHLXC3HQ2KFE4PEJUA44CNHTC4'].join('')))
})
