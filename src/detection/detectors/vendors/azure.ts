/** Microsoft Azure. */
import {
  anyBase64Set,
  base62Set,
  base64Set,
  base64UrlSet,
  charSet,
  type CharSet,
  countOf,
  digitSet,
  hexSet,
  inSet,
  lowerDigitSet,
  lowerHexSet,
  padSet,
  rightClear,
  runEnd
} from '../../text/chars.ts'
import {
  contextAnchors,
  contextKeyDetector,
  matchContextForms,
  settingJoints,
  spellings,
  type ContextForm
} from '../../keys/context-key.ts'
import type { Detector, Match } from '../../detector.ts'
import { guarded, reaches } from '../../keys/fixed-key.ts'
import { azureSharedAccessDetectors } from './azure-shared-access.ts'
import { base64Letters, filler, hexLetters } from '../../sample-text.ts'

const base32Letters = 'abcdefghijklmnopqrstuvwxyz234567'
/** The mark in a common annotated security key (CASK), and the offsets of that mark and of the service's in the key. */
const signature = 'JQ' + 'QJ'
const signatureAt = 52
const serviceAt = 76
const identifiableLength = 84
const sampleIdentifiable = (service: string) =>
  `${filler(signatureAt)}${signature}99BAC${filler(serviceAt - signatureAt - 9)}${service}${filler(4, undefined, 5)}`
/** Services whose keys have a kind of their own. */
const devopsService = 'AZ' + 'DO'
const modelService = 'AC' + 'OG'

/**
 * An annotated key around its mark. The two digits behind the mark are 99 in all real keys that were seen. The last
 * characters are a Marvin checksum, which is not verified here: length, mark and service are evidence enough.
 */
function annotatedKey(text: string, at: number, wanted: (service: string) => boolean): Match | undefined {
  const start = at - signatureAt
  if (!reaches(text, start, at, base62Set, base64Set)) return undefined
  const bodyEnd = runEnd(text, at, base62Set, identifiableLength - signatureAt + 5)
  const length = bodyEnd - start
  if (length < identifiableLength || length > identifiableLength + 2) return undefined
  // Keys with one more character in the middle occur; the service's mark is at a fixed distance from the end.
  const service = start + serviceAt + length - identifiableLength
  if (!wanted(text.slice(service, service + 4))) return undefined
  const confidence = text.startsWith('99', at + signature.length) ? 'strong' : 'medium'
  return guarded(text, { start, end: runEnd(text, bodyEnd, padSet, 2), confidence })
}

/** A base64 key of one service, with the service's mark before its checksum. */
interface SignedForm {
  readonly sign: string
  /** The offset of the mark, and the length of the whole key with its padding. */
  readonly at: number
  readonly length: number
  readonly padding: number
  readonly set: CharSet
}
const signedForms: readonly SignedForm[] = [
  ...['AI' + 'oT', '+A' + 'Sb', '+A' + 'Eh', '+A' + 'Rm', 'Az' + 'Ca', 'AZ' + 'EG'].map((sign) => ({
    sign,
    at: 33,
    length: 44,
    padding: 1,
    set: base64Set
  })),
  ...['AP' + 'IM', 'AC' + 'Db', '+A' + 'Ba', '+A' + 'MC'].map((sign) => ({
    sign,
    at: 76,
    length: 88,
    padding: 2,
    set: base64Set
  })),
  { sign: 'Az' + 'Fu', at: 44, length: 56, padding: 2, set: base64UrlSet },
  { sign: 'Az' + 'Se', at: 42, length: 52, padding: 0, set: base62Set },
  { sign: '+A' + 'CR', at: 42, length: 52, padding: 0, set: base64Set }
]
const sampleSigned = ({ sign, at, length, padding, set }: SignedForm) =>
  filler(at, set === base64Set ? base64Letters : undefined) +
  sign +
  'A' +
  filler(length - padding - at - 6) +
  'A' +
  '='.repeat(padding)

function signedKey(text: string, at: number): Match | undefined {
  const form = signedForms.find((one) => text.startsWith(one.sign, at))
  if (form === undefined) return undefined
  const start = at - form.at
  const end = start + form.length
  const bodyEnd = end - form.padding
  if (!reaches(text, start, at, form.set, anyBase64Set)) return undefined
  if (runEnd(text, at, form.set, bodyEnd - at) !== bodyEnd) return undefined
  if (runEnd(text, bodyEnd, padSet, form.padding + 1) !== end || !rightClear(text, end, anyBase64Set)) return undefined
  return guarded(text, { start, end, confidence: 'strong' })
}

const identifiable: Detector = {
  id: 'azure_identifiable_key',
  label: 'AZURE_KEY',
  lengthMin: 44,
  title: 'Azure key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: signature }, ...signedForms.map((form) => ({ literal: form.sign }))],
  match: (text, at) =>
    signedKey(text, at) ?? annotatedKey(text, at, (service) => service !== devopsService && service !== modelService),
  hits: () => [
    sampleIdentifiable('A' + 'PIM'),
    `api-key: ${sampleIdentifiable('AZSE')}`,
    ...signedForms.map(sampleSigned)
  ],
  misses: () => [
    filler(30) + signature + filler(28),
    sampleIdentifiable('APIM') + 'abcdefg',
    signature,
    'x' + sampleSigned(signedForms[0] as SignedForm),
    'import { apimClient } from "k8s.io/apimachinery"'
  ],
  source:
    'microsoft/security-utilities: common annotated security keys of 84 characters with a signature at offset 52; ' +
    'identifiable keys of 32 and 64 bytes with the signature of the service before their checksum.'
}

const azure = (service: string) => spellings(`azure ${service}`, settingJoints)
const devopsForms: ContextForm[] = [
  {
    names: [
      ...azure('devops'),
      'azdo',
      'ado_pat',
      'ado_token',
      'vsts',
      'dev.azure.com',
      'azp_token',
      'system_accesstoken'
    ],
    set: lowerDigitSet,
    min: 52,
    max: 52
  }
]
const byDevopsName = matchContextForms(devopsForms)
const modelForms: ContextForm[] = [
  {
    names: [...azure('openai'), ...spellings('openai azure'), ...azure('cognitive'), 'aoai'],
    set: hexSet,
    min: 32,
    max: 32
  }
]
const byModelName = matchContextForms(modelForms)

const devops: Detector = {
  id: 'azure_devops_pat',
  label: 'AZURE_DEVOPS_PAT',
  lengthMin: 60,
  title: 'Azure DevOps personal access token',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: signature }, ...contextAnchors(devopsForms)],
  match: (text, at, context) =>
    annotatedKey(text, at, (service) => service === devopsService) ?? byDevopsName(text, at, context),
  hits: () => [sampleIdentifiable(devopsService), `AZURE_DEVOPS_PAT=${filler(52, base32Letters)}`],
  misses: () => [filler(52, base32Letters), `azure devops build ${filler(40, hexLetters)}`],
  source:
    'microsoft/security-utilities and titus rules for Azure DevOps: AZDO in an annotated key; 52 characters before.'
}

const models: Detector = {
  id: 'azure_openai_key',
  label: 'AZURE_OPENAI_KEY',
  lengthMin: 40,
  title: 'Azure OpenAI key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: signature }, ...contextAnchors(modelForms)],
  match: (text, at, context) =>
    annotatedKey(text, at, (service) => service === modelService) ?? byModelName(text, at, context),
  hits: () => [sampleIdentifiable(modelService), `azure.openai.api-key=${filler(32, hexLetters)}`],
  misses: () => [filler(32, hexLetters), 'AZURE_OPENAI_ENDPOINT=https://x.openai.azure.com'],
  source: 'Form of keys of Azure AI services: ACOG in an annotated key; 32 hexadecimal digits beside the name before.'
}

const searchKey = contextKeyDetector(
  {
    id: 'azure_search_key',
    label: 'AZURE_SEARCH_KEY',
    title: 'Azure AI Search key',
    hits: () => [`AZURE_SEARCH_KEY=${filler(52)}`],
    misses: () => [filler(52), `azure_search_index = ${filler(20)}`],
    source: 'kingfisher rule for Azure Search: 52 letters and digits beside the name.'
  },
  { names: [...azure('search'), 'cognitive_search'], set: base62Set, min: 52, max: 52 }
)

const gatewayKey = contextKeyDetector(
  {
    id: 'azure_api_management_key',
    label: 'AZURE_SUBSCRIPTION_KEY',
    title: 'subscription key of Azure API Management',
    tier: 'medium',
    hits: () => [
      `Ocp-Apim-Subscription-Key: ${filler(32, hexLetters)}`,
      `https://api.acme.dev/v1?subscription-key=${filler(32, hexLetters)}`
    ],
    misses: () => [filler(32, hexLetters), `subscription-id: ${filler(32, hexLetters)}`],
    source: 'Microsoft documentation, "Subscriptions in Azure API Management": the header and the query parameter.'
  },
  {
    names: ['subscription-key', 'subscription_key', 'subscriptionkey'],
    set: lowerHexSet,
    min: 32,
    max: 32,
    judge: (value) => (countOf(value, 0, value.length, digitSet) >= gatewayDigitsMin ? 'medium' : undefined)
  }
)
const gatewayDigitsMin = 6

const clientSecretSet = charSet('A-Z', 'a-z', '0-9', '_~.-')
const sampleClientSecret = () => 'aB3' + '8Q~' + filler(34)

const clientSecret: Detector = {
  id: 'azure_ad_client_secret',
  label: 'AZURE_CLIENT_SECRET',
  lengthMin: 37,
  title: 'Microsoft Entra client secret',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: 'Q~' }],
  match(text, at) {
    const start = at - 4
    if (!inSet(digitSet, text.charCodeAt(at - 1)) || !reaches(text, start, at, clientSecretSet, clientSecretSet))
      return undefined
    const stop = runEnd(text, at + 2, clientSecretSet, 37)
    const end = text.charCodeAt(stop - 1) === 46 ? stop - 1 : stop
    const length = end - at - 2
    if (length < 31 || length > 34) return undefined
    return guarded(text, { start, end, confidence: 'strong' })
  },
  hits: () => [sampleClientSecret(), `AZURE_CLIENT_SECRET="${sampleClientSecret()}"`],
  misses: () => ['abc8Q~short', 'x' + sampleClientSecret(), 'Q~' + filler(34)],
  source: 'gitleaks rule azure-ad-client-secret: three characters, a digit, Q~, 31 to 34 characters.'
}

export const azureDetectors: readonly Detector[] = [
  identifiable,
  devops,
  models,
  searchKey,
  gatewayKey,
  clientSecret,
  ...azureSharedAccessDetectors
]
