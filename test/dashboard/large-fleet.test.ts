/**
 * A fleet that does not fit on a screen: sensors that lag come first, the rest is shown on demand, and names can be
 * found.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sensorHeartbeatKind } from '../../src/protocol/events/event-schema.ts'
import { assertClean, overflow, phone, seriousFaults } from '../support/browser.ts'
import { openAsAdmin, type AdminPage } from '../support/dashboard-page.ts'
import { post, receipt } from '../support/events.ts'
import { openWithin } from '../support/dashboard-user.ts'
import { eventually } from '../support/eventually.ts'
import { openPolicyApi } from '../support/policy-api.ts'

const sensorCount = 130
const longName = `runner-20-of-${'the-namespace-'.repeat(4)}7d9f8b6c5`
const nameOf = (place: number): string => (place === 20 ? longName : `runner-${place}`)
/**
 * One sensor that dropped events, one with an old policy, one that rejected a former policy, one that rejects the
 * current one.
 */
const [dropping, lagging, refusedOnce, refusing] = [101, 102, 103, 104]

let opened: AdminPage
let page: Page

before(async () => {
  opened = await openAsAdmin()
  const { service } = opened
  page = opened.visitor.page
  const api = await openPolicyApi(service)
  const first = (await api.ask('GET', '/policy')).json()['revision'] as string
  const current = await api.publish({ redactionProfile: { version: 1, deny: ['Halyard'] }, note: 'the second' })
  const revisionOf = (place: number): string => (place === lagging || place === refusedOnce ? first : current)
  const stamp = (place: number) => ({ sensorId: nameOf(place), platform: place % 4 === 0 ? 'mcp-proxy' : 'sidecar' })
  const places = Array.from({ length: sensorCount }, (_, place) => place)
  const signs = places.map((place) => ({
    kind: sensorHeartbeatKind,
    ...stamp(place),
    policyState: 'fresh',
    policyRevision: revisionOf(place),
    policyAgeMs: 4000 + place,
    spooled: 0,
    dropped: place === dropping ? 12 : 0
  }))
  const words = places
    .filter((place) => place !== refusing)
    .map((place) => ({ kind: 'policy_applied', ...stamp(place), policyRevision: revisionOf(place) }))
  const refusals = [
    { kind: 'policy_rejected', ...stamp(refusedOnce), policyRevision: first, reasonCode: 'unreadable' },
    { kind: 'policy_rejected', ...stamp(refusing), policyRevision: current, reasonCode: 'unreadable' }
  ]
  for (const batch of [signs, words, refusals]) receipt(await post(service, batch))
})
after(() => opened[Symbol.asyncDispose]())

const rowsOf = (label: string) => page.getByRole('region', { name: label }).getByRole('row')
/** Names in the order of the rows, without the heading. */
const names = async (label: string): Promise<string[]> =>
  (await rowsOf(label).locator('td:first-child').allInnerTexts()).map((text) => text.trim())

async function showAll(label: string): Promise<void> {
  await page.getByText('50 shown', { exact: true }).waitFor()
  assert.equal(await rowsOf(label).count(), 51, 'fifty and the heading')
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText(`All ${sensorCount} shown`).waitFor()
  assert.equal(await rowsOf(label).count(), sensorCount + 1)
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
}

test('the fleet shows sensors that need attention, and the rest on demand, in natural order', async () => {
  // A heartbeat is on disk a moment after its response.
  await eventually('all sensors', async () => {
    const { sensors } = (await (await page.request.get('/api/sensors')).json()) as { sensors: unknown[] }
    return sensors.length === sensorCount ? true : undefined
  })
  await page.goto('/fleet')
  await page.getByText(`of ${sensorCount} known`).waitFor()
  await showAll('Sensors')
  const shown = await names('Sensors')
  assert.deepEqual(shown.slice(0, 3), [dropping, lagging, refusedOnce].map(nameOf))
  assert.deepEqual(shown.slice(3, 16), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(nameOf))
  assert.equal(new Set(shown).size, sensorCount, 'each once')

  await page.getByLabel('Find a sensor').fill('RUNNER-20')
  await page.getByRole('cell', { name: longName }).waitFor()
  assert.deepEqual(await names('Sensors'), [longName])
  await page.getByLabel('Find a sensor').fill('')
  await page.getByText('With problems').click()
  await page.getByRole('cell', { name: longName }).waitFor({ state: 'hidden' })
  assert.deepEqual(await names('Sensors'), [dropping, lagging, refusedOnce].map(nameOf))
  await page.getByLabel('Find a sensor').fill('nobody')
  await page.getByText('No matching sensors').waitFor()
  assertClean(opened.visitor)
})

test('the policy view distinguishes sensors that reject the current policy from those that rejected an earlier one', async () => {
  await openWithin(page, '/policy/sensors')
  await page.getByText('127 of 130 sensors enforce it, 2 on the way or lagging, 1 refused it').waitFor()
  await showAll('Sensors and the policy that they enforce')
  const shown = await names('Sensors and the policy that they enforce')
  assert.deepEqual(shown.slice(0, 4), [refusing, lagging, refusedOnce, 0].map(nameOf))
  await page.getByRole('row', { name: `runner-${refusing} refused it` }).waitFor()
  await page.getByRole('row', { name: `runner-${refusedOnce} another revision` }).waitFor()
  assertClean(opened.visitor)
})

test('hundreds of rows and long names pass axe and fit on a phone', async () => {
  for (const path of ['/fleet', '/policy/sensors']) {
    await page.setViewportSize({ width: 1360, height: 860 })
    await openWithin(page, path)
    await page.getByText('50 shown', { exact: true }).waitFor()
    assert.deepEqual(await seriousFaults(page), [], path)
    await page.setViewportSize(phone)
    await eventually(`${path} as wide as a phone`, async () => ((await overflow(page)) <= 0 ? true : undefined))
  }
  await page.setViewportSize({ width: 1360, height: 860 })
})

test('among many tokens one is found by its label, and a new one comes first', async () => {
  const { tokens } = opened.service.running
  for (let place = 0; place < 60; place++)
    await tokens.create({ workspaceId: 'default', label: `team ${place}` }, 'user:ada')
  await openWithin(page, '/tokens')
  await page.getByText('50 shown', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText(/^All 6\d shown$/).waitFor()
  await page.getByLabel('Find a token').fill('Team 7')
  await page.getByRole('cell', { name: 'team 8', exact: false }).first().waitFor({ state: 'hidden' })
  assert.match((await names('Workspace tokens')).join('\n'), /^team 7\n/)
  await page.getByLabel('Find a token').fill('none such')
  await page.getByText('No matching tokens').waitFor()
  await page.getByLabel('Find a token').fill('')
  await page.getByRole('button', { name: 'New token' }).first().click()
  await page.getByLabel('Label').fill('the newest')
  await page.getByRole('button', { name: 'Create the token' }).click()
  await page.getByLabel('I have stored the token').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: /^the newest/ }).waitFor()
  assert.match((await names('Workspace tokens'))[0] ?? '', /^the newest/)
  assertClean(opened.visitor)
})
