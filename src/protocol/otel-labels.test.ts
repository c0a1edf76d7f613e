import assert from 'node:assert/strict'
import { it } from 'node:test'
import { callLabels, labelsFor, metricLabelsFor } from './otel-labels.ts'
import { builtInVocabularies } from './vocabularies.ts'

const decision = {
  action: 'mask',
  clientSurface: 'codex',
  modelProvider: 'openai',
  entitiesMasked: 3,
  requestId: '0B8F7A52-3c1d-4e5f-9a6b-7c8d9e0f1a2b'
} as const

it('labels have these five names', () => {
  assert.deepEqual(labelsFor(decision), {
    'service.ingress.action': 'mask',
    'service.client.surface': 'codex',
    'service.model.provider': 'openai',
    'service.entities.masked': 3,
    'service.request.id': '0b8f7a52-3c1d-4e5f-9a6b-7c8d9e0f1a2b'
  })
})

it('labels of metrics are the same without the request ID', () => {
  const { 'service.request.id': _requestId, ...rest } = labelsFor(decision)
  assert.deepEqual(metricLabelsFor(decision), rest)
})

it('labels carry no text of a caller', () => {
  const text = 'what was said'
  const labels = labelsFor({
    action: 'block',
    clientSurface: text,
    modelProvider: text,
    requestId: text,
    entitiesMasked: Number.NaN
  })
  assert.deepEqual(labels, {
    'service.ingress.action': 'block',
    'service.client.surface': 'unknown',
    'service.model.provider': 'unknown',
    'service.entities.masked': 0
  })
})

it('a call that ended before a decision has no action, but all other labels', () => {
  const { action: _action, ...undecided } = decision
  const { 'service.ingress.action': _label, ...rest } = labelsFor(decision)
  assert.deepEqual(callLabels(undecided, builtInVocabularies), rest)
})
