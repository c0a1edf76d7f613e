/** Amazon Web Services. */
import { base62Set, base64Set, charSet, leftClear, runEnd } from '../chars.ts'
import type { Detector } from '../detector.ts'
import { anchorsOf, guarded, keyDetector, looksRandom, matchForms, valueAfter, type KeyForm } from '../fixed-key.ts'
import { base64Letters, filler } from '../sample-text.ts'

const base32Set = charSet('A-Z', '2-7')
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const idPrefixes = ['AKIA', 'ASIA', 'ABIA', 'ACCA']
const idForms: KeyForm[] = idPrefixes.map((prefix) => ({
  prefix,
  set: base32Set,
  min: 16,
  max: 16,
  boundary: base62Set
}))
const matchId = matchForms(idForms)
const sampleId = () => 'AKIA' + filler(16, base32Letters)
const sampleSecret = () => filler(40, base64Letters, 11)

const secretSet = base64Set
const secretLength = 40
/** How far behind an access key id its secret is looked for. */
const pairUnitsMax = 120

const secretNames = [
  'secret_access_key',
  'secret-access-key',
  'secret access key',
  'secretaccesskey',
  'aws_secret_key',
  'aws_secret',
  'awssecretkey',
  'aws secret key',
  'secret_key',
  'secretkey'
]

const accessKeyId = keyDetector(
  {
    id: 'aws_access_key_id',
    label: 'AWS_ACCESS_KEY_ID',
    title: 'AWS access key id',
    hits: () => [sampleId(), `id=${sampleId()};`, 'x\\n' + sampleId(), 'ASIA' + filler(16, base32Letters, 3)],
    misses: () => [
      ['AKIA', 'IOSFODNN7', 'EXAMPLE'].join(''),
      'AKIA' + filler(15, base32Letters),
      'zz' + sampleId() + '/Qw',
      'AKIA0189' + filler(12, base32Letters)
    ],
    source: 'AWS IAM User Guide, "IAM identifiers": unique id prefixes; base32 body of 16.'
  },
  idForms
)

const secretAccessKey: Detector = {
  id: 'aws_secret_access_key',
  label: 'AWS_SECRET_ACCESS_KEY',
  lengthMin: 50,
  title: 'AWS secret access key',
  group: 'secret',
  tier: 'high',
  anchors: [...secretNames.map((literal) => ({ literal, fold: true }) as const), ...anchorsOf(idForms)],
  match(text, at) {
    const id = matchId(text, at)
    const name =
      id === undefined ? secretNames.find((one) => text.slice(at, at + one.length).toLowerCase() === one) : undefined
    if (id === undefined && name === undefined) return undefined
    const from = id?.end ?? at + (name as string).length
    const value = valueAfter(text, from, secretSet, secretLength, secretLength, id === undefined ? 48 : pairUnitsMax)
    if (value === undefined || !looksRandom(text, value.start, value.end)) return undefined
    return guarded(text, { ...value, confidence: 'strong', byContext: true })
  },
  hits: () => [
    `aws_secret_access_key = ${sampleSecret()}`,
    `"SecretAccessKey": "${sampleSecret()}"`,
    `${sampleId()}:${sampleSecret()}`,
    `${sampleId()}\nsecret ${sampleSecret()}`
  ],
  misses: () => [
    sampleSecret(),
    `secret_access_key = ${filler(40, '0123456789abcdef')}`,
    'aws_secret_access_key: process.env.AWS_SECRET_ACCESS_KEY',
    `aws_secret_access_key = ${filler(41, base64Letters, 11)}`,
    `AWS_SECRET_ACCESS_KEY=${['wJalrXUtnFEMI', '/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'].join('')}`
  ],
  source: 'AWS IAM User Guide, "Manage access keys": 40 characters of base64, shown beside an id.'
}

const sessionPrefixes = ['FwoG', 'IQoJ', 'FQoG']

const sessionToken: Detector = {
  id: 'aws_session_token',
  label: 'AWS_SESSION_TOKEN',
  lengthMin: 100,
  title: 'AWS session token',
  group: 'secret',
  tier: 'high',
  anchors: sessionPrefixes.map((literal) => ({ literal })),
  context: [
    'session_token',
    'session token',
    'sessiontoken',
    'security_token',
    'security-token',
    'securitytoken',
    'aws'
  ],
  match(text, at, context) {
    if (!leftClear(text, at, base64Set)) return undefined
    const body = runEnd(text, at, base64Set, 4096)
    if (body - at < 100) return undefined
    const end = runEnd(text, body, charSet('='), 2)
    const near = context.near(at, 40)
    return { start: at, end, confidence: near ? 'strong' : 'medium', byContext: near }
  },
  hits: () => [
    `AWS_SESSION_TOKEN=IQoJ${filler(300, base64Letters)}==`,
    `"SessionToken": "FwoG${filler(200, base64Letters)}"`
  ],
  misses: () => ['IQoJ' + filler(40), 'xyIQoJ' + filler(300, base64Letters)],
  source: 'AWS STS API reference, GetSessionToken; prefixes as observed in responses of STS.'
}

const bedrockForms: KeyForm[] = [
  { prefix: 'ABSK', set: base64Set, min: 109, max: 269, boundary: charSet('A-Z', 'a-z', '0-9', '+/') },
  { prefix: 'bedrock-api-key-', set: charSet('A-Z', 'a-z', '0-9', '+/='), min: 60, max: 4000 }
]

const bedrock = keyDetector(
  {
    id: 'aws_bedrock_api_key',
    label: 'AWS_BEDROCK_API_KEY',
    title: 'Amazon Bedrock API key',
    hits: () => ['ABSK' + filler(128, base64Letters), ['bedrock', '-api-key-', filler(120)].join('')],
    misses: () => [
      'ABSK' + filler(60, base64Letters),
      'bedrock-api-key-rotation-policy',
      'z' + 'ABSK' + filler(128, base64Letters)
    ],
    source: 'Amazon Bedrock User Guide, "API keys": long-term keys begin with ABSK, short-term with bedrock-api-key-.'
  },
  bedrockForms
)

export const awsDetectors: readonly Detector[] = [accessKeyId, secretAccessKey, sessionToken, bedrock]
