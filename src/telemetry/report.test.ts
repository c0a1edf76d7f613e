import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from '../protocol/canonical-json.ts'
import { callMetadata, type CallRecord } from './report.ts'

test('the metadata of a call are in canonical order, so that they can be serialised in one go', () => {
  const record: Required<CallRecord> = {
    requestId: 'r',
    workspaceId: 'w',
    tokenId: 't',
    occurredAt: 1,
    route: '/v1/messages',
    dialect: 'messages',
    outcome: 'forwarded',
    errorCode: 'none',
    action: 'mask',
    riskTier: 'low',
    entitiesMasked: 2,
    entitiesRestored: 1,
    placeholdersLeft: 0,
    entityCounts: { email: 2 },
    passedCounts: {},
    clientSurface: 'sdk',
    modelProvider: 'unknown',
    modelId: 'm',
    stream: true,
    mediaParts: 1,
    unknownBlocks: 1,
    knownBytes: 1,
    policyRevision: '1-a',
    upstreamStatus: 200,
    scanMs: 1.234,
    upstreamFault: 'ECONNREFUSED',
    upstreamMs: 2,
    durationMs: 3,
    requestBytes: 4,
    responseBytes: 5,
    usage: { inputTokens: 6, outputTokens: 7, cachedInputTokens: 8 },
    responseModel: 'm',
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    sidecar: { action: 'mask', entitiesMasked: 1, entityCounts: { email: 1 }, riskTier: 'low' }
  }
  const metadata = callMetadata(record)
  assert.deepEqual([metadata.inputTokens, metadata.outputTokens, metadata.cachedInputTokens], [6, 7, 8])
  assert.equal(JSON.stringify(metadata), canonicalJson(metadata))
})
