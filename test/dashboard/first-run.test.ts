/** From the link that the first start prints to the first call on record, in a real browser, on both engines. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { assertClean, launchBrowser, visit } from '../support/browser.ts'
import { adminName, adminPassword, setupPath } from '../support/dashboard-user.ts'
import { userBody } from '../support/dialects.ts'
import { call } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { sharedPostgres, type PostgresServer } from '../support/postgres.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const model = 'gpt-5-mini'
const email = createPlanter(1)('email')

let browser: Browser
let upstream: StubUpstream
let postgres: PostgresServer
before(async () => {
  ;[browser, upstream, postgres] = await Promise.all([
    launchBrowser(),
    startStubUpstream(answers()),
    sharedPostgres({ isDurable: false })
  ])
})
after(async () => {
  await Promise.all([browser.close(), upstream.close(), postgres[Symbol.asyncDispose]()])
})

async function start(engine: 'sqlite' | 'postgres'): Promise<TestService> {
  if (engine === 'sqlite') return await startTestService({ upstream })
  const env = { DATABASE_URL: await postgres.newDatabase(), SERVICE_MASTER_KEY: randomBytes(32).toString('hex') }
  return await startTestService({ upstream, env })
}

/** Follows the link and makes the admin. */
async function setUp(page: Page, service: TestService): Promise<void> {
  await page.goto(await setupPath(service.running))
  await page.getByLabel('Name').fill(adminName)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByLabel('Password again', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: /Make the admin/ }).click()
}

/** Makes a token on the page, and gives it as the page shows it. */
async function makeToken(page: Page): Promise<string> {
  await page.getByLabel('What it is for').fill('laptop of the first agent')
  await page.getByRole('button', { name: 'Make a token' }).click()
  const token = await page.getByLabel('Token', { exact: true }).innerText()
  assert.match(token, /^svw_/)
  assert.match(
    await page.getByLabel('Lines for Claude Code', { exact: true }).innerText(),
    new RegExp(`AUTH_TOKEN=${token}`)
  )
  return token
}

function callModel(service: TestService, token: string) {
  const { sentence } = email
  return call(`${service.url}/api/ingress/v1/chat/completions`, {
    headers: {
      'content-type': 'application/json',
      'x-service-workspace-token': token,
      'x-service-client-surface': 'codex',
      'x-service-model-provider': 'openai'
    },
    body: userBody('chat-completions', sentence, { model })
  })
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`on ${engine}`, () => {
    test('from the set-up link to the first call, its story and its counts', async () => {
      await using service = await start(engine)
      await using visitor = await visit(browser, service.url)
      const { page } = visitor
      await setUp(page, service)

      await page.getByText('Waiting for a call').waitFor()
      const reply = await callModel(service, await makeToken(page))
      assert.equal(reply.status, 200)
      assert.ok(!upstream.lastBody().includes(email.value))
      await page.getByText(`${model} by codex`).waitFor()
      await page.getByRole('link', { name: 'See its story' }).click()

      await page.getByText('Forwarded, with 1 masked. The upstream answered 200.').waitFor()
      const happened = page.getByRole('region', { name: 'What happened' })
      assert.match(
        await happened.innerText(),
        /Masked[\s\S]*gpt-5-mini by openai[\s\S]*email_address\s*1[\s\S]*answered 200[\s\S]*Audit row \d+/
      )
      await page.getByText('The policy that every workspace starts with').waitFor()
      await page.getByRole('button', { name: 'Verify the audit' }).click()
      await page.getByText('Whole', { exact: true }).waitFor()

      await page.getByRole('link', { name: 'Overview', exact: true }).click()
      await page.getByRole('link', { name: /^Masked\s*1/ }).waitFor()
      await page.getByRole('link', { name: /^Model calls\s*1/ }).waitFor()
      await page.getByRole('link', { name: /^openai\s*1/ }).waitFor()
      await page.getByRole('link', { name: /^codex\s*1/ }).waitFor()
      await page.getByRole('link', { name: /^gpt-5-mini\s*1/ }).waitFor()

      await page.getByRole('link', { name: /^email_address\s*1/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('entityKind'), 'email_address')
      const row = page.getByRole('row').filter({ hasText: model })
      assert.match(await row.innerText(), /Masked[\s\S]*by openai[\s\S]*codex[\s\S]*email/)
      assert.equal(await page.getByRole('row').count(), 2, 'the heading and the one call')
      assertClean(visitor)
    })
  })
}
