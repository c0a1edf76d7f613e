/** Microsoft Azure. */
import {
  base62Set,
  base64Set,
  charSet,
  digitSet,
  inSet,
  leftClear,
  lowerHexSet,
  runEnd,
  runStart,
  wordSet
} from '../chars.ts'
import type { Detector, Match } from '../detector.ts'
import { guarded, looksRandom, valueAfter } from '../fixed-key.ts'
import { base64Letters, filler } from '../sample-text.ts'

const base64PadSet = charSet('A-Z', 'a-z', '0-9', '+/=')
const signature = 'JQQJ' + '99'
const signatureAt = 52
const identifiableLength = 84
const sampleIdentifiable = () =>
  filler(signatureAt) + signature + 'BAC' + filler(15) + 'Xz' + filler(identifiableLength - 78, undefined, 5)

const identifiable: Detector = {
  id: 'azure_identifiable_key',
  label: 'AZURE_KEY',
  lengthMin: 84,
  title: 'Azure key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: signature }],
  match(text, at) {
    const start = at - signatureAt
    if (start < 0 || runStart(text, at, base62Set, signatureAt + 1) !== start || !leftClear(text, start, base64Set))
      return undefined
    const bodyEnd = runEnd(text, at, base62Set, identifiableLength - signatureAt + 5)
    if (bodyEnd - start !== identifiableLength && bodyEnd - start !== identifiableLength + 2) return undefined
    return { start, end: runEnd(text, bodyEnd, charSet('='), 2), confidence: 'strong' }
  },
  hits: () => [sampleIdentifiable(), `api-key: ${sampleIdentifiable()}`],
  misses: () => [filler(30) + signature + filler(26), sampleIdentifiable() + 'abcdefg', signature],
  source: 'microsoft/security-utilities, common annotated security keys: 84 characters, signature at offset 52.'
}

const storageNames = [
  'accountkey',
  'account_key',
  'storage_key',
  'storagekey',
  'storage key',
  'storage_account_key',
  'account key'
]
const storageLength = 88
const annotatedSign = '+' + 'ASt'
const annotatedAt = 76
const sampleStorage = () => filler(86, base64Letters) + '=='

function isStorageKey(text: string, start: number, end: number): boolean {
  return (
    end - start === storageLength && text.startsWith('==', end - 2) && !inSet(charSet('='), text.charCodeAt(end - 3))
  )
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
      const end = runEnd(text, at, base64PadSet, storageLength)
      return isStorageKey(text, start, end) ? guarded(text, { start, end, confidence: 'strong' }) : undefined
    }
    const value = valueAfter(text, at + 10, base64Set, storageLength - 2, storageLength - 2)
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
    if (start < 0 || !inSet(digitSet, text.charCodeAt(at - 1)) || runStart(text, at, clientSecretSet, 5) !== start)
      return undefined
    const end = runEnd(text, at + 2, clientSecretSet, 36)
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
  const value = valueAfter(text, from, base64Set, 40, 90, 8)
  if (value === undefined || !looksRandom(text, value.start, value.end)) return undefined
  const end = runEnd(text, value.end, charSet('='), 2)
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

/** How far before its signature the other fields of a shared access signature are looked for. */
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
    return guarded(text, { start, end, confidence: 'strong' })
  },
  hits: () => [`https://a.blob.core.windows.net/c?sv=2024-11-04&se=2027-01-01&sp=r&sig=${filler(40)}%2Fab%3D`],
  misses: () => [`sig=${filler(43)}`, 'https://x.dev/?sv=1&se=2&sig=abc', 'https://x.dev/?sv=1&se=2&sig=<signature>'],
  source: 'Azure Storage documentation, "Create an account SAS": sv, se and sig; sig is an HMAC-SHA256 in base64.'
}

function queryStart(text: string, at: number): number {
  let i = at
  while (i > 0 && at - i < queryUnitsMax && !inSet(queryStopSet, text.charCodeAt(i - 1))) i--
  return i
}

export const azureDetectors: readonly Detector[] = [identifiable, storageKey, clientSecret, connectionString, sasToken]
