/**
 * `node bench/dashboard.ts`: how long people wait for the pages of a large store, beside the same pages of an empty one.
 * Loads events of 30 days, then opens each page in a real browser: from the request of the page to the sight of what it is
 * about. `--events 1e7` (2e6 unless given), `--short` for a few seconds.
 */
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { defaultWorkspaceId } from '../src/service/workspaces.ts'
import type { Store } from '../src/store/store.ts'
import { launchBrowser, visit } from '../test/support/browser.ts'
import { signInAsAdmin } from '../test/support/dashboard-user.ts'
import { startTestService } from '../test/support/start-service.ts'
import { fleetEvent } from './fleet-events.ts'
import { median } from './measure.ts'
import { createRandom } from './random.ts'

const days = 30
const dayMs = 86_400_000
const batchRows = 5000
/** What people still take for "at once". */
const aimMs = 1000

const { values: given } = parseArgs({
  options: { events: { type: 'string' }, short: { type: 'boolean', default: false } }
})
const total = Number(given.events ?? (given.short ? '2e4' : '2e6'))
if (!Number.isInteger(total) || total < 1) throw new RangeError('--events must be a whole number of events')
const rounds = given.short ? 3 : 7

/** Pages with what is there when the reader can begin. */
const pages: readonly (readonly [path: string, seen: string])[] = [
  ['/', 'figure'],
  ['/?range=30d', 'figure'],
  ['/search', 'table'],
  ['/search?action=block&from=30d', 'table'],
  ['/search?entityKind=iban', 'table'],
  ['/live', 'table'],
  ['/policy', 'heading'],
  ['/tools', 'heading'],
  ['/fleet', 'heading'],
  ['/tokens', 'table'],
  ['/audit', 'table'],
  ['/settings', 'heading']
]

const sights: Readonly<Record<string, string>> = {
  figure: '.figure-value, .step',
  table: 'tbody tr, .empty',
  heading: 'main section, main .card'
}

async function load(store: Store): Promise<void> {
  const random = createRandom(7)
  const now = Date.now()
  for (let first = 0; first < total; first += batchRows) {
    const events = Array.from({ length: Math.min(batchRows, total - first) }, (_, index) =>
      fleetEvent(random, {
        workspaceId: defaultWorkspaceId,
        receivedAt: now - Math.floor((1 - (first + index) / total) * days * dayMs)
      })
    )
    await store.append({ events, audit: [] })
  }
}

async function waitFor(page: Page, path: string, seen: string): Promise<number> {
  await page.goto('about:blank')
  const startedAt = performance.now()
  await page.goto(path, { waitUntil: 'commit' })
  const sight = page.locator(sights[seen] ?? 'main').first()
  await sight.waitFor().catch(async () => {
    throw new Error(`${path} shows nothing: ${(await page.locator('main').innerText()).slice(0, 200)}`)
  })
  return performance.now() - startedAt
}

async function measure(isFull: boolean): Promise<Map<string, number>> {
  await using service = await startTestService()
  if (isFull) await load(service.running.store)
  await using browser = await launchBrowser()
  await using visitor = await visit(browser, service.url)
  await signInAsAdmin(visitor.context, service.running)
  const times = new Map<string, number>()
  for (const [path, seen] of pages) {
    const waits: number[] = []
    for (let round = 0; round < rounds; round++) waits.push(await waitFor(visitor.page, path, seen))
    times.set(path, median(waits))
  }
  return times
}

const empty = await measure(false)
const full = await measure(true)
console.log(`\nMedian of ${rounds} visits, ms: empty store, ${total.toLocaleString('en')} events, ratio`)
for (const [path, ms] of full) {
  const base = empty.get(path) ?? NaN
  const mark = ms > aimMs ? `  above ${aimMs}` : ''
  console.log(
    `${path.padEnd(34)} ${base.toFixed(0).padStart(6)} ${ms.toFixed(0).padStart(7)} ${(ms / base).toFixed(2).padStart(6)}${mark}`
  )
}
