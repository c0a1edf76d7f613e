import assert from 'node:assert/strict'
import { it } from 'node:test'
import { modelIdLengthMax, requestHeaders } from '../../protocol/headers.ts'
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
