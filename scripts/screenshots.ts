/**
 * Takes the screenshots of docs/images, from a service with records of two days. `--out FOLDER` puts them elsewhere,
 * `--dark` takes all of them in dark mode, and names select pages.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { launchBrowser, phone, visit } from '../test/support/browser.ts'
import { startTestService } from '../test/support/start-service.ts'
import { root } from './run.ts'
import { setScene } from './screenshots/scene.ts'

interface Picture {
  readonly name: string
  readonly path: string
  /** A text that is visible when the page has loaded. */
  readonly done: string
  readonly isDark?: boolean
  readonly isPhone?: boolean
  /** Actions on the page before the screenshot is taken. */
  readonly act?: (page: Page) => Promise<void>
}

const pictures = (requestId: string): readonly Picture[] => [
  { name: 'overview', path: '/', done: 'Kinds of entities' },
  { name: 'overview-dark', path: '/', done: 'Kinds of entities', isDark: true },
  { name: 'overview-phone', path: '/', done: 'Kinds of entities', isPhone: true },
  { name: 'first-run', path: '/first-run', done: 'Waiting for a call' },
  { name: 'live', path: '/live?clientSurface=claude-code', done: 'Following' },
  { name: 'search', path: '/search?action=mask&from=24h', done: 'Masked' },
  { name: 'request', path: `/requests/${requestId}`, done: 'Policy in force' },
  { name: 'policy', path: '/policy', done: 'Calls that no rule matches' },
  { name: 'policy-editor', path: '/policy/editor', done: 'be published', isDark: true },
  { name: 'policy-history', path: '/policy/history', done: 'Nothing is ever removed' },
  {
    name: 'false-alarm',
    path: '/search?action=block&kind=ingress_proxy&from=7d',
    done: 'Blocked',
    act: async (page) => {
      await page.getByRole('button', { name: 'False alarm' }).first().click()
      await page.getByText('would have been decided differently').waitFor()
    }
  },
  { name: 'tools', path: '/tools', done: 'wiki.corp.example' },
  { name: 'fleet', path: '/fleet', done: 'laptop-14' },
  { name: 'tokens', path: '/tokens', done: 'build servers' },
  { name: 'audit', path: '/audit?action=ingress_proxy', done: 'Masked' },
  { name: 'settings', path: '/settings', done: 'Sealing of the audit' }
]

/** Charts and the like settle after their data has arrived. */
const settleMs = 900

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: join(root, 'docs/images') }, dark: { type: 'boolean', default: false } }
})
await mkdir(values.out, { recursive: true })

await using service = await startTestService()
await using browser = await launchBrowser()
await using first = await visit(browser, service.url)
const { requestId } = await setScene(service, first.context)
const cookies = await first.context.cookies()

for (const { name, path, done, act, isDark = values.dark, isPhone = false } of pictures(requestId)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  await using visitor = await visit(browser, service.url, {
    colorScheme: isDark ? 'dark' : 'light',
    viewport: isPhone ? phone : { width: 1280, height: 800 }
  })
  await visitor.context.addCookies(cookies)
  const { page } = visitor
  await page.goto(path)
  await page.getByText(done).first().waitFor()
  await act?.(page)
  await page.waitForTimeout(settleMs)
  await page.screenshot({ path: join(values.out, `${name}.png`) })
  console.log(`${name}.png`)
}
