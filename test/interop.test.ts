/** The clients' guides say what the interop run runs. The run itself installs programs, and is no test. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blockHead } from '../scripts/interop/checks.ts'
import { clients } from '../scripts/interop/clients/index.ts'
import { versions } from '../scripts/interop/versions.ts'

const guides = join(import.meta.dirname, '..', 'docs', 'clients')
const overview = readFileSync(join(guides, 'README.md'), 'utf8')

for (const { name, apis } of clients) {
  test(`the table of clients has ${name} in the version and with the APIs that are run`, () => {
    const row = overview.split('\n').find((line) => line.startsWith('|') && line.includes(`](${name}.md)`))
    assert.ok(row, `no row links to ${name}.md`)
    const [, , version, spoken] = row.split('|').map((cell) => cell.trim())
    assert.equal(version, Object.values(versions[name])[0])
    assert.equal(spoken, apis.map((api) => api.replace('-', ' ')).join(', '))
  })
}

/** What no run installs; the overview says so. */
const triedByHand = ['python.md']

test('every client has a guide, and every guide a client or the word that it was tried by hand', () => {
  const pages = readdirSync(guides).filter((file) => file !== 'README.md')
  assert.deepEqual(pages.sort(), [...clients.map(({ name }) => `${name}.md`), ...triedByHand].sort())
  for (const page of triedByHand)
    assert.match(overview.replaceAll('\n', ' '), new RegExp(`\\(${page}\\)[^.]*were tried by hand`), page)
})

test('the guides quote the sentence of a block as it is', () => {
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
