import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isModelIdTooLong, parseLabels, parseModelId, parseRequestId } from './headers.ts'
import { inferSurface } from './surface.ts'
import { builtInVocabularies, resolveLabel, surfaces } from './vocabularies.ts'

const uuid = '0b8f7a52-3c1d-4e5f-9a6b-7c8d9e0f1a2b'

describe('parseRequestId', () => {
  it('accepts a UUID of any version in either case', () => {
    assert.equal(parseRequestId(uuid), uuid)
    assert.equal(parseRequestId(uuid.toUpperCase()), uuid)
  })
  for (const value of [
    undefined,
    '',
    'abc',
    `${uuid} `,
    `{${uuid}}`,
    uuid.replaceAll('-', ''),
    `${uuid}\n`,
    `${uuid},${uuid}`
  ]) {
    it(`returns undefined for ${JSON.stringify(value)}`, () => assert.equal(parseRequestId(value), undefined))
  }
})

describe('parseModelId', () => {
  it('accepts up to 80 characters', () => {
    assert.deepEqual(parseModelId(undefined), { ok: true })
    assert.deepEqual(parseModelId(''), { ok: true })
    assert.deepEqual(parseModelId('m'.repeat(80)), { ok: true, modelId: 'm'.repeat(80) })
  })
  it('refuses more', () => {
    assert.deepEqual(parseModelId('m'.repeat(81)), { ok: false, code: 'model_id_too_long' })
  })
  it('counts characters', () => {
    assert.deepEqual(
      [80, 81, 5000].map((count) => isModelIdTooLong('𝕞'.repeat(count))),
      [false, true, true]
    )
  })
})

describe('labels', () => {
  it('are unknown if absent, without a warning', () => {
    assert.deepEqual(resolveLabel(undefined, builtInVocabularies.surfaces), { label: 'unknown' })
    assert.deepEqual(resolveLabel('', builtInVocabularies.surfaces), { label: 'unknown' })
  })
  it('are unchanged if the vocabulary has them', () => {
    for (const surface of surfaces)
      assert.deepEqual(resolveLabel(surface, builtInVocabularies.surfaces), { label: surface })
  })
  it('are read from the headers, with a warning that names the header', () => {
    const headers: Record<string, string> = {
      'x-service-client-surface': 'Nonesuch',
      'x-service-model-provider': 'xai'
    }
    assert.deepEqual(
      parseLabels((name) => headers[name], builtInVocabularies),
      {
        clientSurface: 'unknown',
        modelProvider: 'xai',
        warnings: ['x-service-client-surface is not in the vocabulary and is recorded as unknown.']
      }
    )
  })
})

describe('inferSurface', () => {
  const table: [userAgent: string | undefined, surface: string][] = [
    ['claude-cli/2.1.329 (external, cli)', 'claude-code'],
    ['claude-cli/0.2.126 (external, cli)', 'claude-code'],
    ['claude-cli/0.24.4 (external, cli)', 'unknown'],
    ['codex_exec/0.169.0 (Debian 12; x86_64)', 'codex'],
    ['opencode/1.18.33 ai-sdk/provider-utils', 'opencode'],
    ['GitHubCopilotChat/0.30.1', 'github-copilot'],
    ['GeminiCLI/0.9 (linux; x64)', 'gemini-cli'],
    ['Cline/3.0.65', 'cline'],
    ['OpenAI/JS 7.55.0', 'sdk'],
    ['AsyncAnthropic/Python 0.120.0', 'sdk'],
    ['ai/7.0.173 ai-sdk-provider-utils', 'sdk'],
    ['langchainjs-openai/1.0.0', 'sdk'],
    ['litellm/1.106.2', 'sdk'],
    ['llama-index/0.12.3', 'sdk'],
    ['pydantic-ai/2.31.1', 'sdk'],
    ['Agents/JavaScript 0.20.0', 'sdk'],
    ['aider/0.9', 'unknown'],
    ['Mozilla/5.0 codex_exec/1', 'unknown'],
    ['node-fetch', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown']
  ]
  for (const [userAgent, surface] of table) {
    it(`takes ${JSON.stringify(userAgent)} for ${surface}`, () => assert.equal(inferSurface(userAgent), surface))
  }
})
