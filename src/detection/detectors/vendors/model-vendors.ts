/** Vendors of models and their hubs. */
import {
  base62Set,
  base64UrlSet,
  countOf,
  leftClear,
  lowerHexSet,
  lowerSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { contextKeyDetector } from '../../keys/context-key.ts'
import type { Detector } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { anchorsOf, guarded, looksRandom, matchForms, keyDetector, type KeyForm } from '../../keys/fixed-key.ts'
import { filler, hexLetters } from '../../sample-text.ts'

/** `OpenAI` in base64, which stands in the middle of its keys. */
const openaiSign = 'T3Blbk' + 'FJ'
const openaiPrefixes = ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-service-', 'sk-None-']
const openaiForms: KeyForm[] = openaiPrefixes.map((prefix) => ({
  prefix,
  set: base64UrlSet,
  min: 40,
  max: 300,
  judge: (body) => (body.includes(openaiSign) ? 'strong' : mixed(body) ? 'medium' : undefined)
}))
const matchOpenai = matchForms(openaiForms)
/** Without the mark, a key of 48 letters and digits may belong to another vendor that borrowed the form. */
const matchPlain = matchForms([
  {
    prefix: 'sk-',
    set: base62Set,
    min: 48,
    max: 48,
    boundary: base64UrlSet,
    tier: 'medium',
    judge: (body) => (mixed(body) && !body.includes(openaiSign) ? 'medium' : undefined)
  }
])

/** Whether upper case, lower case and digits mix as in no snake_case or kebab-case identifier. */
function mixed(body: string): boolean {
  return looksRandom(body, 0, body.length)
}

/** Room before the mark, for prefixes that are not known yet. */
const beforeSignMax = 120

const openai: Detector = {
  id: 'openai_api_key',
  label: 'OPENAI_API_KEY',
  lengthMin: 48,
  title: 'OpenAI API key',
  group: 'secret',
  tier: 'high',
  anchors: [...anchorsOf(openaiForms), { literal: openaiSign }, { literal: 'sk-' }],
  match(text, at) {
    if (!text.startsWith(openaiSign, at)) return matchOpenai(text, at) ?? matchPlain(text, at)
    const run = runStart(text, at, base64UrlSet, beforeSignMax + 1)
    // The letter of an escaped line break is not part of the key.
    const start = text.charCodeAt(run - 1) === 92 ? run + 1 : run
    if (!text.startsWith('sk-', start) || !leftClear(text, start, base64UrlSet)) return undefined
    const from = at + openaiSign.length
    const end = runEnd(text, from, base64UrlSet, beforeSignMax)
    return at - start >= 23 && end - from >= 20 ? guarded(text, { start, end, confidence: 'strong' }) : undefined
  },
  hits: () => [
    'sk-' + filler(20) + openaiSign + filler(20, undefined, 3),
    'sk-proj-' + filler(74) + openaiSign + filler(74),
    'sk-svcacct-' + filler(58) + openaiSign + filler(58),
    'sk-admin-' + filler(20) + openaiSign + filler(20),
    'sk-proj-' + filler(60)
  ],
  misses: () => [
    'sk-proj-my-project-name-for-the-new-billing-service-in-europe',
    'sk-loading',
    'sk-' + filler(12),
    openaiSign,
    'x' + 'sk-proj-' + filler(74)
  ],
  source: 'gitleaks and TruffleHog rules for OpenAI: T3BlbkFJ in the middle of 20, 58 or 74 characters.'
}

const sessionForm = matchForms([
  { prefix: 'sess-', set: base62Set, min: 40, max: 40, judge: (body) => (mixed(body) ? 'medium' : undefined) }
])

/** Other services number their sessions alike, so it blocks only where its name or a header says whose it is. */
const openaiSession: Detector = {
  id: 'openai_session',
  label: 'OPENAI_SESSION_KEY',
  title: 'OpenAI session key',
  group: 'secret',
  tier: 'high',
  lengthMin: 45,
  anchors: [{ literal: 'sess-' }],
  context: ['openai', 'chatgpt', 'bearer', 'authorization'],
  match(text, at, context) {
    const found = sessionForm(text, at)
    return found !== undefined && context.near(at) ? { ...found, confidence: 'strong' } : found
  },
  hits: () => ['sess-' + filler(40), `Authorization: Bearer sess-${filler(40)}`],
  misses: () => ['sess-' + filler(20), 'sess-' + filler(40, hexLetters).toLowerCase(), 'session-id'],
  source: 'Form of keys in requests of the OpenAI dashboard; not documented.'
}

const anthropicPrefix = ['sk', 'ant', ''].join('-')
/** API keys have 93 characters and then AA. Shorter ones occur in documentation and get a lower confidence. */
const anthropicJudge = (body: string): Confidence => (body.length === 95 && body.endsWith('AA') ? 'strong' : 'medium')
const anthropicForm = (kind: string, judge: (body: string) => Confidence): KeyForm => ({
  prefix: anthropicPrefix + kind + '-',
  set: base64UrlSet,
  min: 20,
  max: 400,
  judge
})
const byLength = (body: string): Confidence => (body.length >= 40 ? 'strong' : 'medium')

const anthropic: readonly Detector[] = [
  keyDetector(
    {
      id: 'anthropic_api_key',
      label: 'ANTHROPIC_API_KEY',
      title: 'Anthropic API key',
      hits: () => [`${anthropicPrefix}api03-${filler(93)}AA`, `key \\n${anthropicPrefix}api03-${filler(30)}`],
      misses: () => [`${anthropicPrefix}api03-...`, `${anthropicPrefix}api03-short`],
      source: 'gitleaks rule anthropic-api-key: 93 characters and AA.'
    },
    [anthropicForm('api03', anthropicJudge), anthropicForm('api04', anthropicJudge)]
  ),
  keyDetector(
    {
      id: 'anthropic_admin_key',
      label: 'ANTHROPIC_ADMIN_KEY',
      title: 'Anthropic admin key',
      hits: () => [`${anthropicPrefix}admin01-${filler(93)}AA`],
      misses: () => [`${anthropicPrefix}admin01-...`],
      source: 'gitleaks rule anthropic-admin-api-key: 93 characters and AA.'
    },
    [anthropicForm('admin01', anthropicJudge)]
  ),
  keyDetector(
    {
      id: 'anthropic_oauth_token',
      label: 'ANTHROPIC_OAUTH_TOKEN',
      title: 'Anthropic OAuth token',
      hits: () => [`${anthropicPrefix}oat01-${filler(93)}AA`, `${anthropicPrefix}ort01-${filler(60)}`],
      misses: () => [`${anthropicPrefix}oat01-...`],
      source: 'Prefixes of the tokens that Claude Code stores; the length is observed, not documented.'
    },
    [anthropicForm('oat01', byLength), anthropicForm('ort01', byLength)]
  ),
  keyDetector(
    {
      id: 'anthropic_session_key',
      label: 'ANTHROPIC_SESSION_KEY',
      title: 'Anthropic session key',
      hits: () => [`sessionKey=${anthropicPrefix}sid01-${filler(93)}`],
      misses: () => [`${anthropicPrefix}sid01-...`],
      source: 'GitHub secret scanning, supported patterns; the length is observed, not documented.'
    },
    [anthropicForm('sid01', byLength)]
  )
]

const mistral = contextKeyDetector(
  {
    id: 'mistral_key',
    label: 'MISTRAL_API_KEY',
    title: 'Mistral API key',
    hits: () => [`MISTRAL_API_KEY=${filler(32)}`, `"mistral": {"key": "${filler(32)}"}`],
    misses: () => [
      filler(32),
      `mistral md5 ${filler(32, hexLetters)}`,
      `MISTRAL_API_KEY=${filler(33)}`,
      'mistral-large-latest'
    ],
    source: 'betterleaks and kingfisher rules for Mistral: 32 letters and digits beside the name.'
  },
  { names: ['mistral', 'mistralai', 'codestral'], set: base62Set, min: 32, max: 32 }
)

/** Requires both cases: the snake_case name of a function has no capitals. */
const bothCases = (body: string): Confidence | undefined =>
  countOf(body, 0, body.length, upperSet) > 1 && countOf(body, 0, body.length, lowerSet) > 1 ? 'strong' : undefined

const hubs: readonly Detector[] = [
  keyDetector(
    {
      id: 'huggingface_token',
      label: 'HUGGINGFACE_TOKEN',
      title: 'Hugging Face token',
      hits: () => ['hf_' + filler(34), 'api_org_' + filler(34)],
      misses: () => ['hf_hub_download', 'hf_' + filler(33), 'hf_' + 'abcdefghijklmnopqrstuvwxyzabcdefgh'],
      source: 'gitleaks rules huggingface-access-token and huggingface-organization-api-token: 34 letters.'
    },
    [
      { prefix: 'hf_', set: base62Set, min: 34, max: 34, judge: bothCases },
      { prefix: 'api_org_', set: base62Set, min: 34, max: 34, judge: bothCases }
    ]
  ),
  keyDetector(
    {
      id: 'groq_key',
      label: 'GROQ_API_KEY',
      title: 'Groq API key',
      hits: () => ['gsk_' + filler(52)],
      misses: () => ['gsk_' + filler(51), 'gsk_model_name'],
      source: 'secretlint rule for Groq: gsk_ and 52 letters and digits.'
    },
    [{ prefix: 'gsk_', set: base62Set, min: 52, max: 52 }]
  ),
  keyDetector(
    {
      id: 'xai_key',
      label: 'XAI_API_KEY',
      title: 'xAI API key',
      hits: () => ['xai-' + filler(80)],
      misses: () => ['xai-' + filler(30), 'xai-org'],
      source: 'betterleaks rule for xAI: xai- and 70 to 120 characters, 80 as a rule.'
    },
    [{ prefix: 'xai-', set: wordSet, min: 70, max: 120, judge: bothCases }]
  ),
  keyDetector(
    {
      id: 'openrouter_key',
      label: 'OPENROUTER_API_KEY',
      title: 'OpenRouter API key',
      hits: () => ['sk-or-v1-' + filler(64, hexLetters)],
      misses: () => ['sk-or-v1-' + filler(63, hexLetters), 'sk-or-v1-...'],
      source: 'betterleaks rule for OpenRouter: sk-or-v1- and 64 hexadecimal digits.'
    },
    [{ prefix: 'sk-or-v1-', set: lowerHexSet, min: 64, max: 64 }]
  )
]

export const modelVendorDetectors: readonly Detector[] = [openai, openaiSession, ...anthropic, mistral, ...hubs]
