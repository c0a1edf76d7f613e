/** Interruptions while people work: their session ends, the service goes away and returns, a link has a bad target. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { sessionBody } from '../../src/protocol/api/session-schema.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { assertClean, launchBrowser, phone, seriousFaults, visit } from '../support/browser.ts'
import { adminName, adminPassword, setupPath, signInAsAdmin } from '../support/dashboard-user.ts'
import { filesOf } from '../support/dashboard-build.ts'
import { eventually } from '../support/eventually.ts'
import { post } from '../support/events.ts'
import { freePort } from '../support/free-port.ts'
import { makeDataDir, startTestService } from '../support/start-service.ts'

let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

/** Ends all sessions of the person, from another browser. */
async function endSessions(context: BrowserContext, origin: string): Promise<void> {
  const session = sessionBody.parse(await (await context.request.get(`${origin}/api/session`)).json())
  const answer = await context.request.delete(`${origin}/api/session?everywhere=1`, {
    headers: { origin, 'x-csrf-token': session.csrfToken ?? '' }
  })
  assert.ok(answer.ok(), await answer.text())
}

/** @returns the path of a link to set a password */
async function inviteSomebody(context: BrowserContext, origin: string): Promise<string> {
  const session = sessionBody.parse(await (await context.request.get(`${origin}/api/session`)).json())
  const answer = await context.request.post(`${origin}/api/users`, {
    data: { name: 'bea', role: 'viewer' },
    headers: { origin, 'x-csrf-token': session.csrfToken ?? '' }
  })
  const { link } = (await answer.json()) as { link: { path: string } }
  return link.path
}

/** Waits until the browser, when idle, has fetched the files of a page. */
async function loadedAhead(page: Page, source: string): Promise<void> {
  const files = [...(await filesOf(source))].map((file) => `/${file}`)
  await eventually(`${source} loaded ahead`, async () => {
    const loaded = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').filter(({ responseEnd }) => responseEnd > 0).map(({ name }) => new URL(name).pathname)`
    )
    return files.every((file) => loaded.includes(file)) ? true : undefined
  })
}

async function signIn(page: Page, password = adminPassword): Promise<void> {
  await page.getByLabel('Name').fill(adminName)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs a user in, as in another tab of the same browser. */
async function signInElsewhere(context: BrowserContext, origin: string, name: string, password: string): Promise<void> {
  const data = { name, password }
  const answer = await context.request.post(`${origin}/api/session`, { data, headers: { origin } })
  assert.equal(answer.status(), 200, await answer.text())
}

test('a sign-in in another tab continues the session of the same user in this tab, and never that of another user', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url)
  const { page, context } = visitor
  await signInAsAdmin(context, service.running)
  await page.goto('/settings/users')
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('bea')
  await signInElsewhere(context, service.url, adminName, adminPassword)
  await page.getByRole('button', { name: 'Create the user' }).click()
  const link = await page.getByRole('dialog', { name: 'A link for bea' }).getByText('/setup#').innerText()

  const password = `${adminPassword}-of-another`
  await using other = await visit(browser, service.url)
  const made = await other.context.request.post(`${service.url}/api/setup`, {
    data: { code: link.split('#')[1], password },
    headers: { origin: service.url }
  })
  assert.equal(made.status(), 200, await made.text())
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('cleo')
  await signInElsewhere(context, service.url, 'bea', password)
  await page.getByRole('button', { name: 'Create the user' }).click()
  // A page of one user is not shown to another, who starts on the overview.
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('button', { name: 'Signed in as bea' }).waitFor()
  assertClean(visitor)
})

test('signing out works also when the session has already ended, and reports a failure', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url)
  const { page, context } = visitor
  await signInAsAdmin(context, service.running)
  const signOut = async (): Promise<void> => {
    await page.getByRole('button', { name: `Signed in as ${adminName}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  }
  await page.goto('/first-run')
  await page.getByText('Waiting for a call').waitFor()
  await page.route('**/api/session', (route) => route.abort())
  await signOut()
  await page.getByText('You are still signed in').waitFor()
  await page.unroute('**/api/session')
  await endSessions(context, service.url)
  await signOut()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.goto('/setup#100%')
  await page.getByText('This link cannot be used').waitFor()
  // There are users, so the command that only makes the first one would fail.
  await page.getByText('sluice admin reset NAME').waitFor()
  assertClean(visitor)
})

test('a link that cannot be checked is not called used up, and is checked again', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url)
  const { page } = visitor
  await page.route('**/api/setup/check', (route) => route.fulfill({ status: 503 }))
  await page.goto(await setupPath(service.running))
  await page.getByRole('heading', { level: 1, name: 'This link could not be checked' }).waitFor()
  await page.unroute('**/api/setup/check')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Create the first admin' }).waitFor()
  await page.goto('/setup#used-up')
  await page.getByText('sluice admin setup-link').waitFor()
  assertClean(visitor)
})

test('a session that ends during an edit loses no input', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url)
  const { page, context } = visitor
  await signInAsAdmin(context, service.running)
  await page.goto('/first-run')
  const draft = page.getByLabel('Purpose')
  await draft.fill('build servers')
  await endSessions(context, service.url)

  await page.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page.keyboard.press('Escape')
  await signIn(page, `${adminPassword}x`)
  await page.getByText('You are not signed in').waitFor()
  assert.match(await dialog.getByRole('alert').innerText(), /Request [0-9a-f-]{36}/, 'an error has its request ID')
  await signIn(page)
  await dialog.waitFor({ state: 'hidden' })

  assert.equal(await draft.inputValue(), 'build servers')
  await page.getByRole('button', { name: 'Create a token' }).click()
  assert.match(await page.getByLabel('Token', { exact: true }).innerText(), /^svw_/)

  // A stream ends with its session, and the page that shows it says so.
  await page.getByRole('link', { name: 'Live' }).click()
  await page.getByText('Following').waitFor()
  await endSessions(context, service.url)
  await dialog.waitFor()
  await signIn(page)
  await page.getByText('Following').waitFor()
  assertClean(visitor)
})

test('a page continues when the service returns', async () => {
  const dataDir = await makeDataDir()
  try {
    const env = { PORT: String(await freePort()) }
    const first = await startTestService({ dataDir, env })
    await using visitor = await visit(browser, first.url)
    const { page, context } = visitor
    const event = { kind: 'tool_call_enforcement', action: 'allow', mcpToolName: 'before_the_stop' }
    await signInAsAdmin(context, first.running)
    await page.goto('/live')
    await page.getByText('Following').waitFor()
    await post(first, event)
    await page.getByRole('cell', { name: 'before_the_stop' }).waitFor()
    await first[Symbol.asyncDispose]()
    await page.getByText('Interrupted, reconnecting').waitFor()

    await using second = await startTestService({ dataDir, env })
    await page.getByText('Following').waitFor()
    await post(second, { ...event, mcpToolName: 'after_the_start' })
    await page.getByRole('cell', { name: 'after_the_start' }).waitFor()
    await page.getByRole('cell', { name: 'before_the_stop' }).waitFor()
    await page.getByRole('link', { name: 'Search' }).click()
    await page.getByRole('cell', { name: 'before_the_stop' }).waitFor()
    assertClean(visitor)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a page says that the service is away, and meanwhile shows the data it has', async () => {
  const dataDir = await makeDataDir()
  try {
    const env = { PORT: String(await freePort()) }
    const first = await startTestService({ dataDir, env })
    await using visitor = await visit(browser, first.url)
    const { page, context } = visitor
    await signInAsAdmin(context, first.running)
    await post(first, { kind: 'tool_call_enforcement', action: 'allow', mcpToolName: 'kept_in_sight' })
    await page.goto('/search')
    await page.getByRole('cell', { name: 'kept_in_sight' }).waitFor()
    await loadedAhead(page, 'src/pages/live/live.tsx')
    await first[Symbol.asyncDispose]()
    await page.getByRole('link', { name: 'Live' }).click()
    await page.getByText('Reconnecting', { exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('cell', { name: 'kept_in_sight' }).waitFor()

    await using _second = await startTestService({ dataDir, env })
    await page.getByText('Reconnecting', { exact: true }).waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: 'kept_in_sight' }).waitFor()
    assertClean(visitor)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a phone shows that the service is away beside everything else in the header', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url, { viewport: phone })
  const { page, context } = visitor
  await signInAsAdmin(context, service.running)
  await page.goto('/search')
  await page.getByText('No events yet').waitFor()
  await page.route('**/api/events?**', (route) => route.abort('connectionrefused'))
  await page.goto('/search')
  const parts = [
    page.getByText('Reconnecting', { exact: true }),
    page.getByRole('button', { name: `Signed in as ${adminName}` }),
    page.getByTitle('Workspace default')
  ]
  // Measured in one go, and again: each part that comes or goes moves the others.
  await eventually('a header in which all parts have room', async () => {
    const shown = await Promise.all(parts.map((part) => part.elementHandle()))
    const boxes = await page.evaluate(
      (elements) =>
        elements.map((element) =>
          element?.isConnected === true ? element.getBoundingClientRect().toJSON() : undefined
        ),
      shown
    )
    const [away, menu, workspace] = boxes as ({ left: number; right: number } | undefined)[]
    if (!away || !menu || !workspace) return undefined
    return (menu.right <= phone.width && workspace.right <= away.left) || undefined
  })
})

test('what somebody starts while the service is away is to be started again, and a page retries what it shows', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url)
  const { page, context } = visitor
  await signInAsAdmin(context, service.running)
  await page.goto('/policy/dry-run')
  const replay = page.getByRole('button', { name: 'Replay against the policy in force' })
  await replay.waitFor()
  await page.route('**/api/workspace/policy/dry-run', (route) => route.abort('connectionrefused'))
  await replay.click()
  const box = page.getByRole('alert').filter({ hasText: 'The dry run did not work' })
  await box.getByText('It may be restarting. Try again in a moment.').waitFor()
  await page.unroute('**/api/workspace/policy/dry-run')
  await replay.click()
  await page.getByText('No calls were recorded in this time.').waitFor()
  await box.waitFor({ state: 'hidden' })

  await page.route('**/api/system/**', (route) => route.abort('connectionrefused'))
  await page.goto('/settings')
  await page.getByRole('alert').getByText('It may be restarting. The page retries by itself.').waitFor()
  assertClean(visitor)
})

test('a browser that believes itself offline asks all the same, and does nothing later that somebody started then', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url)
  const { page, context } = visitor
  await signInAsAdmin(context, service.running)
  await page.goto('/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('textbox', { name: 'Label' }).fill('made later')
  await loadedAhead(page, 'src/pages/fleet/fleet.tsx')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Create the token' }).click()
  await page.getByRole('alert').getByText('It may be restarting. Try again in a moment.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Fleet', exact: true }).click()
  await page.getByRole('alert').getByText('The page retries by itself.').waitFor()
  await context.setOffline(false)
  await page.getByText('No sensors yet').waitFor()
  await page.getByText('Reconnecting').waitFor({ state: 'hidden' })
  const tokens = await service.running.store.listTokens({ workspaceId: defaultWorkspaceId, limit: 10 })
  assert.ok(tokens.every(({ label }) => label !== 'made later'))
  assertClean(visitor)
})

test('a link that would redirect to another site after the sign-in leads to the overview', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url)
  const { page, context } = visitor
  await signInAsAdmin(context, service.running)
  await endSessions(context, service.url)
  await context.clearCookies()
  for (const next of ['https://elsewhere.test/', '//elsewhere.test', '/\\elsewhere.test', 'javascript:alert(1)']) {
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
    await signIn(page)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    assert.equal(page.url(), `${service.url}/`)
    await context.clearCookies()
  }
  assertClean(visitor)
})

test('a page whose data does not arrive says so and offers a retry', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url)
  const { page, context } = visitor
  await signInAsAdmin(context, service.running)
  const detail = 'The store does not answer.'
  const problem = { type: 'about:blank', title: 'Service Unavailable', status: 503, code: 'store_unavailable' }
  const body = JSON.stringify({ ...problem, detail, requestId: randomUUID(), retryable: true, errors: [] })
  await page.route('**/api/**', (route) =>
    route.request().url().includes('/api/session')
      ? route.continue()
      : route.fulfill({ status: 503, contentType: 'application/problem+json', body })
  )
  // These pages load data in their own way; a page retries for seconds before it says so.
  for (const path of ['/live', '/policy']) {
    await page.goto(path)
    const box = page.getByRole('alert').filter({ hasText: detail })
    await box.getByRole('button', { name: 'Try again' }).waitFor()
  }
  assertClean(visitor)
})

test('a page that cannot learn who is signed in says why, and opens by itself once it can', async () => {
  await using service = await startTestService()
  await using visitor = await visit(browser, service.url)
  const { page, context } = visitor
  await signInAsAdmin(context, service.running)
  const link = await inviteSomebody(context, service.url)
  const detail = "The service's database does not respond."
  const problem = { type: 'about:blank', title: 'Service Unavailable', status: 503, code: 'store_unavailable' }
  const body = JSON.stringify({ ...problem, detail, requestId: randomUUID(), retryable: true, errors: [] })
  let isAway = true
  await page.route('**/api/**', (route) =>
    isAway ? route.fulfill({ status: 503, contentType: 'application/problem+json', body }) : route.continue()
  )
  for (const [path, heading] of [
    ['/audit', 'Audit'],
    ['/sign-in', 'Overview'],
    // Nothing is known of the link while the database is away, so it is not called used up.
    [link, 'Set your password']
  ] as const) {
    isAway = true
    await page.goto(path)
    await page.getByRole('alert').filter({ hasText: detail }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'The service cannot show this page now' }).waitFor()
    isAway = false
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  assertClean(visitor)
})
