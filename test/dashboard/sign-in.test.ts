/** Sign-in through a real OpenID provider, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, visit } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { adminName, adminPassword, setupPath, signInAsAdmin } from '../support/dashboard-user.ts'
import { startOidcProvider, type TestOidcProvider } from '../support/oidc-provider.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

/** Resolves to this machine, but is not a loopback address to the browser. */
const plainHost = 'sluice.test'

let browser: Browser
let provider: TestOidcProvider
let service: TestService
before(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const people = {
    ana: { preferred_username: 'ana', groups: ['staff'] },
    zoe: { preferred_username: 'zoe', groups: [] }
  }
  ;[browser, provider] = await Promise.all([
    launchBrowser(`--host-resolver-rules=MAP ${plainHost} 127.0.0.1`),
    startOidcProvider({ redirectUris: [`${url}/api/session/oidc/callback`], people })
  ])
  service = await startTestService({ env: { PORT: String(port), ...provider.environment(url) } })
})
after(async () => {
  await Promise.all([browser.close(), provider[Symbol.asyncDispose](), service[Symbol.asyncDispose]()])
})

/** Fills in the provider's own pages. */
async function goThrough(page: Page, login: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with Test provider' }).click()
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('leads back to the requested page, with the role of the groups', async () => {
  await using visitor = await visit(browser, service.url)
  const { page, misdeeds } = visitor
  await page.goto('/search?action=block')
  await goThrough(page, 'ana')
  await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
  assert.equal(page.url(), `${service.url}/search?action=block`)
  await page.getByRole('button', { name: 'Signed in as ana' }).click()
  await page.getByText('Viewer').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Tokens' }).count(), 0, 'what a viewer may not do is not offered')
  assert.equal(await page.getByRole('button', { name: 'Export' }).count(), 0)
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  assert.deepEqual(misdeeds.errors, [])
})

test('says in words that somebody has no role here, and that the provider is away', async () => {
  await using visitor = await visit(browser, service.url)
  const { page } = visitor
  await page.goto('/sign-in')
  await goThrough(page, 'zoe')
  await page.getByText('none of your groups has a role here').waitFor()
  provider.setDown(true)
  // The provider's keys and addresses are cached for a while: another service fetches them anew.
  await using other = await startTestService({ env: provider.environment('http://127.0.0.1:1') })
  await page.goto(`${other.url}/sign-in`)
  await page.getByRole('link', { name: 'Sign in with Test provider' }).click()
  await page.getByText('The sign-in provider cannot be reached at the moment').waitFor()
  assert.equal(new URL(page.url()).origin, other.url)
})

test('an invalid return address is explained in words', async () => {
  await using visitor = await visit(browser, service.url)
  const { page } = visitor
  await page.goto(`/api/session/oidc?to=/${'a'.repeat(2000)}`)
  await page.getByText('The address to return to is too long').waitFor()
  await page.getByRole('link', { name: 'Sign in with Test provider' }).waitFor()
})

test('a page over plain http links to the https address, and does not use up the set-up link', async () => {
  const secureUrl = 'https://sluice.corp.example'
  await using plain = await startTestService({ env: { SERVICE_PUBLIC_URL: secureUrl } })
  const origin = `http://${plainHost}:${plain.running.port}`
  await using visitor = await visit(browser, origin)
  const { page } = visitor
  const path = await setupPath(plain.running)
  await page.goto(path)
  await page.getByText('Nobody can sign in at this address').waitFor()
  assert.equal(await page.getByRole('link', { name: secureUrl }).getAttribute('href'), secureUrl + path)
  await page.goto('/sign-in?next=%2Fpolicy')
  await page.getByText('sessions of this service work only over https').waitFor()
  assert.equal(await page.getByLabel('Password').count(), 0)
  assert.deepEqual(visitor.misdeeds.foreign, [])
})

test('a browser that keeps no cookie is told so, and is not asked again and again', async () => {
  await using other = await startTestService()
  await using visitor = await visit(browser, other.url)
  const { context, page } = visitor
  await signInAsAdmin(context, other.running)
  await context.clearCookies()
  await page.goto('/sign-in')
  // Simulates a browser that drops the cookie; the service responds as always.
  await page.route('**/api/session', async (route) => {
    const answer = await route.fetch()
    const { 'set-cookie': dropped, ...headers } = answer.headers()
    assert.equal(dropped === undefined, route.request().method() === 'GET')
    // This request uses the cookies of the browser, which has therefore stored it.
    await context.clearCookies()
    await route.fulfill({ response: answer, headers })
  })
  await page.getByLabel('Name').fill(adminName)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('this browser did not keep the session').waitFor()
  assert.equal(new URL(page.url()).pathname, '/sign-in')
})
