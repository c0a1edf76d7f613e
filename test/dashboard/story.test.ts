/** The story of a request, as people of two roles read it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser, assertClean, visit } from '../support/browser.ts'
import { invitedVisitor, signInAsAdmin } from '../support/dashboard-user.ts'
import { userBody } from '../support/dialects.ts'
import { call } from '../support/http.ts'
import { startTestService } from '../support/start-service.ts'

test('names the token by its label to those who may see tokens, and says why the upstream gave no answer', async () => {
  await using browser = await launchBrowser()
  // Nobody listens there.
  await using service = await startTestService({ env: { UPSTREAM_CHAT_API_BASE: 'http://127.0.0.1:1/v1' } })
  const { id, token } = await service.createToken({ label: 'build servers' })
  const reply = await call(`${service.sdkBaseUrl}/chat/completions`, {
    headers: { 'content-type': 'application/json', 'x-service-workspace-token': token },
    body: userBody('chat-completions', 'Good morning.')
  })
  assert.equal(reply.status, 502)
  const path = `/requests/${String(reply.headers['x-request-id'])}`
  await using admin = await visit(browser, service.url)
  await signInAsAdmin(admin.context, service.running)
  await using analyst = await invitedVisitor(browser, admin, service.url, 'analyst')
  for (const [visitor, named] of [
    [admin, `token:${id} (build servers)`],
    [analyst, `token:${id},`]
  ] as const) {
    await visitor.page.goto(path)
    await visitor.page.getByText('gave no answer').waitFor()
    await visitor.page.getByText('ECONNREFUSED', { exact: true }).waitFor()
    await visitor.page.getByText('but the upstream failed').waitFor()
    await visitor.page.locator('.audit-line').filter({ hasText: named }).waitFor()
    assertClean(visitor)
  }
})
