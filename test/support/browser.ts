/** Opens pages of the real service in a real browser and records everything that a page must not do. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findChromium } from './chromium.ts'

/** The browser's own sandbox needs privileges that a container rarely has; the pages are ours. */
const switches = ['--no-sandbox', '--headless=shell', '--disable-gpu', '--font-render-hinting=none']

/**
 * Launches a browser; `await using` closes it.
 * @param more additional Chromium switches
 */
export async function launchBrowser(...more: readonly string[]): Promise<Browser> {
  const { executablePath, env } = findChromium()
  return await chromium.launch({ executablePath, args: [...switches, ...more], env: { ...cleanEnvironment(), ...env } })
}

const cleanEnvironment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))

interface ContextOptions {
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** What a page did that it must not do. */
interface Misdeeds {
  /** Addresses of other hosts that were requested. */
  readonly foreign: string[]
  /** Content security policy violations, and errors of the page itself. */
  readonly errors: string[]
}

/** One visitor: separate cookies, and a watch over all their pages. */
export interface Visitor extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  readonly misdeeds: Misdeeds
}

export const desktop = { width: 1360, height: 860 } as const
export const phone = { width: 390, height: 844 } as const

/** @param origin the service's address, the only one that pages may request */
export async function visit(browser: Browser, origin: string, options: ContextOptions = {}): Promise<Visitor> {
  const { colorScheme = 'light', viewport = desktop } = options
  const context = await browser.newContext({
    baseURL: origin,
    colorScheme,
    viewport,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce'
  })
  // Far longer than anything takes, so that no result depends on the speed of the machine.
  context.setDefaultTimeout(30_000)
  const misdeeds: Misdeeds = { foreign: [], errors: [] }
  context.on('request', (request) => {
    if (!isOwn(request.url(), origin)) misdeeds.foreign.push(request.url())
  })
  context.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !isExpected(text)) misdeeds.errors.push(text)
  })
  context.on('weberror', (error) => misdeeds.errors.push(String(error.error())))
  const page = await context.newPage()
  return { context, page, misdeeds, [Symbol.asyncDispose]: () => context.close() }
}

const isOwn = (url: string, origin: string): boolean =>
  /^(data|blob|about):/.test(url) || new URL(url).origin === origin

/**
 * The browser itself logs a line for each response of 400 or more and for each lost connection; those are no errors of
 * a page.
 */
const isExpected = (text: string): boolean => text.startsWith('Failed to load resource')

/** Fails if a page requested another host, violated its content security policy, or threw. */
export function assertClean({ misdeeds }: Visitor): void {
  assert.deepEqual(misdeeds, { foreign: [], errors: [] })
}

const axeSource = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8')

interface AxeViolation {
  readonly id: string
  readonly impact: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/**
 * Violations on the current page that axe rates serious or critical.
 * @param rules checks only these, for example on a page that was checked before and now has other colours
 * @returns one line per violation with its element
 */
export async function seriousFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated through the debugger, which the content security policy does not restrict. Handing over the library costs more
  // than a check does, and a page keeps it until it is loaded again.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(`(() => { ${axeSource} })()`)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  // Colours on their way from one scheme to the other are nobody's choice.
  const violations = await page.evaluate<readonly AxeViolation[]>(
    `Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished))
      .then(() => window.axe.run(document, ${options}))
      .then(({ violations }) => violations)`
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`)
    )
}

/** By how many pixels the page is wider than the window, so that people would have to scroll sideways. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`)
}
