/** Counts over time: see `store.contract.ts`. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ownKinds } from '../../protocol/events/own-kinds.ts'
import { eventOf, noon } from './samples.contract.ts'
import {
  otherValue,
  readToolRule,
  rollupKindsMax,
  rollupToolRulesMax,
  rollupValuesMax,
  type JsonObject,
  type SeriesPoint,
  type SeriesQuery,
  type Store
} from '../store.ts'
import { minuteMs, hourMs, dayMs } from '../../timing/spans.ts'

const workspaceId = 'acme'

export function seriesContract(store: () => Store): void {
  const append = (receivedAt: number, sensorMetadata: JsonObject, kind = 'ingress_proxy') =>
    store().append({ events: [eventOf({ receivedAt, sensorMetadata, kind })], audit: [] })
  const series = (query: Partial<SeriesQuery>) =>
    store().eventSeries({
      workspaceId,
      dimension: 'total',
      step: 'hour',
      from: noon - dayMs,
      to: noon + 3 * dayMs,
      ...query
    })
  const counts = (points: readonly SeriesPoint[]) =>
    Object.fromEntries(points.map(({ value, events, entitiesMasked }) => [value, [events, entitiesMasked]]))

  it('counts by minute, hour and day', async () => {
    for (const after of [0, 1, minuteMs, hourMs, dayMs])
      await append(noon + after, { action: 'mask', entitiesMasked: 2 })
    const points = async (step: SeriesQuery['step']) =>
      (await series({ step })).map(({ at, events, entitiesMasked }) => [at - noon, events, entitiesMasked])
    const midnight = -12 * hourMs
    assert.deepEqual(await points('minute'), [
      [0, 2, 4],
      [minuteMs, 1, 2],
      [hourMs, 1, 2],
      [dayMs, 1, 2]
    ])
    assert.deepEqual(await points('hour'), [
      [0, 3, 6],
      [hourMs, 1, 2],
      [dayMs, 1, 2]
    ])
    assert.deepEqual(await points('day'), [
      [midnight, 4, 8],
      [midnight + dayMs, 1, 2]
    ])
  })

  it('counts a whole range as one step', async () => {
    for (const after of [0, hourMs, dayMs, 2 * dayMs]) await append(noon + after, { action: 'mask', entitiesMasked: 1 })
    await append(noon + 90_000, { action: 'block' })
    const points = async (query: Partial<SeriesQuery>) =>
      (await series({ step: 'all', ...query })).map(({ at, action, events }) => [at - noon, action, events])
    assert.deepEqual(await points({ from: noon + 5, to: noon + 2 * dayMs }), [
      [0, 'block', 1],
      [0, 'mask', 3]
    ])
    // A short range begins at its minute, not at its hour.
    assert.deepEqual(await points({ from: noon + 60_005, to: noon + 2 * hourMs }), [
      [60_000, 'block', 1],
      [60_000, 'mask', 1]
    ])
  })

  it('begins at a whole step and ends before `to`', async () => {
    await append(noon, {})
    await append(noon + hourMs, {})
    assert.equal((await series({ from: noon + 5, to: noon + hourMs })).length, 1)
    assert.equal((await series({ from: noon + hourMs - 1, to: noon + hourMs + 1 })).length, 2)
    assert.deepEqual(await series({ from: noon + hourMs, to: noon }), [])
    assert.deepEqual(await series({ workspaceId: 'beta' }), [])
  })

  it('keeps kinds and actions apart', async () => {
    await append(noon, { action: 'block' })
    await append(noon, { action: 'mask' }, 'tool_call_enforcement')
    await append(noon, { action: 'dance' }, 'tool_call_enforcement')
    const points = await series({})
    assert.deepEqual(
      points.map(({ kind, action, events }) => [kind, action, events]),
      [
        ['ingress_proxy', 'block', 1],
        ['tool_call_enforcement', '', 1],
        ['tool_call_enforcement', 'mask', 1]
      ]
    )
    assert.equal((await series({ kind: 'ingress_proxy' })).length, 1)
  })

  it('counts by every dimension', async () => {
    const labels = {
      riskTier: 'high',
      clientSurface: 'cursor',
      modelProvider: 'openai',
      modelId: 'm1',
      mcpToolName: 'search',
      downstreamServer: 'docker'
    }
    await append(noon, {
      ...labels,
      action: 'mask',
      entitiesMasked: 3,
      entityCounts: { email: 2, iban: 1 },
      scanMs: 0.7
    })
    await append(noon, { ...labels, action: 'mask', entitiesMasked: 1, entityCounts: { email: 1 }, scanMs: 5000 })
    for (const dimension of Object.keys(labels) as (keyof typeof labels)[]) {
      assert.deepEqual(counts(await series({ dimension })), { [labels[dimension]]: [2, 4] })
    }
    assert.deepEqual(counts(await series({ dimension: 'total' })), { '': [2, 4] })
    assert.deepEqual(counts(await series({ dimension: 'entityKind' })), { email: [0, 3], iban: [0, 1] })
    assert.deepEqual(counts(await series({ dimension: 'addedMs' })), { 1: [1, 0], inf: [1, 0] })
  })

  it('counts tool calls by server, tool and rule, up to a limit of its own', async () => {
    const call = { mcpServer: 'git "one"', mcpToolName: 'push', action: 'block' }
    await append(noon, { ...call, ruleId: 'no-push' })
    await append(noon + hourMs, { ...call, ruleId: 'no-push' })
    await append(noon, { mcpToolName: 'push', action: 'allow' })
    // No tool was called, whatever rule decided.
    await append(noon, { ruleId: 'no-push', action: 'block' })
    const points = await series({ dimension: 'toolRule', step: 'all' })
    assert.deepEqual(
      points.map(({ value, action, events }) => [readToolRule(value), action, events]),
      [
        [{ server: '', tool: 'push', rule: '' }, 'allow', 1],
        [{ server: 'git "one"', tool: 'push', rule: 'no-push' }, 'block', 2]
      ]
    )
    const events = Array.from({ length: rollupToolRulesMax }, (_, index) =>
      eventOf({ receivedAt: noon + dayMs, sensorMetadata: { ...call, ruleId: `rule-${index}` } })
    )
    const late = eventOf({ receivedAt: noon + dayMs, sensorMetadata: { ...call, ruleId: 'one-more' } })
    await store().append({ events: [...events, late], audit: [] })
    const byRule = counts(await series({ dimension: 'toolRule', from: noon + dayMs }))
    assert.equal(Object.keys(byRule).length, rollupToolRulesMax + 1)
    assert.deepEqual(byRule[otherValue], [1, 0])
    assert.equal(readToolRule(otherValue), undefined)
  })

  it('does not count a duplicate', async () => {
    const event = eventOf({ receivedAt: noon })
    await store().append({ events: [event, event], audit: [] })
    await store().append({ events: [event], audit: [] })
    assert.deepEqual(counts(await series({})), { '': [1, 2] })
  })

  it('keeps a limited number of values and kinds per hour, and counts the rest together', async () => {
    const surplus = 7
    for (let batch = 0; batch < 3; batch++) {
      const events = Array.from({ length: rollupValuesMax + surplus }, (_, index) =>
        eventOf({ receivedAt: noon, kind: `kind_${index}`, sensorMetadata: { modelId: `m${index}` } })
      )
      await store().append({ events, audit: [] })
    }
    const models = await series({ dimension: 'modelId' })
    const byModel = new Map<string, number>()
    for (const { value, events } of models) byModel.set(value, (byModel.get(value) ?? 0) + events)
    assert.equal(byModel.size, rollupValuesMax + 1)
    assert.equal(byModel.get(otherValue), 3 * surplus)
    assert.equal(byModel.get('m0'), 3)
    const kinds = new Set((await series({})).map(({ kind }) => kind))
    assert.ok(kinds.has(otherValue))
    assert.equal(kinds.size, rollupKindsMax + 1)
    await append(noon + hourMs, { modelId: 'later' })
    const next = await series({ dimension: 'modelId', from: noon + hourMs })
    assert.deepEqual(counts(next), { later: [1, 0] })
  })

  it('keeps our own kinds apart in an hour in which a sender invented too many', async () => {
    const events = Array.from({ length: rollupKindsMax + 1 }, (_, index) =>
      eventOf({ receivedAt: noon, kind: `made_up_${index}`, sensorMetadata: {} })
    )
    await store().append({ events, audit: [] })
    for (const kind of ownKinds) await append(noon, {}, kind)
    await append(noon, {}, 'one_more')
    const byKind = new Map((await series({})).map(({ kind, events: count }) => [kind, count]))
    for (const kind of ownKinds) assert.equal(byKind.get(kind), 1, kind)
    assert.equal(byKind.get(otherValue), 2)
    assert.equal(byKind.size, rollupKindsMax + ownKinds.size + 1)
  })

  it('is exact with many concurrent writers', async () => {
    const senders = Array.from({ length: 8 }, async (_, sender) => {
      for (let turn = 0; turn < 10; turn++) {
        const metadata = { modelId: `m${(sender + turn) % 3}`, entitiesMasked: 1 }
        const events = [0, 1, 2].map((minute) =>
          eventOf({ receivedAt: noon + minute * minuteMs, sensorMetadata: metadata })
        )
        await store().append({ events, audit: [] })
      }
    })
    await Promise.all(senders)
    for (const step of ['minute', 'hour'] as const) {
      const sum = (points: readonly SeriesPoint[]) => points.reduce((total, { events }) => total + events, 0)
      assert.equal(sum(await series({ step })), 240)
      assert.equal(sum(await series({ step, dimension: 'modelId' })), 240)
    }
  })
}
