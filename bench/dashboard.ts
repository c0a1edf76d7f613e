/**
 * `node bench/dashboard.ts`: how long people wait for the pages of a large store, compared with the same pages of an
 * empty one. Opens each page in a real browser, alternating between the stores, and measures from the request for the
 * page until its main content is visible. `--events 1e7` sets the size (default 2e6), `--short` takes a few seconds;
 * `--keep FOLDER` fills the folder once and reuses it afterwards; `--page /policy` opens one page only, `--trace` shows
 * the requests that it made.
 */
import { rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { launchBrowser, visit } from '../test/support/browser.ts'
import { enterAsAdmin } from '../test/support/dashboard-user.ts'
import { makeDataDir, startTestService, type TestService } from '../test/support/start-service.ts'
import { eventsKept, loadEvents, markKept, publishRevisions, wakeSensors } from './dashboard-store.ts'
import { median } from './measure.ts'

/** The wait that people still perceive as immediate. */
const aimMs = 1000

const { values: given } = parseArgs({
  options: {
    events: { type: 'string' },
    short: { type: 'boolean', default: false },
    keep: { type: 'string' },
    page: { type: 'string' },
    trace: { type: 'boolean', default: false }
  }
})
const total = Number(given.events ?? (given.short ? '2e4' : '2e6'))
if (!Number.isInteger(total) || total < 1) throw new RangeError('--events must be a whole number of events')
const rounds = given.short ? 3 : 7

/** Pages with the content that must be visible before the reader can begin. */
const allPages: readonly (readonly [path: string, seen: string])[] = [
  ['/', 'figure'],
  ['/?range=30d', 'figure'],
  ['/search', 'table'],
  ['/search?action=block&from=30d', 'table'],
  ['/search?entityKind=iban', 'table'],
  ['/live', 'table'],
  ['/policy', 'form'],
  ['/policy/editor', 'editor'],
  ['/policy/history', 'table'],
  ['/policy/sensors', 'table'],
  ['/tools', 'table'],
  ['/fleet', 'table'],
  ['/tokens', 'table'],
  ['/audit', 'table'],
  ['/settings', 'facts']
]
const pages = given.page === undefined ? allPages : allPages.filter(([path]) => path === given.page)
if (pages.length === 0) throw new RangeError('--page must be a page that is measured')

const sights: Readonly<Record<string, string>> = {
  figure: '.figure-value, .step',
  table: 'tbody tr, .empty',
  form: 'main input:not([disabled])',
  editor: '.cm-content .cm-line',
  facts: '.setting-facts dd'
}

async function waitFor(page: Page, path: string, seen: string): Promise<number> {
  await page.goto('about:blank')
  const startedAt = performance.now()
  await page.goto(path, { waitUntil: 'commit' })
  const sight = page.locator(sights[seen] ?? 'main').first()
  await sight.waitFor().catch(async () => {
    throw new Error(`${path} shows nothing: ${(await page.locator('main').innerText()).slice(0, 200)}`)
  })
  // Content is usable only once the page's main thread is free.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
  return performance.now() - startedAt
}

interface Bench extends AsyncDisposable {
  readonly page: Page
}

async function open(service: TestService): Promise<Bench> {
  await using undo = new AsyncDisposableStack()
  const browser = undo.use(await launchBrowser())
  const visitor = undo.use(await visit(browser, service.url))
  await enterAsAdmin(visitor.context, service.running)
  const all = undo.move()
  return { page: visitor.page, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** Starts a service on a store of the benchmark's size; a kept folder is filled only once. */
async function startFull(folder: string): Promise<TestService> {
  const kept = eventsKept(folder)
  if (kept !== undefined && kept !== total) {
    throw new RangeError(`--keep names a folder with ${kept} events; ask for so many, or name another`)
  }
  if (kept === undefined) await loadEvents(folder, total)
  // A kept store ages, and retention must not delete its days.
  const service = await startTestService({ dataDir: folder, env: { SERVICE_EVENTS_RETENTION_DAYS: '3650' } })
  if (kept === undefined) {
    await publishRevisions(service)
    markKept(folder, total)
  }
  await wakeSensors(service)
  return service
}

async function trace({ page }: Bench, path: string, seen: string): Promise<void> {
  await waitFor(page, path, seen)
  await page.waitForLoadState('networkidle')
  const lines = await page.evaluate<readonly string[]>(
    `performance.getEntriesByType('resource').map((one) => [one.startTime, one.responseEnd].map((ms) => ms.toFixed(0).padStart(6)).join(' ') + String(one.encodedBodySize).padStart(9) + ' B ' + one.name.replace(location.origin, ''))`
  )
  console.log(`${path} asks for (from, to in ms; bytes):\n${lines.join('\n')}`)
}

await using undo = new AsyncDisposableStack()
const folder = given.keep ?? (await makeDataDir())
if (given.keep === undefined) undo.defer(() => rm(folder, { recursive: true, force: true }))
await using emptyService = await startTestService()
await using fullService = await startFull(folder)
await using empty = await open(emptyService)
await using full = await open(fullService)
console.log(
  `\nMedian of ${rounds} visits, ms: empty store, ${total.toLocaleString('en')} events, ratio; load ${loadavg()[0]?.toFixed(1)}`
)
for (const [path, seen] of pages) {
  const waits: { readonly empty: number[]; readonly full: number[] } = { empty: [], full: [] }
  for (let round = 0; round < rounds; round++) {
    waits.empty.push(await waitFor(empty.page, path, seen))
    waits.full.push(await waitFor(full.page, path, seen))
  }
  const [base, ms] = [median(waits.empty), median(waits.full)]
  const mark = ms > aimMs ? `  above ${aimMs}` : ''
  console.log(
    `${path.padEnd(34)} ${base.toFixed(0).padStart(6)} ${ms.toFixed(0).padStart(7)} ${(ms / base).toFixed(2).padStart(6)}${mark}`
  )
  if (given.trace) await trace(full, path, seen)
}
