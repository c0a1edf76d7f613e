/** Microsoft Azure. */
import {
  anyBase64Set,
  base62Set,
  base64Set,
  base64UrlSet,
  behindLast,
  charSet,
  countOf,
  digitSet,
  hexSet,
  inSet,
  leftClear,
  lowerDigitSet,
  lowerHexSet,
  paddedBase64Set,
  rightClear,
  runEnd,
  runStart,
  wordSet,
  type CharSet
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
import { guarded, looksRandom, reaches, valueAfter } from '../../keys/fixed-key.ts'
import { base64Letters, filler, hexLetters } from '../../sample-text.ts'

const base32Letters = 'abcdefghijklmnopqrstuvwxyz234567'
const padSet = charSet('=')
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

const storageNames = [
  'accountkey',
  'account_key',
  'storage_key',
  'storagekey',
  'storage key',
  'storage_account_key',
  'account key',
  'access key '
]
const storageLength = 88
const annotatedSign = '+' + 'ASt'
const annotatedAt = 76
const sampleStorage = () => filler(86, base64Letters) + '=='

function isStorageKey(text: string, start: number, end: number): boolean {
  return end - start === storageLength && text.startsWith('==', end - 2) && !inSet(padSet, text.charCodeAt(end - 3))
}

const storageKey: Detector = {
  id: 'azure_storage_account_key',
  label: 'AZURE_STORAGE_KEY',
  lengthMin: 88,
  title: 'Azure storage account key',
  group: 'secret',
  tier: 'high',
  anchors: [...storageNames.map((literal) => ({ literal, fold: true }) as const), { literal: annotatedSign }],
  match(text, at) {
    if (text.startsWith(annotatedSign, at)) {
      const start = at - annotatedAt
      if (start < 0 || runStart(text, at, base64Set, annotatedAt) !== start || !leftClear(text, start, base64Set))
        return undefined
      const end = runEnd(text, at, paddedBase64Set, storageLength)
      return isStorageKey(text, start, end) ? guarded(text, { start, end, confidence: 'strong' }) : undefined
    }
    const value = valueAfter(text, at + 10, storageLength - 2, storageLength - 2)
    if (value === undefined || !isStorageKey(text, value.start, value.end + 2)) return undefined
    return guarded(text, { start: value.start, end: value.end + 2, confidence: 'strong', byContext: true })
  },
  hits: () => [
    `AccountName=a;AccountKey=${sampleStorage()};EndpointSuffix=x`,
    `storage_key: "${sampleStorage()}"`,
    filler(76, base64Letters, 9) + annotatedSign + filler(5) + 'A=='
  ],
  misses: () => [sampleStorage(), 'sha512-' + sampleStorage(), 'AccountKey=<key>;', `AccountKey=${filler(40)}==`],
  source:
    'Azure Storage documentation, "Manage account access keys": 512 bits in base64; annotated form of ' +
    'microsoft/security-utilities.'
}

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

const sharedKeyName = 'sharedaccesskey='
const sampleShared = () => filler(43, base64Letters) + '='

function sharedKey(text: string, from: number): Match | undefined {
  const value = valueAfter(text, from, 40, 90, 8)
  if (value === undefined || !looksRandom(text, value.start, value.end)) return undefined
  const end = runEnd(text, value.end, padSet, 2)
  return guarded(text, { start: value.start, end, confidence: 'strong', byContext: true })
}

const connectionString: Detector = {
  id: 'azure_connection_string',
  label: 'AZURE_SHARED_KEY',
  lengthMin: 56,
  title: 'key of an Azure connection string',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: sharedKeyName, fold: true }, { literal: '.azconfig.io;' }],
  match(text, at) {
    if (!text.startsWith('.azconfig.io;', at)) return sharedKey(text, at + sharedKeyName.length)
    const secret = text.slice(at, at + 160).indexOf('Secret=')
    return secret < 0 ? undefined : sharedKey(text, at + secret + 7)
  },
  hits: () => [
    `Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=${sampleShared()}`,
    `Endpoint=https://shop.azconfig.io;Id=${filler(12)};Secret=${filler(86)}`
  ],
  misses: () => ['SharedAccessKeyName=root;SharedAccessKey=<key>', 'SharedAccessKey=' + filler(12), sampleShared()],
  source: 'Azure Service Bus and App Configuration documentation: connection strings.'
}

/** How far before its signature the other parameters of a SAS are looked for, in code units. */
const queryUnitsMax = 400
const queryStopSet = charSet(' "\'<>`\n\r\t?')
const percentSet = charSet('A-Z', 'a-z', '0-9', '%+/=')

const sasToken: Detector = {
  id: 'azure_sas_token',
  label: 'AZURE_SAS_SIGNATURE',
  lengthMin: 47,
  title: 'Azure shared access signature',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: 'sig=' }],
  match(text, at) {
    if (inSet(wordSet, text.charCodeAt(at - 1))) return undefined
    const start = at + 4
    const end = runEnd(text, start, percentSet, 80)
    if (end - start < 43 || end - start > 72 || inSet(lowerHexSet, text.charCodeAt(end))) return undefined
    const query = text.slice(queryStart(text, at), at)
    if (!query.includes('sv=') || !query.includes('se=')) return undefined
    return guarded(text, { start, end, confidence: isLowConfidence(query) ? 'medium' : 'strong', byContext: true })
  },
  hits: () => [`https://a.blob.core.windows.net/c?sv=2024-11-04&se=2027-01-01&sp=r&sig=${filler(40)}%2Fab%3D`],
  misses: () => [`sig=${filler(43)}`, 'https://x.dev/?sv=1&se=2&sig=abc', 'https://x.dev/?sv=1&se=2&sig=<signature>'],
  source: 'Azure Storage documentation, "Create an account SAS": sv, se and sig; sig is an HMAC-SHA256 in base64.'
}

/** A signature that expired before this year no longer opens anything. There is no clock here (decision 18). */
const yearMin = 2025

/** Whether a signature expired before that year, or only lets one blob be read, like the download link of a release. */
function isLowConfidence(query: string): boolean {
  const expires = query.indexOf('se=')
  if (Number(query.slice(expires + 3, expires + 7)) < yearMin) return true
  return parameter(query, 'sp=') === 'r' && parameter(query, 'sr=') === 'b'
}

function parameter(query: string, name: string): string {
  const from = query.indexOf(name) + name.length
  return from < name.length ? '' : query.slice(from, runEnd(query, from, wordSet, 24))
}

function queryStart(text: string, at: number): number {
  return behindLast(text, at, queryStopSet, queryUnitsMax)
}

export const azureDetectors: readonly Detector[] = [
  identifiable,
  devops,
  models,
  searchKey,
  gatewayKey,
  storageKey,
  clientSecret,
  connectionString,
  sasToken
]
