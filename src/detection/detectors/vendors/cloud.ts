/**
 * Cloud vendors other than Amazon, Google and Microsoft: Alibaba, Tencent, IBM, Oracle, Yandex, OVH, Scaleway and
 * others.
 */
import {
  base62Set,
  base64Set,
  base64UrlSet,
  charSet,
  countOf,
  dotSet,
  dottedNameSet,
  leftClear,
  lowerHexSet,
  rightClear,
  runEnd,
  upperDigitSet,
  uuidSet,
  wordSet
} from '../../text/chars.ts'
import { contextKeyDetector, keyOrContextDetector, spellings, uuidJudge } from '../../keys/context-key.ts'
import { generatedJudge, looksGenerated } from '../../keys/generated.ts'
import type { Detector } from '../../detector.ts'
import { guarded, keyDetector } from '../../keys/fixed-key.ts'
import {
  base64Letters,
  filler,
  fillerUuid,
  hexLetters,
  lowerDigitLetters,
  upperDigitLetters
} from '../../sample-text.ts'

const ocidSet = charSet('a-z', '0-9', '._-')
/** Where the last OCID that was found ends: one that begins before is part of it. */
const lastOcid = { textNumber: 0, end: 0 }

const alibabaNames = ['alibaba', 'aliyun', 'alicloud', 'alibabacloud']

const alibaba: readonly Detector[] = [
  keyDetector(
    {
      id: 'alibaba_access_key_id',
      label: 'ALIBABA_ACCESS_KEY_ID',
      title: 'Alibaba Cloud access key ID',
      hits: () => ['LTAI' + filler(20), `accessKeyId: ${'LTAI' + filler(17)}`],
      misses: () => ['LTAI' + filler(8), 'x' + 'LTAI' + filler(20), 'LTAI' + filler(30)],
      source: 'gitleaks rule alibaba-access-key-id: LTAI and 17 to 21 characters; ids of 2017 have 12.'
    },
    [
      {
        prefix: 'LTAI',
        set: base62Set,
        min: 12,
        max: 22,
        judge: (body) => (body.length >= 16 || body.length === 12 ? generatedJudge(body) : undefined)
      }
    ]
  ),
  contextKeyDetector(
    {
      id: 'alibaba_access_key_secret',
      label: 'ALIBABA_ACCESS_KEY_SECRET',
      title: 'Alibaba Cloud access key secret',
      hits: () => [`alibaba_access_key_secret = ${filler(30)}`, `ALIYUN_SECRET_KEY="${filler(30)}"`],
      misses: () => [`alibaba_access_key_secret = ${filler(31)}`, filler(30), 'aliyun accessKeySecret: <secret>'],
      source: 'gitleaks rule alibaba-secret-key: 30 letters and digits beside the name.'
    },
    { names: alibabaNames, set: base62Set, min: 30, max: 30 }
  ),
  keyOrContextDetector(
    {
      id: 'alibaba_sts_token',
      label: 'ALIBABA_STS_TOKEN',
      title: 'Alibaba Cloud STS credential',
      hits: () => ['STS.' + filler(21), `ALIBABA_TOKEN=CAIS${filler(80, base64Letters)}`],
      misses: () => ['STS.getCallerIdentityOperation', `"CAIS${filler(80, base64Letters)}"`, 'STS.AssumeRole'],
      source: 'betterleaks rules for Alibaba STS: STS. and 16 to 64 characters; security tokens begin with CAIS.'
    },
    [{ prefix: 'STS.', set: base62Set, min: 16, max: 64, judge: generatedJudge }],
    [
      {
        names: alibabaNames,
        set: base64Set,
        min: 40,
        max: 1024,
        padding: 2,
        judge: (value) => (value.startsWith('CAI') && looksGenerated(value) ? 'strong' : undefined)
      }
    ]
  )
]

const tencent: readonly Detector[] = [
  keyDetector(
    {
      id: 'tencent_secret_id',
      label: 'TENCENT_SECRET_ID',
      title: 'Tencent Cloud secret ID',
      hits: () => ['AKID' + filler(32)],
      misses: () => ['AKID' + filler(31), 'x' + 'AKID' + filler(32), 'AKID' + filler(36, base64Letters)],
      source: 'CredSweeper rule for Tencent: AKID and 32 characters.'
    },
    [{ prefix: 'AKID', set: base62Set, min: 32, max: 32, judge: generatedJudge, boundary: base64UrlSet }]
  ),
  contextKeyDetector(
    {
      id: 'tencent_secret_key',
      label: 'TENCENT_SECRET_KEY',
      title: 'Tencent Cloud secret key',
      hits: () => [`TENCENTCLOUD_SECRET_KEY=${filler(32)}`, `qcloud secretKey: "${filler(32)}"`],
      misses: () => [`tencentcloud commit ${filler(32)}`, filler(32), `TENCENT_SECRET_KEY=${filler(33)}`],
      source: 'Tencent Cloud documentation, "Access keys": SecretKey of 32 letters and digits.'
    },
    { names: ['tencent', 'tencentcloud', 'qcloud'], set: base62Set, min: 32, max: 32 }
  )
]

const others: readonly Detector[] = [
  contextKeyDetector(
    {
      id: 'ibm_cloud_iam_key',
      label: 'IBM_CLOUD_API_KEY',
      title: 'IBM Cloud API key',
      hits: () => [`ibmcloud_apikey = ${filler(44)}`, `IBM_API_KEY: "${filler(42)}"`, `bx_key=${filler(44)}`],
      misses: () => [`ibm commit ${filler(40, hexLetters)}`, filler(44), `ibmcloud_apikey = ${filler(20)}`],
      source: 'detect-secrets plugin and betterleaks rule for IBM Cloud: 42 to 44 characters beside the name.'
    },
    { names: [...spellings('ibm cloud'), 'ibm', 'bluemix', 'bx'], set: base64UrlSet, min: 42, max: 44 }
  ),
  {
    id: 'oracle_oci_key',
    label: 'ORACLE_OCID',
    lengthMin: 40,
    title: 'Oracle Cloud identifier',
    group: 'secret',
    tier: 'low',
    anchors: [{ literal: 'ocid1.' }],
    match(text, at, { textNumber }) {
      if (!leftClear(text, at, wordSet) || (textNumber === lastOcid.textNumber && at < lastOcid.end)) return undefined
      const end = runEnd(text, at, ocidSet, 255)
      if (end - at < 40 || countOf(text, at, end, dotSet) < 3) return undefined
      lastOcid.textNumber = textNumber
      lastOcid.end = end
      return { start: at, end, confidence: 'strong' }
    },
    hits: () => [`ocid1.user.oc1..${filler(60, lowerDigitLetters)}`],
    misses: () => ['ocid1.user', 'ocid1.tenancy.oc1..example'],
    source: 'Oracle Cloud documentation, "Resource identifiers"; an identifier is no secret, its key is PEM.'
  },
  keyOrContextDetector(
    {
      id: 'yandex_cloud_key',
      label: 'YANDEX_CLOUD_KEY',
      title: 'Yandex Cloud key',
      hits: () => [
        'AQVN' + filler(36),
        `yandexToken="YC${filler(38)}"`,
        `t1.${filler(40)}.${filler(86)}`,
        `yandex_token: t1.${filler(40)}.${filler(86)}=`
      ],
      misses: () => ['AQVN' + filler(12), `"YC${filler(38)}"`, 't1.id = t2.id', 't1.created_at.at_time_zone'],
      source: 'gitleaks rules yandex-api-key, yandex-aws-access-token and yandex-access-token.'
    },
    [
      { prefix: 'AQVN', set: base64UrlSet, min: 35, max: 38, judge: generatedJudge },
      {
        prefix: 't1.',
        set: dottedNameSet,
        min: 90,
        max: 600,
        judge: (body) => (body.length - body.lastIndexOf('.') >= 87 ? generatedJudge(body) : undefined)
      }
    ],
    [
      {
        names: ['yandex'],
        set: base64UrlSet,
        min: 40,
        max: 40,
        judge: (value) => (value.startsWith('YC') && looksGenerated(value) ? 'strong' : undefined)
      }
    ]
  ),
  contextKeyDetector(
    {
      id: 'scaleway_secret',
      label: 'SCALEWAY_SECRET_KEY',
      title: 'Scaleway secret key',
      hits: () => [`SCW_SECRET_KEY=${fillerUuid()}`, `scaleway_secret = "${fillerUuid()}"`],
      misses: () => [`SCW_DEFAULT_PROJECT_ID=${fillerUuid()}`, fillerUuid(), 'SCW_SECRET_KEY=<uuid>'],
      source: 'Scaleway documentation, "API keys": the secret key is a UUID.'
    },
    { names: ['scaleway', 'scw_secret', 'scw'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }
  ),
  contextKeyDetector(
    {
      id: 'ovh_keys',
      label: 'OVH_KEY',
      title: 'OVHcloud key',
      tier: 'medium',
      hits: () => [`OVH_APPLICATION_SECRET="${filler(32)}"`, `ovh_application_key = "${filler(16)}"`],
      misses: () => [`ovh_region = ${filler(16)}`, filler(32), 'OVH_APPLICATION_KEY=gravelines'],
      source:
        'betterleaks rules for OVH: 16 characters for the application key, 32 for its secret and the consumer key.'
    },
    { names: ['ovh', 'ovhcloud'], set: base64UrlSet, min: 32, max: 32 },
    { names: ['ovh', 'ovhcloud'], set: base64UrlSet, min: 16, max: 16 }
  ),
  keyDetector(
    {
      id: 'exoscale_key',
      label: 'EXOSCALE_KEY',
      title: 'Exoscale API key',
      hits: () => ['EXO' + filler(24, hexLetters)],
      misses: () => ['EXO' + filler(23, hexLetters), 'EXOPLANET', 'xEXO' + filler(24, hexLetters)],
      source: 'betterleaks rule exoscale-api-key: EXO and 24 hexadecimal digits.'
    },
    [{ prefix: 'EXO', set: lowerHexSet, min: 24, max: 24 }]
  ),
  keyDetector(
    {
      id: 'upcloud_token',
      label: 'UPCLOUD_TOKEN',
      title: 'UpCloud API token',
      hits: () => ['ucat_' + filler(26, upperDigitLetters)],
      misses: () => ['ucat_' + filler(20, upperDigitLetters), 'educat_' + filler(26, upperDigitLetters)],
      source: 'betterleaks rule upcloud-api-token: ucat_ and 26 capitals and digits.'
    },
    [{ prefix: 'ucat_', set: upperDigitSet, min: 26, max: 26 }]
  ),
  contextKeyDetector(
    {
      id: 'infomaniak_token',
      label: 'INFOMANIAK_TOKEN',
      title: 'Infomaniak API token',
      hits: () => [`INFOMANIAK_TOKEN=${filler(72)}`],
      misses: () => [filler(72), `INFOMANIAK_TOKEN=${filler(30)}`],
      source: 'betterleaks rule infomaniak-api-token: 72 characters beside the name.'
    },
    { names: ['infomaniak'], set: base64UrlSet, min: 72, max: 86 }
  ),
  keyDetector(
    {
      id: 'openshift_token',
      label: 'OPENSHIFT_TOKEN',
      title: 'OpenShift user token',
      hits: () => ['sha256~' + filler(43)],
      misses: () => ['sha256~' + filler(20), 'sha256:' + filler(64, hexLetters)],
      source: 'gitleaks rule openshift-user-token: sha256~ and 43 characters of base64url.'
    },
    [{ prefix: 'sha256~', set: base64UrlSet, min: 43, max: 43 }]
  )
]

/** How far behind the `type` of a service account its private key is looked for, in code units. */
const accountUnitsMax = 400

/** Key files of Google Cloud. Their parts are secrets because of their place in the file, not their form. */
const googleFiles: readonly Detector[] = [
  {
    id: 'gcp_service_account_json',
    label: 'GCP_SERVICE_ACCOUNT_KEY',
    lengthMin: 90,
    title: 'private key of a Google Cloud service account',
    group: 'secret',
    tier: 'high',
    anchors: [{ literal: 'service_account' }],
    match(text, at) {
      const name = text.slice(at, at + accountUnitsMax).indexOf('private_key' + '"')
      const escaped = text.slice(at, at + accountUnitsMax).indexOf('private_key' + '\\"')
      const from = name < 0 ? escaped : name
      if (from < 0) return undefined
      const head = text.slice(at + from, at + from + 60).indexOf(pemHead)
      if (head < 0) return undefined
      const start = at + from + head
      const end = runEnd(text, start + pemHead.length, pemBodySet, 4096)
      if (end - start < 100 + pemHead.length) return undefined
      return { start, end: pastFooter(text, end), confidence: 'certain' }
    },
    hits: () => [
      `{"type": "service_account", "project_id": "p", "private_key": "${pemHead}\\n${filler(400)}\\n${pemFoot}\\n"}`
    ],
    misses: () => [
      '{"type": "service_account", "private_key": "..."}',
      `roles/iam.service_account private_key`,
      `{"type": "service_account", "private_key": "${pemHead}\\nkey\\n${pemFoot}\\n"}`
    ],
    source: 'Google Cloud documentation, "Create and delete service account keys": the JSON key file.'
  },
  {
    id: 'gcp_adc_refresh_json',
    label: 'GCP_CLIENT_SECRET',
    lengthMin: 60,
    title: 'client secret of Google application default credentials',
    group: 'secret',
    tier: 'high',
    anchors: [{ literal: '.apps.googleusercontent.com' }],
    match(text, at) {
      const name = text.slice(at, at + 120).indexOf('client_secret')
      if (name < 0) return undefined
      const from = at + name + 13
      const start = from + skipTo(text.slice(from, from + 12))
      const end = runEnd(text, start, base64UrlSet, 36)
      if (start === from || end - start < 20 || end - start > 35 || !rightClear(text, end, wordSet)) return undefined
      if (!looksGenerated(text.slice(start, end))) return undefined
      return guarded(text, { start, end, confidence: 'strong', byContext: true })
    },
    hits: () => [
      `{"client_id": "1-a.apps.googleusercontent.com", "client_secret": "${filler(24)}", "refresh_token": "1"}`
    ],
    misses: () => [
      '{"client_id": "1-a.apps.googleusercontent.com", "client_secret": "..."}',
      '{"client_id": "1-a.apps.googleusercontent.com"}'
    ],
    source: 'Files of gcloud auth application-default login: client id, client secret and refresh token.'
  },
  keyDetector(
    {
      id: 'gcs_hmac_key',
      label: 'GCS_HMAC_KEY',
      title: 'Google Cloud Storage HMAC access ID',
      tier: 'medium',
      hits: () => ['GOOG' + filler(57, upperDigitLetters), 'GOOG' + filler(20, upperDigitLetters)],
      misses: () => ['GOOGLE_APPLICATION_CREDENTIALS', 'GOOG', 'GOOGLETAGMANAGERCONTAINER'],
      source: 'Google Cloud Storage documentation, "HMAC keys": access ids of 24 and 61 characters.'
    },
    [{ prefix: 'GOOG', set: upperDigitSet, min: 16, max: 60, judge: generatedJudge }]
  )
]

const pemHead = '-----BEGIN ' + 'PRIVATE KEY-----'
const pemFoot = '-----END ' + 'PRIVATE KEY-----'
const pemBodySet = charSet('A-Z', 'a-z', '0-9', '+/=\\\n\r')

function pastFooter(text: string, at: number): number {
  if (!text.startsWith(pemFoot, at)) return at
  return runEnd(text, at + pemFoot.length, charSet('\\n'), 3)
}

/** Past quotes, blanks and a colon. */
function skipTo(text: string): number {
  return runEnd(text, 0, charSet('\\":= \''), text.length)
}

export const cloudDetectors: readonly Detector[] = [...alibaba, ...tencent, ...others, ...googleFiles]
