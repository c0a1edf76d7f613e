import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { indexOf } from '../../../dialects/json/indexing.fixture.ts'
import { readDefinition, type ToolDigests } from './tool-definition.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** @param components the members of a definition beside its name, as JSON */
function digestsOf(components: string): ToolDigests {
  const index = indexOf(`{"name":"read",${components}}`)
  const definition = readDefinition(index, 0)
  assert.ok(definition)
  return definition.digests
}

const composed = 'caf\u00e9'
const decomposed = composed.normalize('NFD')

test('the digest of a component is the same however its texts are composed and its members are ordered', () => {
  const { description, inputSchema } = digestsOf(
    `"description":"${decomposed}","inputSchema":{"type":"object","title":"${decomposed}"}`
  )
  assert.equal(description, sha256(composed))
  assert.equal(inputSchema, digestsOf(`"inputSchema": { "title": "${composed}", "type": "object" }`).inputSchema)
})

test('a component of more than 256 KiB is hashed as it is written, and one of exactly that size is not', () => {
  const quotesBytes = 2
  const largest = decomposed + 'x'.repeat(262_144 - Buffer.byteLength(decomposed) - quotesBytes)
  assert.equal(digestsOf(`"description":"${largest}"`).description, sha256(largest.normalize('NFC')))
  const larger = `"${largest}x"`
  assert.equal(digestsOf(`"description":${larger}`).description, sha256(larger))
})
