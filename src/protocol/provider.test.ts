import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferProvider } from './provider.ts'

test('a model name reveals its provider', () => {
  const table = {
    'gpt-5': 'openai',
    'o3-mini': 'openai',
    o1: 'openai',
    'openai/gpt-5.2': 'openai',
    'claude-opus-5-5': 'anthropic',
    'Claude-Sonnet-5': 'anthropic',
    'gemini-3-pro': 'google',
    'mistral-large-latest': 'mistral',
    'devstral-2': 'mistral',
    'grok-5': 'xai',
    o1234: 'unknown',
    'my-gpt-5': 'unknown',
    '': 'unknown'
  }
  for (const [model, provider] of Object.entries(table)) assert.equal(inferProvider(model), provider, model)
  assert.equal(inferProvider(undefined), 'unknown')
})
