/** The clients' guides agree with what the interop run executes. The run itself installs programs and is not a test. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blockHead } from '../scripts/interop/checks.ts'
import type { InteropClient } from '../scripts/interop/client.ts'
import { clients } from '../scripts/interop/clients/index.ts'
import { versions } from '../scripts/interop/versions.ts'

const guides = join(import.meta.dirname, '..', 'docs', 'clients')
const overview = readFileSync(join(guides, 'README.md'), 'utf8')

/** The file name of a client guide. */
const guideOf = ({ name, guide = name }: InteropClient): string => `${guide}.md`

for (const client of clients) {
  const { name, apis } = client
  test(`the table of clients has ${name} in the version and with the APIs of the run`, () => {
    const [wanted = ''] = Object.values(versions[name])
    const rows = overview
      .split('\n')
      .filter((line) => line.startsWith('|') && line.includes(`](${guideOf(client)})`))
      .map((line) => line.split('|').map((cell) => cell.trim()))
    assert.ok(rows.length > 0, `no row links to ${guideOf(client)}`)
    const row = rows.find(([, , version]) => version === wanted)
    assert.ok(row, `no row of ${guideOf(client)} has the version ${wanted}`)
    assert.equal(row[3], apis.map((api) => api.replace('-', ' ')).join(', '))
  })
}

test('every client has a guide, and every guide has a client', () => {
  const pages = readdirSync(guides).filter((file) => file !== 'README.md')
  assert.deepEqual(pages.sort(), [...new Set(clients.map(guideOf))].sort())
})

test('the guides quote the message of a block verbatim', () => {
  const quotes = readdirSync(guides).flatMap((file) => {
    const text = readFileSync(join(guides, file), 'utf8').replace(/\s+(> )?/g, ' ')
    return [...text.matchAll(/The request was not forwarded[^:]*/g)].map(([quote]) => [file, quote])
  })
  assert.ok(quotes.length >= 8)
  assert.deepEqual(
    quotes.filter(([, quote]) => quote !== blockHead),
    []
  )
})
