/** Amazon Web Services. */
import {
  base32Set,
  base62Set,
  base64Set,
  blankSet,
  charSet,
  codeAt,
  countOf,
  hexSet,
  inSet,
  leftClear,
  lowerDigitSet,
  nameJointSet,
  paddedBase64Set,
  padSet,
  rightClear,
  runEnd,
  standsAt,
  upperDigitSet,
  uuidSet,
  wordSet
} from '../../text/chars.ts'
import { uuidJudge } from '../../keys/context-key.ts'
import { looksGenerated } from '../../keys/generated.ts'
import { WordList } from '../../text/word-list.ts'
import type { Detector, Match } from '../../detector.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'
import {
  anchorsOf,
  digitJudge,
  guarded,
  keyDetector,
  looksRandom,
  matchForms,
  type KeyForm
} from '../../keys/fixed-key.ts'
import { digitAndLetterJudge } from '../../keys/key-shape.ts'
import { base32Letters, base64Letters, filler, fillerUuid } from '../../sample-text.ts'

const idPrefixes = ['AKIA', 'ASIA', 'ABIA', 'ACCA']
const idForms: KeyForm[] = [
  ...idPrefixes.map((prefix) => ({ prefix, set: base32Set, min: 16, max: 16, boundary: base62Set })),
  // The fourth character of these varies, and so does their alphabet.
  { prefix: 'A3' + 'T', set: upperDigitSet, min: 17, max: 17, boundary: base62Set, judge: digitJudge }
]
const matchId = matchForms(idForms)
/**
 * Ids of the right length with characters outside of the alphabet: a typing error, or a key altered before it was
 * shown. They are masked, and no secret is looked for behind them.
 */
const alteredForms: KeyForm[] = idPrefixes.map((prefix) => ({
  prefix,
  set: upperDigitSet,
  min: 16,
  max: 16,
  boundary: base62Set,
  judge: digitAndLetterJudge
}))
const sampleId = () => 'AKIA' + filler(16, base32Letters)
const sampleSecret = () => filler(40, base64Letters, 11)

const secretLength = 40
/** How far behind an access key id its secret is looked for, in code units. */
const pairUnitsMax = 120

/** Names that other vendors use for their secrets as well, so that the value must show more. */
const genericNames = ['secret_key', 'secretkey']
const secretNames = [
  'secret_access_key',
  'secret-access-key',
  'secret access key',
  'secretaccesskey',
  'aws_secret_key',
  'aws_secret',
  'awssecretkey',
  'aws secret key',
  ...genericNames
]

function secretNameAt(text: string, at: number): string | undefined {
  for (const name of secretNames) if (standsAt(text, at, name)) return name
  return undefined
}

/**
 * The value behind a name or an id. An equals sign before it is an assignment; one behind its first character belongs
 * to it.
 */
function secretAfter(text: string, from: number, unitsMax: number): { start: number; end: number } | undefined {
  const limit = Math.min(text.length, from + unitsMax)
  let lines = 0
  let i = from
  while (i < limit) {
    const code = text.charCodeAt(i)
    if (code === 10 && ++lines > 1) return undefined
    if (!inSet(base64Set, code)) {
      i++
      continue
    }
    const word = runEnd(text, i, base64Set, secretLength + 1)
    const end = runEnd(text, word, paddedBase64Set, i + secretLength + 1 - word)
    if (end - i === secretLength && rightClear(text, end, wordSet)) {
      // The end of a longer token in base64url.
      if (i > from + 1 && inSet(nameJointSet, text.charCodeAt(i - 1))) return undefined
      const hex = countOf(text, i, end, hexSet) === secretLength
      return hex || !looksGenerated(text.slice(i, end)) ? undefined : { start: i, end }
    }
    if (word - i > secretLength) return undefined
    i = word
  }
  return undefined
}

/** Parameters of a URL that is presigned for one request. It contains the id of the key, and not its secret. */
const signedNames = ['X-Amz-Credential=', 'AWSAccessKeyId=', 'X-Amz-Security-Token=', 'x-amz-security-token=']

function isSigned(text: string, at: number): boolean {
  return signedNames.some((name) => {
    const before = text.charCodeAt(at - name.length - 1)
    return text.startsWith(name, at - name.length) && (before === 63 || before === 38 || before === 59)
  })
}

/**
 * Objects of CloudTrail, GuardDuty and IAM that say which key a call was made with, or which keys there are. No record
 * of these holds a secret.
 */
const recordWords = new WordList(['useridentity', 'user_identity', 'accesskeydetails', 'accesskeymetadata'])
/** More than all fields of such an object before the id, and than the key listed before it, in code units. */
const recordUnits = 400

function isRecorded(text: string, at: number): boolean {
  return recordWords.standsIn(text, Math.max(0, at - recordUnits), at)
}

const namedKeyId = keyDetector(
  {
    id: 'aws_access_key_id',
    label: 'AWS_ACCESS_KEY_ID',
    title: 'AWS access key ID',
    hits: () => [
      sampleId(),
      `id=${sampleId()};`,
      'x\\n' + sampleId(),
      'ASIA' + filler(16, base32Letters, 3),
      'AKIA0189' + filler(12, base32Letters)
    ],
    misses: () => [
      ['AKIA', 'IOSFODNN7', 'EXAMPLE'].join(''),
      'AKIA' + filler(15, base32Letters),
      'zz' + sampleId() + '/Qw',
      'AKIA0189' + filler(13, base32Letters)
    ],
    source: 'AWS IAM User Guide, "IAM identifiers": unique id prefixes; base32 body of 16.'
  },
  [...idForms, ...alteredForms]
)
const accessKeyId: Detector = {
  ...namedKeyId,
  match(text, at, context) {
    const found = namedKeyId.match(text, at, context)
    // An id alone gives no access. Where nobody writes a secret beside it, it is masked and does not block.
    return found !== undefined && (isSigned(text, at) || isRecorded(text, at))
      ? { ...found, confidence: 'medium' }
      : found
  }
}

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
    const name = id === undefined ? secretNameAt(text, at) : undefined
    if (id === undefined && name === undefined) return undefined
    const from = id?.end ?? at + (name as string).length
    const value = secretAfter(text, from, id === undefined ? 48 : pairUnitsMax)
    if (value === undefined) return undefined
    if (name !== undefined && genericNames.includes(name))
      return looksRandom(text, value.start, value.end)
        ? { ...value, confidence: 'medium', byContext: true, tier: 'medium' }
        : undefined
    return guarded(text, { ...value, confidence: 'strong', byContext: true })
  },
  hits: () => [
    `aws_secret_access_key = ${sampleSecret()}`,
    `"SecretAccessKey": "${sampleSecret()}"`,
    `${sampleId()}:${sampleSecret()}`,
    `${sampleId()}\nsecret ${sampleSecret()}`,
    `<aws_secret_keyToken>\n    ${sampleSecret().slice(0, 20)}=${sampleSecret().slice(0, 19)}\n</aws_secret_keyToken>`,
    `secret_key = ${sampleSecret()}`
  ],
  misses: () => [
    sampleSecret(),
    `secret_access_key = ${filler(40, '0123456789abcdef')}`,
    'aws_secret_access_key: process.env.AWS_SECRET_ACCESS_KEY',
    `aws_secret_access_key = ${filler(41, base64Letters, 11)}`,
    `secret_key = "_f-${filler(40)}"`,
    `AWS_SECRET_ACCESS_KEY=${['wJalrXUtnFEMI', '/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'].join('')}`
  ],
  source: 'AWS IAM User Guide, "Manage access keys": 40 characters of base64, shown beside an id.'
}

const sessionPrefixes = ['FwoG', 'IQoJ', 'FQoG', 'Ago' + 'Gb3JpZ2lu', 'Ago' + 'Jb3JpZ2lu']

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
    const end = runEnd(text, body, padSet, 2)
    const near = context.near(at, 40)
    const isSure = near && !isSigned(text, at)
    return guarded(text, { start: at, end, confidence: isSure ? 'strong' : 'medium', byContext: near })
  },
  hits: () => [
    `AWS_SESSION_TOKEN=IQoJ${filler(300, base64Letters)}==`,
    `"SessionToken": "FwoG${filler(200, base64Letters)}"`
  ],
  misses: () => ['IQoJ' + filler(40), 'xyIQoJ' + filler(300, base64Letters)],
  source: 'AWS STS API reference, GetSessionToken; the prefixes are from memory.'
}

const bedrockForms: KeyForm[] = [
  { prefix: 'ABSK', set: base64Set, min: 109, max: 269, boundary: base64Set },
  { prefix: 'bedrock-api-key-', set: base64Set, min: 60, max: 4000 }
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

const appsync = keyDetector(
  {
    id: 'aws_appsync_key',
    label: 'AWS_APPSYNC_KEY',
    title: 'AWS AppSync API key',
    hits: () => ['da2-' + filler(26, 'abcdefghijklmnopqrstuvwxyz234567')],
    misses: () => ['da2-' + filler(20), 'sda2-' + filler(26)],
    source: 'noseyparker rule for AppSync GraphQL keys: da2- and 26 letters and digits.'
  },
  [{ prefix: 'da2-', set: lowerDigitSet, min: 26, max: 26 }]
)

const mws = keyDetector(
  {
    id: 'aws_mws_key',
    label: 'AMAZON_MWS_KEY',
    title: 'Amazon MWS authorization token',
    hits: () => ['amzn.mws.' + fillerUuid()],
    misses: () => ['amzn.mws.' + filler(20), fillerUuid(), 'amzn.mws.example'],
    source: 'noseyparker and TruffleHog rules for Amazon MWS: amzn.mws. and a UUID.'
  },
  [{ prefix: 'amzn.mws.', set: uuidSet, min: 36, max: 36, judge: (body) => uuidJudge(body) && 'strong' }]
)

const secureType = '"SecureString"'
const valueName = '"Value"'
const parameterUnitsMax = 400

/** The value of a Terraform resource, in the lines around its type. */
function resourceValue(text: string, at: number): Match | undefined {
  const from = Math.max(0, at - parameterUnitsMax)
  const open = text.slice(from, at).lastIndexOf('{\n')
  let line = open < 0 ? at : from + open
  for (const one of text.slice(line, at + parameterUnitsMax).split('\n')) {
    const name = argumentAt(text, line)
    // The end of the resource.
    if (line > at && codeAt(text, name) === 125) return undefined
    const sign = text.startsWith(argumentName, name) ? runEnd(text, name + argumentName.length, blankSet, 40) : 0
    const quote = sign > 0 && codeAt(text, sign) === 61 ? runEnd(text, sign + 1, blankSet, 8) : 0
    const units = quote > 0 && codeAt(text, quote) === 34 ? text.slice(quote + 1, line + one.length).indexOf('"') : 0
    if (units > 0) return delimitedPassword(text, quote + 1, quote + 1 + units)
    line += one.length + 1
  }
  return undefined
}
const argumentName = 'value'
const numberSet = charSet('0-9', ' \t')

/** Where the content of a line begins, behind its indent and a line number. */
function argumentAt(text: string, line: number): number {
  const at = runEnd(text, line, numberSet, 40)
  return codeAt(text, at) === 0x2192 ? runEnd(text, at + 1, blankSet, 40) : at
}

/** The value of the parameter whose type stands at `at`: in the same braces, before or behind it. */
function parameterValue(text: string, at: number): Match | undefined {
  if (text.startsWith('= ', at - 2)) return resourceValue(text, at)
  const open = text.slice(Math.max(0, at - parameterUnitsMax), at).lastIndexOf('{')
  const from = open < 0 ? -1 : Math.max(0, at - parameterUnitsMax) + open
  const close = text.slice(at, at + parameterUnitsMax).indexOf('}')
  if (from < 0) return undefined
  const to = close < 0 ? at + parameterUnitsMax : at + close
  const name = text.slice(from, to).indexOf(valueName)
  if (name < 0) return undefined
  const start = runEnd(text, from + name + valueName.length, gapSet, 8) + 1
  const units = text.slice(start, start + parameterUnitsMax).indexOf('"')
  return text.charCodeAt(start - 1) === 34 && units > 0 ? delimitedPassword(text, start, start + units) : undefined
}
const gapSet = charSet(' :\r\n\t')

const parameter: Detector = {
  id: 'aws_secure_parameter',
  label: 'SECRET',
  title: 'value of an encrypted parameter of Systems Manager',
  group: 'secret',
  tier: 'medium',
  lengthMin: 32,
  anchors: [{ literal: secureType }],
  match: parameterValue,
  hits: () => [
    `{"Name": "/shop/climate", "Type": "SecureString", "Value": "${filler(14)}", "Version": 3}`,
    `{\n  "Value": "${filler(14)}",\n  "Type": "SecureString"\n}`,
    `resource "aws_ssm_parameter" "key" {\n  name  = "/\${var.stage}/key"\n  type  = "SecureString"\n  value = "${filler(32)}"\n}`
  ],
  misses: () => [
    '{"Name": "/shop/climate", "Type": "SecureString", "Value": "{{resolve}}"}',
    '"Parameters": [{"Type": "SecureString"}], "Value": "x"',
    `{"Type": "String", "Value": "${filler(14)}"}`,
    'resource "aws_ssm_parameter" "key" {\n  type  = "SecureString"\n  value = var.key\n}',
    `resource "a" "b" {\n  type  = "SecureString"\n}\nresource "c" "d" {\n  value = "${filler(14)}"\n}`
  ],
  source:
    'AWS Systems Manager API reference, GetParameter: the type of a parameter that is stored encrypted is SecureString.'
}

export const awsDetectors: readonly Detector[] = [
  ...[accessKeyId, secretAccessKey, sessionToken, bedrock, appsync, mws, parameter]
]
