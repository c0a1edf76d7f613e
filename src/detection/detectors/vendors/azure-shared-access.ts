/**
 * What gives access to resources of Microsoft Azure whoever has it: keys of storage accounts, shared access keys in
 * connection strings, shared access signatures.
 */
import {
  base64Set,
  behindLast,
  charSet,
  inSet,
  leftClear,
  lowerHexSet,
  paddedBase64Set,
  padSet,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import { guarded, looksRandom, valueAfter } from '../../keys/fixed-key.ts'
import { base64Letters, filler } from '../../sample-text.ts'

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
const percentSet = charSet('A-Z', 'a-z', '0-9', '%+/=_-')
/** What opens the trigger of a workflow: of Logic Apps, Power Automate, and so of Teams. It does not expire. */
const triggers = ['sp=%2Ftriggers%2F', 'sp=/triggers/', 'sp=%252Ftriggers%252F']

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
    if (!query.includes('sv=')) return undefined
    if (!query.includes('se='))
      return triggers.some((one) => query.includes(one))
        ? guarded(text, { start, end, confidence: 'strong', byContext: true })
        : undefined
    return guarded(text, { start, end, confidence: isLowConfidence(query) ? 'medium' : 'strong', byContext: true })
  },
  hits: () => [
    `https://a.blob.core.windows.net/c?sv=2024-11-04&se=2027-01-01&sp=r&sig=${filler(40)}%2Fab%3D`,
    `/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${filler(20)}-${filler(22)}`
  ],
  misses: () => [
    `https://x.dev/?sp=%2Fitems%2Frun&sv=1.0&sig=${filler(43)}`,
    `sig=${filler(43)}`,
    'https://x.dev/?sv=1&se=2&sig=abc',
    'https://x.dev/?sv=1&se=2&sig=<signature>'
  ],
  source:
    'Azure Storage documentation, "Create an account SAS": sv, se and sig; sig is an HMAC-SHA256 in base64. Azure Logic Apps documentation, "Secure access and data": sp, sv and sig.'
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

export const azureSharedAccessDetectors: readonly Detector[] = [storageKey, connectionString, sasToken]
