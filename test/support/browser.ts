/** A real browser before the real service, with an eye on everything that a page must not do. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findChromium } from './chromium.ts'

/** The browser's own sandbox needs rights that a container rarely gives; the pages are ours. */
const switches = ['--no-sandbox', '--headless=shell', '--disable-gpu', '--font-render-hinting=none']

/**
 * Launches a browser; `await using` closes it.
 * @param more switches of Chromium for a test of its own
 */
export async function launchBrowser(...more: readonly string[]): Promise<Browser> {
  const { executablePath, env } = findChromium()
  return await chromium.launch({ executablePath, args: [...switches, ...more], env: { ...cleanEnvironment(), ...env } })
}

const cleanEnvironment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))

export interface ContextOptions {
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** What a page did that it must not do. */
export interface Misdeeds {
  /** Addresses of other hosts that were asked for. */
  readonly foreign: string[]
  /** What the content policy stopped, and errors of the page itself. */
  readonly errors: string[]
}

/** One visitor: cookies of their own, and a watch over all their pages. */
export interface Visitor extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  readonly misdeeds: Misdeeds
}

export const desktop = { width: 1360, height: 860 } as const
export const phone = { width: 390, height: 844 } as const

/** @param origin the service's address, beyond which no page may reach */
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
  // Far from what anything takes, so that no verdict hangs on the speed of a machine.
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

/** The browser itself writes a line for each answer of 400 and more and for each lost connection; those are no faults of a page. */
const isExpected = (text: string): boolean => text.startsWith('Failed to load resource')

/** Fails where a page reached out, ran what the policy forbids, or threw. */
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
 * What axe finds serious or critical on the page as it stands.
 * @param rules the only ones to look at: for a page that was judged before and has other colours now, say
 * @returns one line for each fault with the element that has it
 */
export async function seriousFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the debugger, which no content policy holds back.
  await page.evaluate(`window.axe ?? (() => { ${axeSource} })()`)
  const violations = await page.evaluate<readonly AxeViolation[]>(
    `window.axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })}).then(({ violations }) => violations)`
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`)
    )
}

/** Whether the page is wider than the window, so that people would have to scroll sideways. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`)
}
