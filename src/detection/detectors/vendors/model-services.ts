/** Services around models: speech, embeddings, and the tracing of calls. */
import { base64UrlSet, charSet, hexSet, lowerDigitSet, lowerHexSet, uuidSet, wordSet } from '../../text/chars.ts'
import { contextKeyDetector, keyOrContextDetector, spellings, uuidJudge } from '../../keys/context-key.ts'
import { generatedJudge } from '../../keys/generated.ts'
import type { Detector } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { keyDetector } from '../../keys/fixed-key.ts'
import { filler, fillerUuid, hexLetters, lowerDigitLetters } from '../../sample-text.ts'

const speech: readonly Detector[] = [
  keyOrContextDetector(
    {
      id: 'elevenlabs_key',
      label: 'ELEVENLABS_API_KEY',
      title: 'ElevenLabs API key',
      hits: () => ['sk_' + filler(48, hexLetters), `ELEVENLABS_API_KEY=${filler(32, hexLetters)}`],
      misses: () => ['sk_bulk_insert', 'sk_' + filler(47, hexLetters), filler(32, hexLetters)],
      source: 'betterleaks rule for ElevenLabs: sk_ and 48 hexadecimal digits; 32 of them beside the name before.'
    },
    [{ prefix: 'sk_', set: lowerHexSet, min: 48, max: 48 }],
    [{ names: [...spellings('eleven labs'), 'xi-api-key', 'xi_api_key'], set: lowerHexSet, min: 32, max: 32 }]
  ),
  contextKeyDetector(
    {
      id: 'deepgram_key',
      label: 'DEEPGRAM_API_KEY',
      title: 'Deepgram API key',
      tier: 'medium',
      hits: () => [`DEEPGRAM_API_KEY=${filler(40, hexLetters)}`, `deepgramKEY ${filler(40, lowerDigitLetters)}`],
      misses: () => [filler(40, hexLetters), `deepgram commit ${filler(40, hexLetters)}`],
      source: 'betterleaks and titus rules for Deepgram: 40 hexadecimal digits beside the name.'
    },
    { names: ['deepgram', 'dg_api_key'], set: lowerDigitSet, min: 40, max: 40 }
  ),
  contextKeyDetector(
    {
      id: 'assemblyai_key',
      label: 'ASSEMBLYAI_API_KEY',
      title: 'AssemblyAI API key',
      tier: 'medium',
      hits: () => [
        `ASSEMBLYAI_API_KEY=${filler(32, hexLetters)}`,
        `aai.assemblyai.key: ${filler(32, lowerDigitLetters)}`
      ],
      misses: () => [filler(32, hexLetters), `assemblyai md5 key ${filler(32, hexLetters)}`],
      source: 'betterleaks and titus rules for AssemblyAI: 32 letters and digits beside the name.'
    },
    { names: spellings('assembly ai'), set: lowerDigitSet, min: 32, max: 32 }
  )
]

const embeddings: readonly Detector[] = [
  keyDetector(
    {
      id: 'voyage_key',
      label: 'VOYAGE_API_KEY',
      title: 'Voyage AI API key',
      hits: () => ['pa-' + filler(43)],
      misses: () => ['pa-' + filler(20), 'spa-' + filler(43), 'pa-europe-west-of-the-mountains-and-the-river-seine'],
      source: 'titus rule for Voyage AI: pa- and 43 characters.'
    },
    [{ prefix: 'pa-', set: base64UrlSet, min: 43, max: 43, judge: generatedJudge }]
  ),
  keyDetector(
    {
      id: 'jina_key',
      label: 'JINA_API_KEY',
      title: 'Jina AI API key',
      hits: () => ['jina_' + filler(60)],
      misses: () => ['jina_' + filler(20), 'jina_embeddings'],
      source: 'titus rule for Jina AI: jina_ and 60 characters.'
    },
    [{ prefix: 'jina_', set: base64UrlSet, min: 60, max: 60, judge: generatedJudge }]
  ),
  keyOrContextDetector(
    {
      id: 'pinecone_key',
      label: 'PINECONE_API_KEY',
      title: 'Pinecone API key',
      hits: () => [`pcsk_${filler(6)}_${filler(63)}`, `PINECONE_API_KEY=${fillerUuid()}`],
      misses: () => [fillerUuid(), 'pcsk_' + filler(20), `pinecone_vector_id = ${fillerUuid()}`],
      source:
        'betterleaks rules for Pinecone: pcsk_, 5 or 6 characters, an underscore, 63; a UUID beside the name before.'
    },
    [{ prefix: 'pcsk_', set: wordSet, min: 66, max: 72 }],
    [{ names: ['pinecone'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }]
  )
]

const tracing: readonly Detector[] = [
  keyDetector(
    {
      id: 'langsmith_key',
      label: 'LANGSMITH_API_KEY',
      title: 'LangSmith API key',
      hits: () => ['pt', 'sk'].map((kind) => `lsv2_${kind}_${filler(32, hexLetters)}_${filler(10, hexLetters)}`),
      misses: () => ['lsv2_pt_' + filler(20, hexLetters), 'lsv2_sk_name', `ls__${filler(20, hexLetters)}`],
      source: 'betterleaks rules for LangSmith: lsv2_pt_ or lsv2_sk_, 32 and 10 hexadecimal digits; ls__ and 32 before.'
    },
    [
      ...['lsv2_pt_', 'lsv2_sk_'].map((prefix) => ({
        prefix,
        set: charSet('0-9', 'a-f', '_'),
        min: 43,
        max: 43,
        judge: (body: string): Confidence | undefined => (body[32] === '_' ? 'strong' : undefined)
      })),
      { prefix: 'ls__', set: lowerHexSet, min: 32, max: 32 }
    ]
  ),
  keyDetector(
    {
      id: 'langfuse_key',
      label: 'LANGFUSE_SECRET_KEY',
      title: 'Langfuse key',
      hits: () => ['sk-lf-' + fillerUuid(), 'pk-lf-' + fillerUuid()],
      misses: () => ['sk-lf-' + filler(20), 'sk-lf-...'],
      source:
        'Prefixes as seen in public code: sk-lf- and pk-lf- (made to be public) with a UUID. Not confirmed by documentation.'
    },
    [
      { prefix: 'sk-lf-', set: uuidSet, min: 36, max: 36, judge: (body) => uuidJudge(body) && 'strong' },
      { prefix: 'pk-lf-', set: uuidSet, min: 36, max: 36, judge: uuidJudge, tier: 'low' }
    ]
  ),
  keyOrContextDetector(
    {
      id: 'wandb_key',
      label: 'WANDB_API_KEY',
      title: 'Weights & Biases API key',
      hits: () => ['wandb_v1_' + filler(77), `WANDB_API_KEY=${filler(40, hexLetters)}`],
      misses: () => [filler(40, hexLetters), `wandb_commit = ${filler(40, hexLetters)}`, 'wandb_v1_name'],
      source: 'betterleaks rules for Weights & Biases: wandb_v1_ and 77; 40 hexadecimal digits beside the name before.'
    },
    [{ prefix: 'wandb_v1_', set: wordSet, min: 77, max: 77 }],
    [{ names: ['wandb', 'weightsandbiases', 'weights_and_biases'], set: hexSet, min: 40, max: 40 }]
  )
]

export const modelServiceDetectors: readonly Detector[] = [...speech, ...embeddings, ...tracing]
