/** The details of a request, as users with two roles read them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { PolicyRevisions } from '../../src/service/policies/revisions.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { assertClean, launchBrowser, overflow, phone, visit } from '../support/browser.ts'
import { invitedVisitor, signInAsAdmin } from '../support/dashboard-user.ts'
import { userBody } from '../support/dialects.ts'
import { call } from '../support/http.ts'
import { emptyPolicy } from '../support/policy-api.ts'
import { startTestService } from '../support/start-service.ts'

test('shows the token label to everybody who reads the audit, says why the upstream did not respond, and what is no id', async () => {
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
  for (const visitor of [admin, analyst]) {
    await visitor.page.goto(path)
    await visitor.page.getByText('gave no answer').waitFor()
    await visitor.page.getByText('ECONNREFUSED', { exact: true }).waitFor()
    await visitor.page.getByText('but the upstream failed').waitFor()
    await visitor.page
      .locator('.audit-line')
      .filter({ hasText: `token:${id} (build servers)` })
      .waitFor()
    assertClean(visitor)
  }
  await admin.page.goto('/requests/nothing')
  await admin.page.getByText('This address has no request ID').waitFor()
  assert.equal(await admin.page.getByRole('alert').count(), 0, 'nothing went wrong')
})

test('stays within the window whatever the names of tools, sensors and notes, and escapes characters that reverse a label', async () => {
  await using browser = await launchBrowser()
  await using service = await startTestService()
  await using admin = await visit(browser, service.url, { viewport: phone })
  await signInAsAdmin(admin.context, service.running)
  const { token } = await service.createToken({ label: 'a\u202etxt.exe' })
  const [revision] = await service.running.store.listPolicyRevisions({ workspaceId: defaultWorkspaceId, limit: 1 })
  const note = 'x'.repeat(500)
  const draft = { ...emptyPolicy, mcpToolPolicy: { version: 1, rules: [longRule] } }
  const revisions = new PolicyRevisions(service.running.store, { surfaces: [], blockHighRisk: true })
  const author = { actor: 'cli', tokenId: null, requestId: null }
  const request = { workspaceId: defaultWorkspaceId, draft, note, confirm: false, basedOn: revision?.revision }
  const published = await revisions.publish(request, author)
  assert.equal(published.is, 'published')
  const requestId = randomUUID()
  const told = await call(`${service.url}/api/events`, {
    headers: { 'content-type': 'application/json', 'x-service-workspace-token': token },
    body: JSON.stringify({
      ...{ kind: 'tool_call_enforcement', action: 'block', requestId, policyRevision: published.revision.revision },
      ...{ mcpToolName: 'W'.repeat(128), downstreamServer: 'docker', sensorId: 'w'.repeat(128) },
      entityCounts: { generic_high_entropy: 1_000_000_000 }
    })
  })
  assert.equal(told.status, 202, told.text)
  for (const [path, seen] of [
    [`/requests/${requestId}`, 'A tool call was blocked'],
    ['/policy', 'Reason for the agent'],
    ['/tokens', 'a[U+202E]txt.exe']
  ] as const) {
    await admin.page.goto(path)
    await admin.page.getByText(seen).first().waitFor()
    if (path.startsWith('/requests')) await admin.page.getByText(note).waitFor()
    assert.equal(await overflow(admin.page), 0, path)
  }
  assertClean(admin)
})

const longRule = { id: 'r'.repeat(64), effect: 'deny', tool: 't'.repeat(60), reason: 'because '.repeat(30) }
