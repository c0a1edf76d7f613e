/** The pages that show activity: accessibility with low vision, by keyboard and on a phone; and what no page may do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import {
  assertClean,
  desktop,
  launchBrowser,
  overflow,
  phone,
  seriousFaults,
  visit,
  type Visitor
} from '../support/browser.ts'
import { openWithin, signInAsAdmin } from '../support/dashboard-user.ts'
import { writeDemoRecords } from '../support/demo-service.ts'
import { eventually } from '../support/eventually.ts'
import { post } from '../support/events.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

let browser: Browser
let service: TestService
let requestId: string
let cookies: Awaited<ReturnType<Visitor['context']['cookies']>>

before(async () => {
  ;[browser, service] = await Promise.all([launchBrowser(), startTestService()])
  const { events } = await writeDemoRecords(service)
  requestId = events.findLast(({ kind }) => kind === 'tool_call_enforcement')?.requestId ?? ''
  await using visitor = await visit(browser, service.url)
  await signInAsAdmin(visitor.context, service.running)
  cookies = await visitor.context.cookies()
})
after(async () => {
  await Promise.all([browser.close(), service[Symbol.asyncDispose]()])
})

async function signedIn(options: Parameters<typeof visit>[2] = {}): Promise<Visitor> {
  const visitor = await visit(browser, service.url, options)
  await visitor.context.addCookies(cookies)
  return visitor
}

/** Pages by path, each with a text that is visible once the page has loaded. */
const pages = (): readonly [path: string, heading: string, done: string][] => [
  ['/', 'Overview', 'Kinds of entities'],
  ['/live?modelId=in-house-7b', 'Live', 'Following'],
  ['/search?modelId=in-house-7b&from=7d', 'Search', 'Masked'],
  ['/search?modelId=none-such', 'Search', 'No matching events'],
  [`/requests/${requestId}`, 'Request', 'Policy in force'],
  ['/first-run', 'Connect a client', 'Waiting for a call'],
  ['/no-such-page', '', 'Page not found']
]

/** Dark mode changes only colours, and checking all rules takes several times as long. */
async function darkFaults(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  const faults = await seriousFaults(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

test('axe finds nothing serious in light and dark, and a phone shows the full width', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  for (const [path, heading, done] of pages()) {
    await page.setViewportSize(desktop)
    await openWithin(page, path)
    if (heading !== '') await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.getByText(done).first().waitFor()
    assert.deepEqual(await seriousFaults(page), [], `${path} in light`)
    assert.deepEqual(await darkFaults(page), [], `${path} in dark`)
    await page.setViewportSize(phone)
    // Charts are redrawn for their size a moment later.
    await eventually(`${path} as wide as a phone`, async () => ((await overflow(page)) <= 0 ? true : undefined))
  }
  assertClean(visitor)
})

test('what is on, chosen or focused is seen where the system sets the colours', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.emulateMedia({ forcedColors: 'active' })
  /** How an element is drawn, by the properties that such a system leaves. */
  const look = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const style = element.ownerDocument.defaultView?.getComputedStyle(element)
        return [style?.backgroundColor, style?.borderBottomColor, style?.outlineStyle].join(' ')
      })
  const differ = async (...selectors: readonly string[]): Promise<void> => {
    const looks = await Promise.all(selectors.map(look))
    assert.equal(new Set(looks).size, looks.length, `${selectors.join(' is drawn as ')}: ${looks.join(' | ')}`)
  }
  await page.goto('/')
  await page.getByText('Decisions over time').waitFor()
  await differ('.mantine-SegmentedControl-label[data-active]', '.mantine-SegmentedControl-label:not([data-active])')
  await differ('.navbar a[data-active]', '.navbar a:not([data-active])')
  await differ('.legend i[data-part="block"]', '.legend i[data-part="mask"]')
  await page.goto('/policy')
  await page.getByText('Requests with high-risk secrets are blocked').waitFor()
  await differ('.view-links a[aria-current]', '.view-links a:not([aria-current])')
  await differ('.mantine-Switch-input:checked + *', '.mantine-Switch-input:not(:checked) + *')
  const field = page.getByLabel('Allow an address')
  await field.focus()
  await differ('.mantine-Input-input:focus', '.mantine-Input-input:not(:focus)')
  await page.goto('/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('dialog').getByRole('checkbox').first().waitFor()
  await differ('.mantine-Checkbox-input:checked', '.mantine-Checkbox-input:not(:checked)')
})

test('the navigation covers no page, at whatever width it collapses', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.goto('/')
  const heading = page.getByRole('heading', { level: 1, name: 'Overview' })
  for (const width of [767, 768, 769]) {
    await page.setViewportSize({ width, height: 1024 })
    const isSeen = (): Promise<boolean> =>
      heading.evaluate((element) => {
        const { left, top, height } = element.getBoundingClientRect()
        return element.contains(element.ownerDocument.elementFromPoint(left + 1, top + height / 2))
      })
    await eventually(`the heading at ${width} pixels`, async () => ((await isSeen()) ? true : undefined))
  }
})

test('the pages before the sign-in pass as well', async () => {
  await using visitor = await visit(browser, service.url, { viewport: phone })
  const { page } = visitor
  for (const [path, text] of [
    ['/sign-in', 'Password'],
    ['/sign-in?problem=oidc_unreachable', 'cannot be reached'],
    ['/setup#used-up', 'This link cannot be used'],
    ['/search?action=block', 'Password']
  ] as const) {
    await page.goto(path)
    await page.getByText(text).first().waitFor()
    assert.deepEqual(await seriousFaults(page), [], `${path} in light`)
    assert.deepEqual(await darkFaults(page), [], `${path} in dark`)
    assert.ok((await overflow(page)) <= 0, path)
  }
  assert.equal(new URL(page.url()).searchParams.get('next'), '/search?action=block')
  assertClean(visitor)
})

test('everything can be reached by keyboard alone', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.goto('/')
  await page.getByText('Kinds of entities').waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the page')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.ok(await page.evaluate(`document.querySelector('main').contains(document.activeElement)`))

  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
  // The next Tab starts on the new page.
  await page.locator('#main:focus').waitFor()
  await page.getByRole('combobox', { name: 'Action' }).press('Enter')
  // A key pressed before the list is open has no effect, as for a person.
  const blocked = page.getByRole('option', { name: 'Blocked' })
  await blocked.waitFor()
  // The list looks for its active option in a timer set before it shows, and forgets earlier choices until then.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
  await page.keyboard.press('ArrowDown')
  await blocked.and(page.locator('[data-combobox-selected]')).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/action=block/)
  await page.getByRole('cell', { name: 'Masked' }).first().waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: 'Blocked' }).first().waitFor()

  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('/')
  await page.getByLabel('Request ID').and(page.locator(':focus')).waitFor()
  assert.match(page.url(), /action=block/, 'filters that stand there stay')
  await page.goto('/')
  await page.getByText('Kinds of entities').waitFor()
  await page.keyboard.press('/')
  await page.getByLabel('Request ID').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('no id')
  await page.keyboard.press('Enter')
  await page.getByText('A request ID must be a UUID.').waitFor()

  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Shift+?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Colours: As the system' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Dark' }).press('Enter')
  await page.reload()
  await page.getByRole('button', { name: 'Colours: Dark' }).waitFor()
  assertClean(visitor)
})

test('every page shows settings that soften the rules', async () => {
  await using soft = await startTestService({ env: { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'false' } })
  await using visitor = await visit(browser, soft.url, { viewport: phone, colorScheme: 'dark' })
  const { page, context } = visitor
  await signInAsAdmin(context, soft.running)
  for (const path of ['/', '/search', '/live', '/no-such-page']) {
    await openWithin(page, path)
    const banner = page.getByRole('region', { name: 'What weakens the policy' })
    assert.match(await banner.innerText(), /block/i, path)
    assert.ok((await overflow(page)) <= 0, path)
  }
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Navigation' }).click()
  await page.getByRole('link', { name: 'Search', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
  await using strict = await signedIn()
  await strict.page.goto('/search')
  await strict.page.getByRole('cell', { name: 'Masked' }).first().waitFor()
  assert.equal(await strict.page.getByRole('region', { name: 'What weakens the policy' }).count(), 0)
})

test('figures link to their events, and paging through events continues where a page ends', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.goto('/?range=7d')
  const figure = page.getByRole('link', { name: /^Blocked/ })
  const blocked = Number(/Blocked\s*([\d,]+)/.exec(await figure.innerText())?.[1]?.replace(',', ''))
  assert.ok(blocked > 10)
  await figure.click()
  await page.getByRole('cell', { name: 'Blocked' }).first().waitFor()
  const count = page.getByText(/^(All )?\d+ shown$/)
  for (let shown = await count.innerText(); !shown.startsWith('All'); shown = await count.innerText()) {
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText(shown, { exact: true }).waitFor({ state: 'hidden' })
  }
  assert.equal(await count.innerText(), `All ${blocked} shown`)
  assert.equal(await page.getByRole('cell', { name: 'Blocked' }).count(), blocked)

  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /one event a line/i }).click()
  const stream = await (await download).createReadStream()
  let lines = 0
  for await (const chunk of stream) lines += String(chunk).split('\n').length - 1
  assert.equal(lines, blocked)
})

test('a paused live view does not change, and shows new events when it resumes', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.goto('/live?kind=tool_call_enforcement&mcpToolName=paused_tool')
  await page.getByText('Following').waitFor()
  const event = { kind: 'tool_call_enforcement', action: 'block', mcpToolName: 'paused_tool' }
  await post(service, event)
  await page.getByRole('cell', { name: 'paused_tool' }).waitFor()
  await page.keyboard.press('p')
  await page.getByText('Paused', { exact: true }).waitFor()
  await post(service, [event, { ...event, mcpToolName: 'other_tool' }, event])
  await page.getByRole('button', { name: 'Resume (2 waiting)' }).waitFor()
  assert.equal(await page.getByRole('cell', { name: 'paused_tool' }).count(), 1)
  await page.getByRole('button', { name: /Resume/ }).click()
  await page.getByRole('cell', { name: 'paused_tool' }).nth(2).waitFor()
  assert.equal(await page.getByRole('cell', { name: 'other_tool' }).count(), 0)
})

test('only the files of the dashboard run, not even the name that a sensor gives itself', async () => {
  const [first, second] = await Promise.all([fetch(service.url), fetch(service.url)])
  const policies = [first, second].map(({ headers }) => headers.get('content-security-policy') ?? '')
  assert.match(policies[0] ?? '', /default-src 'none'; script-src 'self';/)
  assert.doesNotMatch(policies.join(' '), /unsafe/)
  const [nonce, otherNonce] = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1])
  assert.ok(nonce !== undefined && nonce !== otherNonce, 'each answer has a nonce of its own')
  const html = await first.text()
  assert.ok(html.includes(nonce))
  assert.doesNotMatch(html, /SLUICE_CSP_NONCE|<script(?![^>]* src=)/)

  const name = '<img src=x onerror="window.hacked=1">'
  const id = crypto.randomUUID()
  const hostile = { sensorId: name, mcpToolName: name, ruleId: name, reasonCode: name.slice(0, 64) }
  const reply = await post(service, { kind: 'tool_call_enforcement', action: 'block', requestId: id, ...hostile })
  assert.equal(reply.status, 202, reply.text)
  await using visitor = await signedIn()
  const { page } = visitor
  for (const path of ['/', '/live', `/search?mcpToolName=${encodeURIComponent(name)}`, `/requests/${id}`]) {
    await openWithin(page, path)
    await page.getByText(name).first().waitFor()
  }
  assert.equal(await page.evaluate('window.hacked'), undefined)

  // A name cannot imitate another by characters that reverse the text after them either.
  const turned = 'read_\u202eelif'
  const sent = await post(service, { kind: 'tool_call_enforcement', action: 'block', mcpToolName: turned })
  assert.equal(sent.status, 202, sent.text)
  for (const path of ['/tools', `/search?mcpToolName=${encodeURIComponent(turned)}`]) {
    await openWithin(page, path)
    await page.getByText('read_[U+202E]elif').first().waitFor()
  }
  assertClean(visitor)
})
