/** Changes made in the dashboard, in a real browser, and their effect on sidecars, calls and tokens. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertClean, type Visitor } from '../support/browser.ts'
import { engines, openStage, type Stage } from '../support/dashboard-stage.ts'
import { openWithin, viewLink } from '../support/dashboard-user.ts'
import { userBody } from '../support/dialects.ts'
import { eventually } from '../support/eventually.ts'
import { call, type Reply } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { startSidecarProcess } from '../support/sidecar-process.ts'
import type { TestService } from '../support/start-service.ts'

const plant = createPlanter(9)

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage[Symbol.asyncDispose]())

const ask = (baseUrl: string, token: string, text: string): Promise<Reply> =>
  call(`${baseUrl}/chat/completions`, {
    headers: { 'content-type': 'application/json', 'x-service-workspace-token': token },
    body: userBody('chat-completions', text)
  })

/** Publishes the draft of the page. */
async function publish(page: Page, note: string): Promise<void> {
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByLabel('Note').fill(note)
  await page.getByRole('button', { name: /^Publish as revision/ }).click()
}

for (const engine of engines) {
  describe(`on ${engine}`, () => {
    let service: TestService
    let visitor: Visitor
    before(async () => {
      service = await stage.start(engine)
      visitor = await stage.visitAsAdmin(service)
    })
    after(async () => {
      await visitor[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    })

    test('a published policy reaches a connected sidecar, and the page says so', async () => {
      const { page } = visitor
      await using sidecar = await startSidecarProcess({ target: service.url, token: service.token })
      const { value: address, sentence } = plant('email')
      await eventually('the sidecar to have a policy', async () =>
        (await ask(sidecar.baseUrl, service.token, sentence)).status === 200 ? true : undefined
      )
      assert.ok(!stage.upstream.lastBody().includes(address), 'the address is masked before')

      await page.goto('/policy')
      await page.getByText('1 of 1 sensor enforces it').waitFor()
      await page.getByLabel('Allow an address').fill(address)
      await page.getByRole('button', { name: /^Allow all of/ }).click()
      await page.getByText('Your draft makes 1 change to revision 1').waitFor()
      await page.getByText('1 lets more pass').waitFor()
      await publish(page, 'Our own addresses are fine.')
      await page.getByText('Our own addresses are fine.').waitFor()
      await page.getByText('1 of 1 sensor enforces it').waitFor()
      await viewLink(page, 'Sensors').click()
      await page.getByRole('row', { name: /enforces it 2/ }).waitFor()

      assert.equal((await ask(sidecar.baseUrl, service.token, sentence)).status, 200)
      assert.ok(stage.upstream.lastBody().includes(address), 'the address passes afterwards')
      const audit = await page.request.get('/api/audit?action=policy_published&actor=user:ada')
      const { rows } = (await audit.json()) as { rows: unknown[] }
      assert.equal(rows.length, 1, 'the audit knows who published')
      await openWithin(page, '/fleet')
      await page.getByRole('cell', { name: 'sidecar', exact: true }).waitFor()
      assertClean(visitor)
    })

    test('a rule published from a false alarm lets the next call like it pass', async () => {
      const { page } = visitor
      const { value, sentence } = plant('github_token')
      assert.equal((await ask(service.sdkBaseUrl, service.token, sentence)).status, 403)

      await page.goto('/search?action=block')
      await page.getByRole('button', { name: 'False alarm' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'This was a false alarm' })
      await dialog.getByText('Allow every github_pat_classic').waitFor()
      // The field has the focus. Until suggestions for the typed value are loaded, publishing would allow more than was
      // meant.
      const publish = dialog.getByRole('button', { name: 'Publish the rule' })
      await publish.and(page.locator(':enabled')).waitFor()
      await page.keyboard.type(value)
      await publish.and(page.locator(':disabled')).waitFor()
      await page.keyboard.press('Enter')
      await dialog.getByLabel('This value, without showing it').check()
      await dialog.getByLabel('Note').fill('A sample of the course, revoked long ago.')
      await publish.click()
      await page.getByText(/Revision \d+ is in force/).waitFor()

      assert.equal((await ask(service.sdkBaseUrl, service.token, sentence)).status, 200)
      assert.ok(stage.upstream.lastBody().includes(value), 'the value passes')
      assert.equal((await ask(service.sdkBaseUrl, service.token, plant('github_token').sentence)).status, 403)
      await openWithin(page, '/policy/history')
      await page.getByRole('cell', { name: 'A sample of the course, revoked long ago.' }).waitFor()
      const state = await visitor.context.storageState()
      const policy = await page.request.get('/api/workspace/policy')
      assert.ok(
        !JSON.stringify(state).includes(value) && !(await policy.text()).includes(value),
        'the value is not kept'
      )
      assertClean(visitor)
    })

    test('a token is created, rotated and revoked, and the old ones are rejected', async () => {
      const { page } = visitor
      const shown = async (): Promise<string> => {
        const token = await page.getByLabel('The token', { exact: true }).innerText()
        assert.match(token, /^svw_/)
        await page.getByLabel('I have stored the token').check()
        await page.getByRole('button', { name: 'Done' }).click()
        return token.trim()
      }
      const works = async (token: string): Promise<number> =>
        (await ask(service.sdkBaseUrl, token, 'A plain question.')).status
      await page.goto('/tokens')
      await page.getByRole('button', { name: 'New token' }).first().click()
      await page.getByLabel('Label').fill('build-agent')
      await page.getByRole('button', { name: 'Create the token' }).click()
      await page.getByLabel('Lines for Claude Code', { exact: true }).waitFor()
      const first = await shown()
      assert.equal(await works(first), 200)

      await page.getByRole('button', { name: 'Rotate build-agent' }).click()
      await page.getByRole('combobox', { name: 'The old token stays valid for' }).click()
      await page.getByRole('option', { name: 'Revoke it now' }).click()
      await page.getByRole('button', { name: 'Rotate', exact: true }).click()
      const second = await shown()
      await eventually('the old token to be refused', async () => ((await works(first)) === 401 ? true : undefined))
      assert.equal(await works(second), 200)

      await page.getByRole('button', { name: 'Revoke build-agent' }).last().click()
      await page.getByRole('button', { name: 'Revoke it' }).click()
      await page.getByText('The token “build-agent” is revoked.').waitFor()
      await eventually('the token to be refused', async () => ((await works(second)) === 401 ? true : undefined))
      await page.getByLabel('Show revoked and expired').check()
      await page
        .getByRole('cell', { name: /^revoked/ })
        .first()
        .waitFor()
      assertClean(visitor)
    })
  })
}
