/** Focus after a dialogue has closed, and tables on a narrow screen: what axe does not check. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertClean, phone, visit } from '../support/browser.ts'
import { openAsAdmin, type AdminPage } from '../support/dashboard-page.ts'
import { openWithin, viewLink } from '../support/dashboard-user.ts'
import { writeDemoRecords } from '../support/demo-service.ts'
import { eventually } from '../support/eventually.ts'
import { openPolicyApi } from '../support/policy-api.ts'

let opened: AdminPage
let page: Page

before(async () => {
  opened = await openAsAdmin()
  const { service } = opened
  page = opened.visitor.page
  await writeDemoRecords(service)
  const note = 'A long note of somebody who explains at length why the policy had to change, and what comes next.'
  await (await openPolicyApi(service)).publish({ redactionProfile: { version: 1, deny: ['Halyard'] }, note })
})
after(() => opened[Symbol.asyncDispose]())

const focused = (): Promise<string> =>
  page.evaluate(`document.activeElement.id || document.activeElement.innerText || document.activeElement.ariaLabel`)

/** Opens a dialogue with the keyboard, closes it with the keyboard, and expects the focus where it was opened. */
async function leaves(button: string, dialogue: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).first().press('Enter')
  const dialog = page.getByRole('dialog', { name: dialogue })
  await dialog.waitFor()
  await eventually(`the focus in ${dialogue}`, async () =>
    (await page.evaluate(`document.activeElement.closest('[role="dialog"]') !== null`)) ? true : undefined
  )
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await eventually(`the focus back on ${button}`, async () => {
    const text = await focused()
    return text.replaceAll(/\s+/g, ' ').startsWith(button) ? true : undefined
  })
}

test('closing a dialogue returns the focus to where it was opened', async () => {
  await page.goto('/search?action=block')
  await leaves('False alarm', 'This was a false alarm')
  await openWithin(page, '/tokens')
  await leaves('New token', 'New token')
  await leaves('Rotate', /^Rotate/)
  await leaves('Revoke', /^Revoke/)
  await openWithin(page, '/settings/users')
  await leaves('New user', 'New user')
  await openWithin(page, '/policy/history')
  await leaves('Compare', 'Revision 2')
  await leaves('Roll back', 'Roll back to revision 1')
  await openWithin(page, '/policy')
  await page.getByLabel('Allow an address').fill('support@corp.example')
  await page.getByRole('button', { name: /^Allow all of/ }).click()
  await leaves('See changes', 'What your draft changes')
  await leaves('Publish…', 'Publish the policy')
  await leaves('Discard', 'Discard the draft?')
  assertClean(opened.visitor)
})

test('if the action removed the button, the page itself gets the focus', async () => {
  await page.getByRole('button', { name: 'Discard' }).press('Enter')
  await page.getByRole('button', { name: 'Discard it' }).press('Enter')
  await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'hidden' })
  await eventually('the focus on the page', async () => ((await focused()) === 'main' ? true : undefined))
  assertClean(opened.visitor)
})

test('after a session has ended, the sign-in knows the name and asks only for the password', async () => {
  await using other = await visit(opened.browser, opened.service.url)
  await other.context.addCookies(await opened.visitor.context.cookies())
  await other.page.goto('/fleet')
  await other.page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor()
  await other.context.clearCookies()
  await other.page.getByRole('link', { name: 'Audit' }).click()
  const dialog = other.page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.waitFor()
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'ada')
  await dialog.locator('input[name="password"]:focus').waitFor()
  assertClean(other)
})

test('on a phone, text columns of tables stay readable, and the tab of the open view is visible', async () => {
  await page.setViewportSize(phone)
  for (const [path, done] of [
    ['/policy/history', 'Nothing is ever removed'],
    ['/audit', 'Proof'],
    ['/tools', 'delete_branch'],
    ['/tokens', 'end-to-end test'],
    ['/settings/configuration', 'SERVICE_DATA_DIR']
  ] as const) {
    await openWithin(page, path)
    await page.getByText(done).first().waitFor()
    await page.locator('td .wrap').first().waitFor()
    const narrow = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('td:has(.wrap)')].filter((cell) => cell.offsetWidth < 120).map((cell) => cell.innerText)`
    )
    assert.deepEqual(narrow, [], path)
  }
  await openWithin(page, '/settings/account')
  const tab = viewLink(page, 'Your account')
  await tab.waitFor()
  await eventually('the tab within the window', async () => {
    const box = await tab.boundingBox()
    return box !== null && box.x >= 0 && box.x + box.width <= phone.width ? true : undefined
  })
  assertClean(opened.visitor)
})
