/** The administration pages: accessibility, roles, and two people at once. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { timeOrderedId } from '../../src/telemetry/time-ordered-id.ts'
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
import { adminName, invitedVisitor, openWithin, signInAsAdmin, viewLinks } from '../support/dashboard-user.ts'
import { writeDemoRecords } from '../support/demo-service.ts'
import { eventually } from '../support/eventually.ts'
import { policyApi } from '../support/policy-api.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

let browser: Browser
let service: TestService
let admin: Visitor
before(async () => {
  ;[browser, service] = await Promise.all([launchBrowser(), startTestService()])
  await writeDemoRecords(service)
  const { id: tokenId } = await service.createToken()
  const report = {
    platform: 'sidecar',
    sensorVersion: '0.1.0',
    policyState: 'stale',
    spooled: 12,
    spoolProblem: 'full',
    dropped: 1
  }
  const known = { workspaceId: defaultWorkspaceId, lineageId: tokenId, tokenId, lastSeenAt: Date.now() }
  await service.running.store.putSensors([{ ...known, sensorId: 'laptop-7', report }])
  admin = await visit(browser, service.url)
  await signInAsAdmin(admin.context, service.running)
})
after(async () => {
  await browser.close()
  await service[Symbol.asyncDispose]()
})

type Options = Parameters<typeof visit>[2]

async function signedIn(options: Options = {}): Promise<Visitor> {
  const visitor = await visit(browser, service.url, options)
  await visitor.context.addCookies(await admin.context.cookies())
  return visitor
}

/** Pages by path, each with a text that is visible once the page has loaded. */
const pages: readonly [path: string, done: string][] = [
  ['/policy', 'Calls that no rule matches'],
  ['/policy/editor', 'The policy can be published'],
  ['/policy/try', 'Paste what an agent might send'],
  ['/policy/dry-run', 'Replay against the policy in force'],
  ['/policy/history', 'Nothing is ever removed'],
  ['/policy/sensors', 'No sensor has acknowledged a policy'],
  ['/tools?from=30d', 'read_file'],
  ['/fleet', 'disk full'],
  ['/tokens', 'end-to-end test'],
  ['/audit?action=token_created', 'end-to-end test'],
  ['/settings', 'Sealing of the audit'],
  ['/settings/retention', 'Disk usage'],
  ['/settings/users', adminName],
  ['/settings/configuration', 'SERVICE_DATA_DIR'],
  ['/settings/account', 'Sign out everywhere'],
  ['/settings/no-such-view', 'There is no page at this address.'],
  ['/policy/no-such-view', 'There is no page at this address.']
]

test('axe finds nothing serious in light and dark, and a phone shows the full width', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  /** Checks light on a desktop, then dark on a phone. */
  const judge = async (what: string): Promise<void> => {
    assert.deepEqual(await seriousFaults(page), [], `${what} in light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize(phone)
    await eventually(`${what} as wide as a phone`, async () => ((await overflow(page)) <= 0 ? true : undefined))
    assert.deepEqual(await seriousFaults(page, ['color-contrast']), [], `${what} in dark`)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(desktop)
  }
  for (const [path, done] of pages) {
    await openWithin(page, path)
    await page.getByText(done).first().waitFor()
    await judge(path)
  }
  for (const [path, button, done] of [
    ['/tokens', 'New token', 'Send model calls'],
    ['/tokens', 'Revoke', 'cannot be taken back'],
    ['/settings/users', 'New user', 'Sees events, the audit and the policy.'],
    ['/audit', 'Export', 'CSV'],
    ['/', 'Signed in as', 'Sign out everywhere'],
    ['/search?action=block&entityKind=jwt', 'False alarm', 'What to allow']
  ] as const) {
    await openWithin(page, path)
    await page.getByRole('button', { name: button }).first().click()
    await page.getByText(done).waitFor()
    await judge(button)
  }
  assertClean(visitor)
})

test('the requests that a rule would have changed can be told apart', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.goto('/search?action=block&kind=ingress_proxy&from=7d')
  await page.getByRole('button', { name: 'False alarm' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('would have been decided differently:').waitFor()
  const shown = await dialog.getByRole('link', { name: '…' }).allInnerTexts()
  assert.ok(shown.length > 1, shown.join())
  assert.equal(new Set(shown).size, shown.length, shown.join())
  assertClean(visitor)
})

test('a token is created with the keyboard alone', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.goto('/policy')
  await page.getByText('Calls that no rule matches').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page
    .getByRole('cell', { name: /end-to-end test/ })
    .first()
    .waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'New token')
  await page.keyboard.press('Enter')
  // The dialogue focuses its first field a moment after opening, and characters typed before that are lost.
  await page.getByLabel('Label').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('made-by-keys')
  assert.equal(await page.getByLabel('Label').inputValue(), 'made-by-keys')
  await page.keyboard.press('Enter')
  assert.match(await page.getByLabel('The token', { exact: true }).innerText(), /^svw_/)
  await page.keyboard.press('Escape')
  await page.getByLabel('I have stored the token').press('Space')
  await page.getByRole('button', { name: 'Done' }).press('Enter')
  await page.getByRole('cell', { name: /^made-by-keys/ }).waitFor()
  assertClean(visitor)
})

interface Policy {
  readonly mcpToolPolicy: { readonly pins: { readonly tools: object[] } }
}

describe('the permissions of a role', () => {
  const links = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()
  const all = ['Overview', 'Live', 'Search', 'Policy', 'Tools', 'Fleet', 'Tokens', 'Audit', 'Settings']

  test('decide what it sees, and the service refuses the rest', async () => {
    for (const [role, tabs, mayPublish] of [
      ['viewer', ['Settings', 'Editor', 'History', 'Sensors'], false],
      ['analyst', ['Settings', 'Editor', 'Try a text', 'Dry run', 'History', 'Sensors'], false],
      ['admin', ['Settings', 'Editor', 'Try a text', 'Dry run', 'History', 'Sensors'], true]
    ] as const) {
      await using visitor = await invitedVisitor(browser, admin, service.url, role)
      const { page } = visitor
      await page.goto('/policy')
      await page.getByText('Calls that no rule matches').waitFor()
      const isAdmin = role === 'admin'
      assert.deepEqual(await links(page), isAdmin ? all : all.filter((name) => name !== 'Tokens'), role)
      assert.deepEqual(await viewLinks(page).allInnerTexts(), tabs, role)
      const field = page.getByLabel('Allow an address')
      assert.equal(await field.isDisabled(), role === 'viewer', role)
      const opacity = `getComputedStyle(document.querySelector('main input[role="combobox"]')).opacity`
      assert.equal(await page.evaluate(opacity), '1', 'who may only read can read it')
      if (role !== 'viewer') {
        await field.fill('help@corp.example')
        await page.getByRole('button', { name: 'Allow this address' }).click()
        await page.getByText('Your draft makes 1 change').waitFor()
        assert.equal(await page.getByRole('button', { name: 'Publish…' }).count(), mayPublish ? 1 : 0, role)
      }
      await openWithin(page, '/settings/account')
      await page.getByText('Sign out everywhere').first().waitFor()
      const settings = await viewLinks(page).allInnerTexts()
      assert.equal(settings.includes('Users'), isAdmin, role)
      await openWithin(page, '/settings/users')
      const barred = page.getByText('Your role does not include this page')
      await (isAdmin ? page.getByRole('cell', { name: adminName, exact: true }) : barred).first().waitFor()
      await openWithin(page, '/tokens')
      if (isAdmin)
        await page
          .getByRole('cell', { name: /end-to-end test/ })
          .first()
          .waitFor()
      else {
        await page.getByText('Ask an admin for a token of your own.').waitFor()
        assert.equal(await page.getByRole('button', { name: 'New token' }).count(), 0, role)
        assert.equal((await page.request.get('/api/tokens')).status(), 403, role)
        await page.keyboard.press('Shift+?')
        const keys = page.getByRole('dialog', { name: 'Keyboard' })
        await keys.waitFor()
        assert.equal(await keys.getByText('Tokens').count(), 0, role)
      }
      assertClean(visitor)
    }
  })

  test('change at once when an admin reduces the role', async () => {
    await using visitor = await signedIn()
    const { page } = visitor
    await page.goto('/settings/users')
    await page.getByRole('button', { name: 'Change a-viewer' }).click()
    await page.getByRole('menuitem', { name: /^Disable/ }).waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    await page.getByRole('menuitem', { name: /^Disable/ }).click()
    await page.getByRole('row', { name: /a-viewer.*disabled/ }).waitFor()
    await page.getByRole('button', { name: 'Change a-analyst' }).click()
    await page.getByRole('menuitem', { name: 'Create a link' }).click()
    assert.match(await page.getByLabel('The link', { exact: true }).innerText(), /\/setup#/)
    await page.getByRole('button', { name: 'Done' }).click()
    assertClean(visitor)
  })
})

test('approving a changed tool turns the change into a pin of the policy', async () => {
  const digest = 'ab'.repeat(32)
  const event = { kind: 'tool_drift', mcpToolName: 'read_page', reasonCode: 'description_changed', digestAfter: digest }
  const now = Date.now()
  await service.running.store.append({
    events: [
      {
        workspaceId: defaultWorkspaceId,
        eventId: timeOrderedId(),
        lineageId: null,
        tokenId: null,
        origin: 'sensor',
        kind: 'tool_drift',
        requestId: null,
        occurredAt: now,
        receivedAt: now,
        policyRevision: null,
        sensorMetadata: { ...event, mcpServer: 'wiki', mcpServerLabel: 'wiki.corp.example', sensorId: 'proxy-1' }
      }
    ],
    audit: []
  })
  await using visitor = await signedIn()
  const { page } = visitor
  const { token } = await service.createToken({ scopes: ['policy:write'] })
  const servers = [{ id: 'wiki', url: 'https://wiki.corp.example/mcp' }]
  await policyApi({ url: service.url, token }).publish({ mcpToolPolicy: { version: 1, servers } })
  await page.goto('/tools')
  await page.getByText('1 tool differs from its trusted definition').waitFor()
  await page.getByRole('button', { name: 'Approve read_page' }).click()
  await page.getByRole('dialog').getByText(digest.slice(0, 16)).waitFor()
  await page.getByRole('button', { name: 'Add it to the draft' }).click()
  await page.getByRole('button', { name: 'Publish…' }).click()
  assert.equal(await page.getByLabel('Note').inputValue(), 'Approves read_page of wiki.')
  await page.getByRole('button', { name: /^Publish as revision/ }).click()
  await page.getByText(/Revision \d+ is in force\./).waitFor()
  const policy = (await (await page.request.get('/api/workspace/policy')).json()) as Policy
  assert.deepEqual(policy.mcpToolPolicy.pins.tools, [{ server: 'wiki', tool: 'read_page', description: digest }])
  await page.goto('/tools')
  await page.getByRole('row', { name: /read_page.*pinned/ }).waitFor()
  assertClean(visitor)
})

test('a variable is found by its description, names in it are set as code, and an empty result is reported', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.goto('/settings/configuration')
  const search = page.getByLabel('Find a variable')
  await search.fill('takes any free port')
  const row = page.getByRole('row').filter({ hasText: 'PORT' })
  await row.getByRole('code').getByText('0', { exact: true }).waitFor()
  assert.ok(!(await page.getByRole('main').innerText()).includes('`'))
  await search.fill('no such thing')
  await page.getByText('No variable has this in its name or description.').waitFor()
  assert.equal(await page.getByRole('row').count(), 0)
  assertClean(visitor)
})

test('the audit can be verified and searched', async () => {
  await using visitor = await signedIn()
  const { page } = visitor
  await page.goto('/audit')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('intact', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Actor' }).fill('user:ada')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL(/actor=user/)
  await page.getByRole('cell', { name: 'Signed in' }).first().waitFor()
  await page.getByRole('cell', { name: 'Workspace created' }).waitFor({ state: 'hidden' })
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'One row a line (JSON)' }).click()
  const stream = await (await download).createReadStream()
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  assert.ok(text.split('\n').every((line) => line === '' || line.includes('"actor":"user:ada"')))
  assert.match(text, /signed_in/)
  assertClean(visitor)
})
