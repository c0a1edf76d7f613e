/**
 * The policy page in a real browser: the editor, drafts that survive, two editors at once, trying texts and recorded
 * days.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { assertClean, launchBrowser, seriousFaults, visit, type Visitor } from '../support/browser.ts'
import { adminName, adminPassword, invitedVisitor, signInAsAdmin, viewLink } from '../support/dashboard-user.ts'
import { writeDemoRecords } from '../support/demo-service.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

let browser: Browser
let service: TestService
let admin: Visitor
before(async () => {
  ;[browser, service] = await Promise.all([launchBrowser(), startTestService()])
  await writeDemoRecords(service)
  admin = await visit(browser, service.url)
  await signInAsAdmin(admin.context, service.running)
})
after(async () => {
  await browser.close()
  await service[Symbol.asyncDispose]()
})

async function signedIn(): Promise<Visitor> {
  const visitor = await visit(browser, service.url)
  await visitor.context.addCookies(await admin.context.cookies())
  return visitor
}

describe('the editor', () => {
  /** Puts the caret behind a text in the editor. */
  const caretBehind = async (page: Page, text: string): Promise<void> => {
    const line = page.locator('.cm-line', { hasText: text }).first()
    await line.click()
    await page.keyboard.press('End')
  }

  test('completes from the schema, and shows the errors of the service where they occur', async () => {
    await using visitor = await signedIn()
    const { page } = visitor
    await page.goto('/policy/editor')
    await page.getByText('The policy can be published').waitFor()
    await caretBehind(page, '"groups": {')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('"cont')
    const offered = page.getByRole('listbox', { name: 'Completions' })
    // With the pointer: just after a list has opened, the editor still takes a key as text.
    await offered.getByRole('option', { name: '"contact"' }).click()
    await page.keyboard.type('"ma')
    await offered.getByRole('option', { name: '"mask"' }).click()
    await page.getByText('Your draft makes 1 change to revision').waitFor()

    await caretBehind(page, '"preset": "standard"')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('s')
    const finding = page.getByRole('listitem').filter({ hasText: '/redactionProfile/preset' })
    await finding.getByText('error').waitFor()
    await page.locator('.cm-lintRange-error').first().waitFor()
    await finding.getByRole('button').click()
    assert.equal(await page.evaluate('getSelection().toString()'), '"preset"')
    assert.deepEqual(await seriousFaults(page), [])
    assertClean(visitor)
  })

  test('a draft survives the end of the session and a reload', async () => {
    await using visitor = await visit(browser, service.url)
    const { page, context } = visitor
    await page.goto('/sign-in?next=/policy/editor')
    await signIn(page)
    await page.getByText('The policy can be published').waitFor()
    await caretBehind(page, '"deny": [')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('"Project Bluebird')
    await page.getByText('Your draft makes 1 change').waitFor()
    await context.clearCookies()
    await page.keyboard.type('s')
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await signIn(page)
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByText('"Project Bluebirds"').waitFor()
    await page.reload()
    await page.getByText('"Project Bluebirds"').waitFor()
    await page.getByText('Your draft makes 1 change').waitFor()
    assertClean(visitor)
  })
})

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill(adminName)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('with two editors at once, the second sees what the first changed, and both changes are published', async () => {
  await using first = await signedIn()
  await using second = await invitedVisitor(browser, admin, service.url, 'editor')
  for (const { page } of [first, second]) {
    await page.goto('/policy')
    await page.getByText('Calls that no rule matches').waitFor()
  }
  await first.page.getByLabel('Allow an address').fill('help@corp.example')
  await first.page.getByRole('button', { name: 'Allow all of corp.example' }).click()
  await choose(second.page, 'Contact data', 'Block')
  await second.page.getByRole('button', { name: 'Publish…' }).click()
  await second.page.getByLabel('Note').fill('Contacts never leave.')
  await first.page.getByRole('button', { name: 'Publish…' }).click()
  await first.page.getByLabel('Note').fill('Our own addresses.')
  await first.page.getByRole('button', { name: 'Publish as revision 2' }).click()
  await first.page.getByText('Our own addresses.').waitFor()

  const { page } = second
  await page.getByRole('button', { name: 'Publish as revision 2' }).click()
  await page.getByText('Somebody else published first').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Compare and resolve' }).click()
  const conflict = page.getByRole('dialog', { name: 'Two changes to the same policy' })
  await conflict.getByRole('region', { name: 'What they changed' }).getByText('allow.emailDomains').waitFor()
  await conflict.getByRole('region', { name: 'What you changed' }).getByText('the group contact').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await conflict.getByRole('button', { name: 'Apply mine on top of theirs' }).click()
  await page.getByText('Your draft makes 1 change to revision 2').waitFor()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('button', { name: 'Publish as revision 3' }).click()
  await page.getByText('Revision 3 is in force.').waitFor()
  const policy = (await (await page.request.get('/api/workspace/policy')).json()) as Policy
  assert.deepEqual(policy.redactionProfile.allow.emailDomains, ['corp.example'])
  assert.deepEqual(policy.redactionProfile.actions.groups, { contact: 'block' })

  await viewLink(page, 'History').click()
  await page.getByRole('button', { name: 'Roll back to revision 1' }).click()
  await page.getByRole('dialog').getByText('the group contact').waitFor()
  await page.getByRole('button', { name: 'Roll back', exact: true }).click()
  await page.getByText('Revision 4 is in force.').waitFor()
  assertClean(first)
  assertClean(second)
})

interface Policy {
  readonly redactionProfile: {
    readonly allow: { readonly emailDomains: string[] }
    readonly actions: { readonly groups: object }
  }
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a text is tried against the draft, and recorded days are replayed', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.goto('/policy/try')
  await page.getByLabel('Paste what an agent might send').fill('Write to kim.doe@quillmark-labs.com today.')
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('cell', { name: 'email_address' }).waitFor()
  assert.match(await page.getByLabel('Masked form').innerText(), /^Write to EMAIL_[A-Z0-9]{10} today\.$/)
  assert.equal(await page.locator('mark').innerText(), 'kim.doe@quillmark-labs.com')
  await viewLink(page, 'Settings').press('Enter')
  await choose(page, 'Contact data', 'Allow')
  assert.equal(await viewLink(page, 'Settings').getAttribute('aria-current'), 'page')
  assert.equal(await viewLink(page, 'Dry run').getAttribute('href'), '/policy/dry-run')
  await viewLink(page, 'Dry run').click()
  await page.getByRole('button', { name: 'Replay against the draft' }).click()
  await page.getByText('Different decision').waitFor()
  await page
    .getByRole('row', { name: /Masked.*Allowed/ })
    .first()
    .waitFor()
  assertClean(visitor)
})
