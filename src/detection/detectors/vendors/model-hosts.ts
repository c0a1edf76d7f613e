/** Vendors and hosts of models beside the ones in `model-vendors.ts`, for text and images. */
import {
  base62Set,
  base64UrlSet,
  charSet,
  lowerDigitSet,
  lowerHexSet,
  rightClear,
  runEnd,
  uuidSet
} from '../../text/chars.ts'
import { contextKeyDetector, keyOrContextDetector, spellings, uuidJudge } from '../../keys/context-key.ts'
import { generatedJudge, looksGenerated } from '../../keys/generated.ts'
import type { Detector } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { guarded, keyDetector, looksRandom } from '../../keys/fixed-key.ts'
import { filler, fillerUuid, hexLetters, lowerDigitLetters } from '../../sample-text.ts'

const dotCode = 46

/** A key that begins with `sk-`, like those of many vendors; only the name beside it says whose it is. */
const skJudge = (value: string): Confidence | undefined =>
  value.startsWith('sk-') && looksGenerated(value.slice(3)) ? 'strong' : undefined

export const modelHostDetectors: readonly Detector[] = [
  contextKeyDetector(
    {
      id: 'cohere_key',
      label: 'COHERE_API_KEY',
      title: 'Cohere API key',
      hits: () => [`cohere_api_token = "${filler(40)}"`, `export CO_API_KEY=${filler(40)}`],
      misses: () => [filler(40), `cohere commit ${filler(40, hexLetters)}`, `COHERE_API_KEY=${filler(20)}`],
      source: 'gitleaks rule cohere-api-token: 40 letters and digits beside the name.'
    },
    { names: ['cohere', 'co_api_key'], set: base62Set, min: 40, max: 40 }
  ),
  keyDetector(
    {
      id: 'perplexity_key',
      label: 'PERPLEXITY_API_KEY',
      title: 'Perplexity API key',
      hits: () => ['pplx-' + filler(48)],
      misses: () => ['pplx-' + filler(20), 'pplx-70b-online'],
      source: 'gitleaks rule perplexity-api-key: pplx- and 48 letters and digits.'
    },
    [{ prefix: 'pplx-', set: base62Set, min: 48, max: 48 }]
  ),
  keyOrContextDetector(
    {
      id: 'together_key',
      label: 'TOGETHER_API_KEY',
      title: 'Together AI API key',
      hits: () => ['tgp_v1_' + filler(43), `TOGETHER_API_KEY=${filler(64, hexLetters)}`],
      misses: () => [filler(64, hexLetters), `together with the key sha256:${filler(64, hexLetters)}`, 'tgp_v1_name'],
      source:
        'betterleaks rule for Together AI: tgp_v1_ and 43 characters; 64 hexadecimal digits beside the name before.'
    },
    [{ prefix: 'tgp_v1_', set: base64UrlSet, min: 43, max: 43 }],
    [
      {
        names: [...spellings('together ai'), 'together_api', 'together_key', 'together_token'],
        set: lowerHexSet,
        min: 64,
        max: 64
      }
    ]
  ),
  keyDetector(
    {
      id: 'fireworks_key',
      label: 'FIREWORKS_API_KEY',
      title: 'Fireworks AI API key',
      hits: () => ['fw_' + filler(24)],
      misses: () => ['fw_' + filler(20), 'fw_update_progress_bar_of', 'hfw_' + filler(24)],
      source: 'titus rule for Fireworks AI: fw_ and 24 letters and digits.'
    },
    [{ prefix: 'fw_', set: base62Set, min: 24, max: 24, judge: generatedJudge }]
  ),
  keyDetector(
    {
      id: 'deepseek_key',
      label: 'DEEPSEEK_API_KEY',
      title: 'DeepSeek API key',
      hits: () => ['sk-' + filler(32, hexLetters)],
      misses: () => ['sk-' + filler(31, hexLetters), 'task-' + filler(32, hexLetters), 'sk-loading'],
      source: 'betterleaks rule for DeepSeek: sk- and 32 hexadecimal digits.'
    },
    [{ prefix: 'sk-', set: lowerHexSet, min: 32, max: 32, judge: generatedJudge, boundary: base64UrlSet }]
  ),
  contextKeyDetector(
    {
      id: 'moonshot_kimi_key',
      label: 'MOONSHOT_API_KEY',
      title: 'Moonshot AI API key',
      hits: () => [`MOONSHOT_API_KEY=sk-${filler(48)}`, `kimi key: sk-${filler(48, undefined, 3)}`],
      misses: () => ['kimi key: sk-loading', `moonshot_key = ${filler(51)}`],
      source: 'betterleaks rule kimi-api-key: sk- and 48 characters beside the name.'
    },
    { names: ['moonshot', 'kimi'], set: base64UrlSet, min: 51, max: 51, judge: skJudge }
  ),
  {
    id: 'zhipu_zai_key',
    label: 'ZHIPU_API_KEY',
    lengthMin: 49,
    title: 'Z.ai (Zhipu) API key',
    group: 'secret',
    tier: 'high',
    anchors: [{ word: [32] }],
    context: ['zhipu', 'zhipuai', 'zai', 'glm', 'bigmodel', 'api', 'key', 'token'],
    match(source, at, context) {
      const dot = context.wordEnd
      if (source.charCodeAt(dot) !== dotCode || runEnd(source, at, lowerHexSet, 33) !== dot) return undefined
      const end = runEnd(source, dot + 1, base62Set, 17)
      if (end - dot !== 17 || !rightClear(source, end, base64UrlSet) || !looksGenerated(source.slice(dot + 1, end)))
        return undefined
      return guarded(source, { start: at, end, confidence: context.near(at) ? 'strong' : 'medium' })
    },
    hits: () => [`ZHIPU_API_KEY=${filler(32, hexLetters)}.${filler(16)}`, `${filler(32, hexLetters)}.${filler(16)}`],
    misses: () => [filler(32, hexLetters), `${filler(32, hexLetters)}.chunk.js`, `${filler(32)}.${filler(16)}`],
    source: 'betterleaks rule for Z.ai: 32 hexadecimal digits, a dot, 16 letters and digits.'
  },
  keyDetector(
    {
      id: 'minimax_key',
      label: 'MINIMAX_API_KEY',
      title: 'MiniMax API key',
      hits: () => ['sk-api-' + filler(119)],
      misses: () => ['sk-api-' + filler(40), 'sk-api-gateway-service'],
      source: 'betterleaks rule minimax-api-key: sk-api- and 119 characters.'
    },
    [{ prefix: 'sk-api-', set: base64UrlSet, min: 115, max: 125 }]
  ),
  keyDetector(
    {
      id: 'nvidia_nim_key',
      label: 'NVIDIA_API_KEY',
      title: 'NVIDIA API key',
      hits: () => ['nvapi-' + filler(64)],
      misses: () => ['nvapi-' + filler(20), 'nvapi-wrapper'],
      source: 'betterleaks rule nvidia-api-key: nvapi- and 60 to 70 characters.'
    },
    [{ prefix: 'nvapi-', set: base64UrlSet, min: 60, max: 70 }]
  ),
  keyDetector(
    {
      id: 'cerebras_key',
      label: 'CEREBRAS_API_KEY',
      title: 'Cerebras API key',
      hits: () => ['csk-' + filler(48, lowerDigitLetters)],
      misses: () => ['csk-' + filler(20), 'csk-name'],
      source: 'betterleaks rule cerebras-api-key: csk- and 48 letters and digits.'
    },
    [{ prefix: 'csk-', set: base62Set, min: 48, max: 48 }]
  ),
  keyDetector(
    {
      id: 'friendli_key',
      label: 'FRIENDLI_TOKEN',
      title: 'Friendli token',
      hits: () => ['flp_' + filler(46)],
      misses: () => ['flp_' + filler(20), 'flp_name'],
      source: 'titus rule for Friendli: flp_ and 46 letters and digits.'
    },
    [{ prefix: 'flp_', set: base62Set, min: 46, max: 46, judge: generatedJudge }]
  ),
  contextKeyDetector(
    {
      id: 'ai21_key',
      label: 'AI21_API_KEY',
      title: 'AI21 API key',
      tier: 'medium',
      hits: () => [`AI21_API_KEY=${fillerUuid()}`],
      misses: () => [fillerUuid(), `ai21_request_id=${fillerUuid()}`],
      source: 'titus rule for AI21: a UUID beside the name.'
    },
    { names: ['ai21'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }
  ),
  contextKeyDetector(
    {
      id: 'stability_key',
      label: 'STABILITY_API_KEY',
      title: 'Stability AI API key',
      tier: 'medium',
      hits: () => [`STABILITY_API_KEY=sk-${filler(48)}`],
      misses: () => [`stability_key = ${filler(51)}`, 'stability key: sk-loading'],
      source: 'betterleaks rule stability-ai-api-key: sk- and 48 letters and digits beside the name.'
    },
    { names: ['stability', ...spellings('stability ai')], set: base64UrlSet, min: 51, max: 51, judge: skJudge }
  ),
  contextKeyDetector(
    {
      id: 'lighton_key',
      label: 'LIGHTON_API_KEY',
      title: 'LightOn Paradigm API key',
      hits: () => [`PARADIGM_API_KEY=${filler(48)}`, `lightonToken: "${filler(48)}"`],
      misses: () => [filler(48), 'paradigm_key = shift'],
      source: 'betterleaks rule lighton-paradigm-api-key: 48 characters beside the name.'
    },
    { names: ['lighton', 'paradigm'], set: base64UrlSet, min: 48, max: 48 }
  ),
  keyDetector(
    {
      id: 'replicate_token',
      label: 'REPLICATE_TOKEN',
      title: 'Replicate API token',
      hits: () => ['r8_' + filler(37)],
      misses: () => ['r8_' + filler(20), 'r8_unorm_image_format_of_the_texture_4_x', 'br8_' + filler(37)],
      source: 'betterleaks rule replicate-api-token: r8_ and 37 letters and digits.'
    },
    [
      {
        prefix: 'r8_',
        set: base62Set,
        min: 37,
        max: 48,
        judge: (body) =>
          body.length === 37 ? generatedJudge(body) : looksRandom(body, 0, body.length) ? 'medium' : undefined
      }
    ]
  ),
  contextKeyDetector(
    {
      id: 'baseten_key',
      label: 'BASETEN_API_KEY',
      title: 'Baseten API key',
      hits: () => [`BASETEN_API_KEY=${filler(8)}.${filler(32)}`],
      misses: () => [`${filler(8)}.${filler(32)}`, `BASETEN_API_KEY=${filler(41)}`],
      source: 'titus rule for Baseten: 8 letters and digits, a dot, 32 more.'
    },
    {
      names: ['baseten'],
      set: charSet('A-Z', 'a-z', '0-9', '.'),
      min: 41,
      max: 41,
      judge: (value) => (value[8] === '.' && looksGenerated(value.slice(9)) ? 'medium' : undefined)
    }
  ),
  contextKeyDetector(
    {
      id: 'private_ai_key',
      label: 'PRIVATE_AI_KEY',
      title: 'Private AI API key',
      hits: () => [`privateai_api_token = "${filler(32, lowerDigitLetters)}"`],
      misses: () => [filler(32, lowerDigitLetters), `privateai_token = ${filler(20)}`],
      source: 'gitleaks rule privateai-api-token: 32 letters and digits beside the name.'
    },
    { names: spellings('private ai'), set: lowerDigitSet, min: 32, max: 32 }
  ),
  contextKeyDetector(
    {
      id: 'deepai_key',
      label: 'DEEPAI_API_KEY',
      title: 'DeepAI API key',
      hits: () => [`DEEPAI_API_KEY=${fillerUuid()}`],
      misses: () => [fillerUuid(), `deepai_job = ${fillerUuid()}`],
      source: 'kingfisher rule for DeepAI: a UUID beside the name.'
    },
    { names: spellings('deep ai'), set: uuidSet, min: 36, max: 36, judge: uuidJudge }
  )
]
