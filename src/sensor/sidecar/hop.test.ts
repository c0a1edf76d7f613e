import assert from 'node:assert/strict'
import { it } from 'node:test'
import { modelIdLengthMax, requestHeaders, responseHeaders } from '../../protocol/headers.ts'
import type { CallRecord } from '../../telemetry/report.ts'
import { createHop } from './hop.ts'

it('the model that a client names is passed on unless masking left a name that no header can hold', () => {
  const passed = (modelId: string | undefined, headers: Record<string, string>): string | undefined => {
    const record = { requestId: 'one', clientSurface: 'other', modelId, entityCounts: {} } as CallRecord
    return new Map(createHop(() => undefined).headersOf(record, headers)).get(requestHeaders.modelId)
  }
  const named = { [requestHeaders.modelId]: 'whatever the client said' }
  const longest = 'm'.repeat(modelIdLengthMax)
  assert.equal(passed('gpt-7', named), 'gpt-7')
  assert.equal(passed(longest, named), longest)
  for (const unfit of [undefined, '', `${longest}m`, 'gpt\n7', 'größer']) assert.equal(passed(unfit, named), undefined)
  assert.equal(passed('gpt-7', {}), undefined)
})

it('of two scans of one call the stronger action and the higher tier count, and what was masked is added', () => {
  const { action, riskTier, entitiesMasked } = responseHeaders
  const merged = (service: readonly string[], own: readonly string[]) => {
    const named = ([act = '', tier = '', masked = '']: readonly string[]): Record<string, string> =>
      Object.fromEntries(
        [
          [action, act],
          [riskTier, tier],
          [entitiesMasked, masked]
        ].filter(([, value]) => value !== '')
      )
    const headers = named(own)
    createHop(() => undefined).takeOver(named(service), headers)
    return [headers[action], headers[riskTier], headers[entitiesMasked]]
  }
  assert.deepEqual(merged(['mask', 'medium', '2'], ['allow', 'none', '0']), ['mask', 'medium', '2'])
  assert.deepEqual(merged(['allow', 'none', '0'], ['mask', 'high', '3']), ['mask', 'high', '3'])
  assert.deepEqual(merged(['block', 'low', '1'], ['mask', 'high', '3']), ['block', 'high', '4'])
  assert.deepEqual(merged(['allow', 'low'], []), ['allow', 'low', undefined])
  assert.deepEqual(merged(['unheard', 'of', '-1'], ['mask', 'low', '1']), ['mask', 'low', '1'])
})
