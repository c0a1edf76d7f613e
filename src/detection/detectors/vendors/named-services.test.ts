import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../../sample-text.ts'
import { createScanner } from '../../scanner.ts'

const scanner = createScanner()
const found = (text: string) => scanner.scan(text).map(({ start, end }) => text.slice(start, end))
const value = filler(32)

test('the value behind a name of several words is found without the end of the name', () => {
  const lines = [
    'SHODAN_ACCESS_TOKEN=?',
    'BOX_ACCESS_TOKEN=?',
    'BOX_ACCESS_TOKEN:?',
    'box.access.token=?',
    'docker run -e SPOTIFY_ACCESS_TOKEN=? app',
    '-BOX_API_TOKEN=\n+BOX_API_TOKEN=?\n'
  ]
  for (const line of lines) assert.deepEqual(found(line.replace('?', value)), [value], line)
})

test('a key that is known by its form is of that kind, though its name is a common word', () => {
  const key = ['EAAA', 'E', filler(59)].join('')
  const [finding] = scanner.scan(`SQUARE_ACCESS_TOKEN=${key}\n`)
  assert.equal(finding?.kind, 'square_token')
  assert.equal(finding.tier, 'high')
})
