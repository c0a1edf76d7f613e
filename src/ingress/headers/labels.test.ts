import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import type { CallRecord } from '../../telemetry/report.ts'
import type { UpstreamTarget } from '../../upstream/targets.ts'
import { header, inferLabels } from './labels.ts'

describe('a header', () => {
  /** As the runtime hands it over, which reads every byte as one character. */
  const read = (sent: string, encoding: 'utf8' | 'latin1') => {
    const headers = { 'x-name': Buffer.from(sent, encoding).toString('latin1') }
    return header({ headers } as unknown as IncomingMessage, 'x-name')
  }

  it('is read as UTF-8, or as Latin-1 if it is none', () => {
    assert.equal(read('modèle ✓', 'utf8'), 'modèle ✓')
    assert.equal(read('modèle', 'latin1'), 'modèle')
    assert.equal(read('model', 'utf8'), 'model')
  })
})

describe('the model that a body names', () => {
  it('is cut to 80 characters, and never inside of one', () => {
    const record = { modelProvider: 'unknown' } as CallRecord
    inferLabels(record, {} as UpstreamTarget, '𝕞'.repeat(200), (text) => text)
    assert.equal(record.modelId, '𝕞'.repeat(80))
  })
})
