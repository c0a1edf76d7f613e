/** From the set-up link that the first start prints to the first recorded call, in a real browser, on both engines. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertClean, visit } from '../support/browser.ts'
import { engines, openStage, type Stage } from '../support/dashboard-stage.ts'
import { adminName, adminPassword, setupPath } from '../support/dashboard-user.ts'
import { userBody } from '../support/dialects.ts'
import { call } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import type { TestService } from '../support/start-service.ts'

const model = 'gpt-5-mini'
const email = createPlanter(1)('email')

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage[Symbol.asyncDispose]())

/** Follows the link and creates the admin. */
async function setUp(page: Page, service: TestService): Promise<void> {
  await page.goto(await setupPath(service.running))
  await page.getByLabel('Name').fill(adminName)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByLabel('Password again', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: /Create the admin/ }).click()
}

/** Creates a token on the page and returns it as the page shows it. */
async function makeToken(page: Page): Promise<string> {
  await page.getByLabel('Purpose').fill('laptop of the first agent')
  await page.getByRole('button', { name: 'Create a token' }).click()
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

for (const engine of engines) {
  describe(`on ${engine}`, () => {
    test('from the set-up link to the first call, its details and its counts', async () => {
      await using service = await stage.start(engine)
      await using visitor = await visit(stage.browser, service.url)
      const { page } = visitor
      // Without the timers that refresh pages: what somebody did must show at once.
      await page.addInitScript('window.setInterval = () => 0')
      await setUp(page, service)

      await page.getByText('Waiting for a call').waitFor()
      const reply = await callModel(service, await makeToken(page))
      assert.equal(reply.status, 200)
      assert.ok(!stage.upstream.lastBody().includes(email.value))
      await page.getByText(`${model} by codex`).waitFor()
      await page.getByRole('link', { name: 'See its history' }).click()

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
      await page.getByRole('link', { name: /^Masked\s*1\s*nothing before/ }).waitFor()
      await page.getByRole('link', { name: /^Decisions\s*1/ }).waitFor()
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
