/** The audit page: who acted and what was decided, at a glance, on a phone, and for people who cannot manage tokens. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditActionNames } from '../../dashboard/src/pages/audit/audit-words.ts'
import { auditActions } from '../../src/store/records.ts'
import { assertClean, phone, visit } from '../support/browser.ts'
import { openAsAdmin, type AdminPage } from '../support/dashboard-page.ts'
import { invitedVisitor, openWithin } from '../support/dashboard-user.ts'
import { post } from '../support/events.ts'

let admin: AdminPage
let token: { readonly id: string; readonly token: string }
before(async () => {
  admin = await openAsAdmin()
  const { tokens } = admin.service.running
  const made = await tokens.create({ workspaceId: 'default', label: 'laptops of the platform team' }, 'cli')
  token = { id: made.summary.id, token: made.token }
  const event = { kind: 'tool_call_enforcement', action: 'block', mcpToolName: 'drop_table' }
  const reply = await post({ url: admin.service.url, token: token.token }, event)
  assert.equal(reply.status, 202, reply.text)
})
after(() => admin[Symbol.asyncDispose]())

test('every action of the service can be chosen as a filter', () => {
  const missing = Object.values(auditActions).filter((action) => !auditActionNames.includes(action))
  assert.deepEqual(missing, [])
})

test('an actor is shown with the label of its token, to everybody who may read the audit', async () => {
  const { browser, service, visitor } = admin
  await using viewer = await invitedVisitor(browser, visitor, service.url, 'viewer')
  for (const { page } of [visitor, viewer]) {
    await page.goto('/audit?action=tool_call_enforcement')
    await page.getByRole('cell', { name: `token:${token.id} (laptops of the platform team)` }).waitFor()
  }
  assertClean(viewer)
})

test('an actor is chosen by the label of its token, and searched by its id', async () => {
  const { page } = admin.visitor
  await page.goto('/audit')
  await page.getByRole('combobox', { name: 'Actor' }).fill('platform team')
  await page.getByRole('option', { name: /laptops of the platform team/ }).click()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL((url) => url.searchParams.get('actor') === `token:${token.id}`)
  await page.getByRole('cell', { name: 'Workspace created' }).waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: 'Tool call Blocked' }).waitFor()
  assert.equal(await page.getByRole('row').count(), 2, 'the heading and the one call')
})

test('an action is chosen by its words or by its code word, and the address has the code word', async () => {
  const { page } = admin.visitor
  for (const typed of ['Tool call', 'tool_call_enforcement']) {
    await openWithin(page, '/audit')
    await page.getByRole('cell', { name: 'Workspace created' }).waitFor()
    await page.getByRole('combobox', { name: 'Action' }).fill(typed)
    await page.getByRole('option', { name: /^Tool call/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL((url) => url.searchParams.get('action') === 'tool_call_enforcement')
    assert.equal(await page.getByRole('combobox', { name: 'Action' }).inputValue(), 'Tool call')
    await page.getByRole('cell', { name: 'Workspace created' }).waitFor({ state: 'hidden' })
  }
  // A kind of a sensor's own is in no list.
  await openWithin(page, '/audit?action=deploy_checked')
  assert.equal(await page.getByRole('combobox', { name: 'Action' }).inputValue(), 'Deploy checked')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL((url) => url.searchParams.get('action') === 'deploy_checked')
  assertClean(admin.visitor)
})

test('a phone shows what was decided without scrolling sideways', async () => {
  const { browser, service, visitor } = admin
  await using small = await visit(browser, service.url, { viewport: phone })
  await small.context.addCookies(await visitor.context.cookies())
  const { page } = small
  await page.goto('/audit?action=tool_call_enforcement')
  const decision = page.getByRole('cell').getByText('Blocked', { exact: true })
  await decision.waitFor()
  const box = await decision.boundingBox()
  assert.ok(box && box.x + box.width <= phone.width, `it ends at ${box && box.x + box.width}`)
  assertClean(small)
})
