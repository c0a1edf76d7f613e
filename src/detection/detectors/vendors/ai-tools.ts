/** Tools that agents use: search, crawling, document parsing, coding assistants. */
import {
  anyBase64Set,
  base62Set,
  base64Set,
  base64UrlSet,
  dottedNameSet,
  lowerDigitSet,
  lowerHexSet,
  runEnd,
  snakeSet,
  uuidSet,
  wordSet
} from '../../text/chars.ts'
import { contextKeyDetector, keyOrContextDetector, uuidJudge } from '../../keys/context-key.ts'
import { generatedJudge, looksGenerated } from '../../keys/generated.ts'
import type { Detector } from '../../detector.ts'
import { keyDetector } from '../../keys/fixed-key.ts'
import { base64Letters, filler, fillerUuid, hexLetters, lowerDigitLetters } from '../../sample-text.ts'

const search: readonly Detector[] = [
  keyDetector(
    {
      id: 'llamacloud_key',
      label: 'LLAMACLOUD_API_KEY',
      title: 'LlamaCloud API key',
      hits: () => ['llx-' + filler(48)],
      misses: () => ['llx-' + filler(20), 'llx-name'],
      source: 'CredSweeper rule for LlamaCloud: llx- and 48 letters and digits.'
    },
    [{ prefix: 'llx-', set: base62Set, min: 48, max: 48 }]
  ),
  keyDetector(
    {
      id: 'tavily_key',
      label: 'TAVILY_API_KEY',
      title: 'Tavily API key',
      hits: () => ['tvly-' + filler(32), 'tvly-dev-' + filler(32)],
      misses: () => ['tvly-' + filler(20), 'tvly-your-api-key-goes-in-this-line-here'],
      source: 'titus and CredSweeper rules for Tavily: tvly- and 32 letters and digits; tvly-dev- since 2025.'
    },
    ['tvly-', 'tvly-dev-', 'tvly-prod-'].map((prefix) => ({
      prefix,
      set: base62Set,
      min: 32,
      max: 32,
      judge: generatedJudge
    }))
  ),
  keyDetector(
    {
      id: 'firecrawl_key',
      label: 'FIRECRAWL_API_KEY',
      title: 'Firecrawl API key',
      hits: () => ['fc-' + filler(32, hexLetters)],
      misses: () => ['fc-' + filler(31, hexLetters), 'ufc-' + filler(32, hexLetters), 'fc-name'],
      source: 'titus rule for Firecrawl: fc- and 32 hexadecimal digits.'
    },
    [{ prefix: 'fc-', set: lowerHexSet, min: 32, max: 32 }]
  ),
  contextKeyDetector(
    {
      id: 'exa_key',
      label: 'EXA_API_KEY',
      title: 'Exa API key',
      tier: 'medium',
      hits: () => [`EXA_API_KEY=${fillerUuid()}`],
      misses: () => [fillerUuid(), `exa_request_id = ${fillerUuid()}`, `hexa_api_key=${fillerUuid()}`],
      source: 'titus rule for Exa: a UUID beside the name.'
    },
    {
      names: ['exa_api', 'exa_key', 'exa-api', 'exa-key', 'exaapikey', 'exakey', 'exa api', 'exa key'],
      set: uuidSet,
      min: 36,
      max: 36,
      judge: uuidJudge
    }
  ),
  contextKeyDetector(
    {
      id: 'brave_search_key',
      label: 'BRAVE_API_KEY',
      title: 'Brave Search API key',
      hits: () => [`BRAVE_API_KEY=BSA${filler(28)}`, `{"X-Subscription-Token": "BSA${filler(27)}"}`],
      misses: () => ['BSA' + filler(28), 'BRAVE_API_KEY=<key>', 'X-Subscription-Token: BSAccount'],
      source:
        'betterleaks rule brave-search-api-key: BSA and 24 to 40 characters beside the name of the vendor or header.'
    },
    {
      names: ['brave', 'x-subscription-token'],
      set: base64UrlSet,
      min: 24,
      max: 43,
      judge: (value) => (value.startsWith('BSA') && looksGenerated(value) ? 'strong' : undefined)
    }
  ),
  contextKeyDetector(
    {
      id: 'greptile_key',
      label: 'GREPTILE_API_KEY',
      title: 'Greptile API key',
      hits: () => [`greptile_api_key = "${filler(48, base64Letters)}"`, `greptile = ${filler(48, base64Letters)}`],
      misses: () => [filler(48, base64Letters), 'greptile = false'],
      source: 'betterleaks rule greptile-api-key: 48 characters of base64 beside the name.'
    },
    { names: ['greptile'], set: base64Set, min: 48, max: 48, bare: true }
  )
]

const agents: readonly Detector[] = [
  contextKeyDetector(
    {
      id: 'coze_pat',
      label: 'COZE_TOKEN',
      title: 'Coze personal access token',
      hits: () => [`COZE_API_TOKEN=pat_${filler(64)}`],
      misses: () => [`pat_${filler(64)}`, 'coze token pat_name'],
      source: 'titus rule for Coze: pat_ and 64 letters and digits beside the name.'
    },
    {
      names: ['coze'],
      set: wordSet,
      min: 68,
      max: 68,
      judge: (value) => (value.startsWith('pat_') && looksGenerated(value.slice(4)) ? 'strong' : undefined)
    }
  ),
  keyOrContextDetector(
    {
      id: 'cursor_key',
      label: 'CURSOR_API_KEY',
      title: 'Cursor API key',
      hits: () => [`CURSOR_API_KEY=key_${filler(64, hexLetters)}`, 'crsr_' + filler(64, hexLetters)],
      misses: () => ['key_' + filler(20, hexLetters), 'cursor_key = key_press_handler', 'crsr_name'],
      source:
        'betterleaks and titus rules for Cursor: key_ and 64 hexadecimal digits; crsr_ in newer keys, as public programs name it.'
    },
    [{ prefix: 'crsr_', set: lowerHexSet, min: 64, max: 64 }],
    [
      {
        names: ['cursor'],
        set: snakeSet,
        min: 68,
        max: 68,
        judge: (value) => (value.startsWith('key_') && looksGenerated(value.slice(4)) ? 'strong' : undefined)
      }
    ]
  ),
  keyDetector(
    {
      id: 'devin_key',
      label: 'DEVIN_API_KEY',
      title: 'Devin API key',
      hits: () => ['apk_user_' + filler(140) + '=', 'apk_' + filler(96), 'cog_' + filler(52, lowerDigitLetters)],
      misses: () => ['apk_user_name', 'cog_' + filler(20), 'apk_signature_verification_of_the_package_on_the_device'],
      source: 'betterleaks rules for Devin: apk_user_ and apk_ with base64, cog_ and 52 letters and digits.'
    },
    [
      { prefix: 'apk_user_', set: anyBase64Set, min: 80, max: 200, judge: generatedJudge },
      {
        prefix: 'apk_',
        set: anyBase64Set,
        min: 60,
        max: 200,
        judge: (body) => (body.startsWith('user_') ? undefined : generatedJudge(body))
      },
      { prefix: 'cog_', set: lowerDigitSet, min: 52, max: 52, judge: generatedJudge }
    ]
  ),
  keyDetector(
    {
      id: 'coderabbit_key',
      label: 'CODERABBIT_API_KEY',
      title: 'CodeRabbit API key',
      hits: () => ['cr-' + filler(58, hexLetters)],
      misses: () => ['cr-' + filler(40, hexLetters), 'cr-name'],
      source: 'titus rule for CodeRabbit: cr- and 58 hexadecimal digits.'
    },
    [{ prefix: 'cr-', set: lowerHexSet, min: 58, max: 58 }]
  )
]

const ollamaDot = 32

const ollama = contextKeyDetector(
  {
    id: 'ollama_key',
    label: 'OLLAMA_API_KEY',
    title: 'Ollama API key',
    hits: () => [
      `OLLAMA_API_KEY=${filler(32, hexLetters)}.${filler(24)}`,
      `ollama key ${filler(32, hexLetters)}.${filler(24)}`
    ],
    misses: () => [`${filler(32, hexLetters)}.${filler(24)}`, `ollama key sha256-${filler(64, hexLetters)}`],
    source: 'titus rule for Ollama: 32 hexadecimal digits, a dot and 24 characters beside the name.'
  },
  {
    names: ['ollama'],
    set: dottedNameSet,
    min: 57,
    max: 57,
    judge: (value) =>
      runEnd(value, 0, lowerHexSet, ollamaDot + 1) === ollamaDot && value.charCodeAt(ollamaDot) === 46
        ? 'strong'
        : undefined
  }
)

export const aiToolDetectors: readonly Detector[] = [...search, ...agents, ollama]
