/** Monitoring, logs, errors, analytics and feature flags. */
import {
  anyPaddedBase64Set,
  base62Set,
  base64UrlSet,
  charSet,
  hexSet,
  labelSet,
  lowerDigitSet,
  lowerHexSet,
  rightClear,
  upperDigitSet,
  upperSet,
  uuidSet,
  wordSet
} from '../../text/chars.ts'
import { contextKeyDetector, uuidJudge } from '../../keys/context-key.ts'
import type { Detector } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { guarded, reaches } from '../../keys/fixed-key.ts'
import {
  digitAndLetterJudge,
  hasDigitAndLetter,
  isMixed,
  shapedDetector,
  shapedOrNamedDetector,
  uuidParts,
  withDigit
} from '../../keys/key-shape.ts'
import { filler, fillerUuid, hexLetters, lowerDigitLetters } from '../../sample-text.ts'
import { crc32 } from '../../validators/crc32.ts'

const datadog = contextKeyDetector(
  {
    id: 'datadog_key',
    label: 'DATADOG_KEY',
    title: 'Datadog key',
    hits: () => [
      `DD_API_KEY=${filler(32, hexLetters)}`,
      `datadog_app_key: "${filler(40, hexLetters)}"`,
      `{"datadogToken": "${filler(40)}"}`
    ],
    misses: () => [filler(32, hexLetters), filler(40, hexLetters), `add_api_key=${filler(33, hexLetters)}`],
    source: 'Datadog documentation, "API and application keys"; betterleaks rules datadog-api-key, -application-key.'
  },
  {
    names: ['datadog', 'dd_api_key', 'dd_app_key', 'dd-api-key', 'dd-application-key', 'dd_application_key'],
    set: base62Set,
    min: 32,
    max: 32,
    judge: digitAndLetterJudge
  },
  {
    names: ['datadog', 'dd_api_key', 'dd_app_key', 'dd-api-key', 'dd-application-key', 'dd_application_key'],
    set: base62Set,
    min: 40,
    max: 40,
    judge: digitAndLetterJudge
  }
)

const newrelicNamed = shapedOrNamedDetector(
  {
    id: 'newrelic_key',
    label: 'NEWRELIC_KEY',
    title: 'New Relic key',
    hits: () => [
      `NEW_RELIC_LICENSE_KEY=${filler(36, hexLetters)}NRAL`,
      `license_key: ${filler(36, hexLetters)}NRAL`,
      `new-relic-key: "${filler(64, lowerDigitLetters)}"`
    ],
    misses: () => ['NRAK-' + filler(26).toUpperCase(), 'NRJS-' + filler(10, hexLetters), 'NRAK-key'],
    source: 'gitleaks rules new-relic-*; New Relic documentation, "API keys": a licence key ends in NRAL.'
  },
  [
    { prefix: 'NRAK-', parts: [[base62Set, 27]], judge: withDigit },
    { prefix: 'NRAA-', parts: [[base62Set, 27]], judge: withDigit },
    { prefix: 'NRII-', parts: [[labelSet, 32]], judge: withDigit },
    { prefix: 'NRIQ-', parts: [[base64UrlSet, 32]], judge: withDigit },
    { prefix: 'NRSP-', parts: [[base64UrlSet, 32]], judge: withDigit },
    { prefix: 'NRJS-', parts: [[hexSet, 19]], tier: 'medium' }
  ],
  [
    {
      names: ['newrelic', 'new_relic', 'new-relic'],
      set: base62Set,
      min: 40,
      max: 40,
      judge: (value) => (value.endsWith('NRAL') || value.endsWith('FFFF') ? 'strong' : digitAndLetterJudge(value))
    },
    {
      names: ['license_key', 'licensekey'],
      set: base62Set,
      min: 40,
      max: 40,
      judge: (value) => (value.endsWith('NRAL') ? 'strong' : undefined)
    },
    { names: ['newrelic', 'new_relic', 'new-relic'], set: lowerDigitSet, min: 64, max: 64 },
    { names: ['newrelic', 'new_relic', 'new-relic'], set: charSet('a-z', '0-9', '-'), min: 40, max: 48 }
  ]
)

/** The end of a licence key, and how much stands before it: hexadecimal digits, behind the region in some. */
const licenceEnd = 'FFFF' + 'NRAL'
const licenceUnits = 32

const newrelic: Detector = {
  ...newrelicNamed,
  anchors: [...newrelicNamed.anchors, { literal: licenceEnd }],
  match(text, at, context) {
    if (!text.startsWith(licenceEnd, at)) return newrelicNamed.match(text, at, context)
    const start = at - licenceUnits
    const end = at + licenceEnd.length
    return reaches(text, start, at, lowerDigitSet, wordSet) && rightClear(text, end, wordSet)
      ? guarded(text, { start, end, confidence: 'strong' })
      : undefined
  },
  hits: () => [...newrelicNamed.hits(), `license: ${filler(licenceUnits, hexLetters)}${licenceEnd}`],
  misses: () => [...newrelicNamed.misses(), filler(licenceUnits - 2, hexLetters) + licenceEnd]
}

const glsa = 'gl' + 'sa_'

/** Certain if the last eight hexadecimal digits are the CRC-32 of what stands before them, lowest byte first. */
function glsaJudge(text: string, start: number, end: number): Confidence {
  return text.slice(end - 8, end).toLowerCase() === glsaSum(text.slice(start, end - 9)) ? 'certain' : 'medium'
}

function glsaSum(body: string): string {
  let sum = crc32(body)
  let out = ''
  for (let i = 0; i < 4; i++, sum >>>= 8) out += (sum & 0xff).toString(16).padStart(2, '0')
  return out
}

/** `powerbi.com/view?r=eyJrIjoi...`: a public report, whose URL begins like such a token. */
function isReport(text: string, start: number): boolean {
  return text.startsWith('?r=', start - 3)
}

const grafana = shapedDetector(
  {
    id: 'grafana_token',
    label: 'GRAFANA_TOKEN',
    title: 'Grafana token',
    hits: () => [glsa + filler(32) + '_' + glsaSum(glsa + filler(32))],
    misses: () => [
      glsa + filler(41),
      'glc_' + filler(20),
      'eyJrIjoi' + filler(12),
      `error_codes_pb2.pyi,sha256=glc_${filler(39)},1208`,
      `https://app.powerbi.com/view?r=eyJrIjoi${filler(100)}`
    ],
    source: 'grafana/grafana pkg/components/satokengen: prefix, 32 characters, CRC-32; gitleaks rules grafana-*.'
  },
  [
    { prefix: glsa, parts: [[base62Set, 32], '_', [hexSet, 8]], judge: glsaJudge },
    { prefix: 'glc_', parts: [[anyPaddedBase64Set, 32, 500]], judge: withDigit },
    {
      prefix: 'eyJrIjoi',
      parts: [[anyPaddedBase64Set, 64, 500]],
      judge: (text, start, end) =>
        hasDigitAndLetter(text, start + 8, end) && !isReport(text, start) ? 'strong' : undefined
    }
  ]
)

const sentry = shapedOrNamedDetector(
  {
    id: 'sentry_token',
    label: 'SENTRY_TOKEN',
    title: 'Sentry token',
    hits: () => [`SENTRY_AUTH_TOKEN=${filler(64, hexLetters)}`],
    misses: () => ['sntryu_' + filler(60, hexLetters), 'sntrys_token', filler(64, hexLetters)],
    source:
      'getsentry/rfcs 0091: sntrys_, the payload in base64, an underscore and 43 characters; sntryu_ and 64 digits.'
  },
  [
    { prefix: 'sntrys_', parts: [[anyPaddedBase64Set, 80, 700]] },
    { prefix: 'sntryu_', parts: [[lowerHexSet, 64]] },
    { prefix: 'sntrya_', parts: [[lowerHexSet, 64]] },
    { prefix: 'sntryi_', parts: [[lowerHexSet, 64]] }
  ],
  [{ names: ['sentry'], set: lowerHexSet, min: 64, max: 64, judge: digitAndLetterJudge }]
)

const posthog = shapedDetector(
  {
    id: 'posthog_key',
    label: 'POSTHOG_KEY',
    title: 'PostHog key',
    misses: () => ['phx_' + filler(20), 'phc_key', 'graphx_' + filler(47)],
    source:
      'PostHog documentation, "Personal API keys"; betterleaks rules posthog-*: a project key is public. OAuth tokens, pha_ and phr_: the source of PostHog, 32 random bytes in base62.'
  },
  [
    { prefix: 'phx_', parts: [[base64UrlSet, 40, 60]], judge: withDigit },
    { prefix: 'phs_', parts: [[base64UrlSet, 40, 60]], judge: withDigit },
    { prefix: 'pha_', parts: [[base64UrlSet, 40, 60]], judge: withDigit },
    { prefix: 'phr_', parts: [[base64UrlSet, 40, 60]], judge: withDigit },
    { prefix: 'phc_', parts: [[base64UrlSet, 40, 60]], judge: withDigit, tier: 'medium' }
  ]
)

const analytics = contextKeyDetector(
  {
    id: 'amplitude_segment_mixpanel',
    label: 'ANALYTICS_KEY',
    title: 'key of an analytics service',
    tier: 'low',
    hits: () => [`AMPLITUDE_API_KEY=${filler(32, hexLetters)}`, `segment_write_key: "${filler(32)}"`],
    misses: () => [filler(32), 'segment_key=' + filler(20)],
    source: 'Amplitude, Segment, Mixpanel: 32 characters; write keys are public by design.'
  },
  { names: ['amplitude', 'mixpanel', 'segment', 'heap'], set: base62Set, min: 32, max: 32 }
)

const launchdarkly = shapedOrNamedDetector(
  {
    id: 'launchdarkly_key',
    label: 'LAUNCHDARKLY_KEY',
    title: 'LaunchDarkly key',
    hits: () => [`LAUNCHDARKLY_ACCESS_TOKEN=${filler(40)}`],
    misses: () => ['sdk-' + filler(12), 'x-api-' + fillerUuid(), fillerUuid()],
    source: 'LaunchDarkly documentation, "Keys": sdk-, api-, mob- and a UUID; the mobile key is public.'
  },
  [
    { prefix: 'sdk-', parts: uuidParts(lowerHexSet), left: base64UrlSet },
    { prefix: 'api-', parts: uuidParts(lowerHexSet), left: base64UrlSet },
    { prefix: 'mob-', parts: uuidParts(lowerHexSet), left: base64UrlSet, tier: 'medium' }
  ],
  [
    { names: ['launchdarkly', 'launch_darkly'], set: base64UrlSet, min: 38, max: 40, padding: 1 },
    { names: ['launchdarkly', 'launch_darkly'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }
  ]
)

const pagers = contextKeyDetector(
  {
    id: 'pagerduty_opsgenie',
    label: 'PAGER_KEY',
    title: 'PagerDuty or Opsgenie key',
    tier: 'medium',
    hits: () => [`PAGERDUTY_API_KEY=${filler(20)}`, `opsgenie_api_key: ${fillerUuid()}`],
    misses: () => [filler(20), fillerUuid(), 'PAGERDUTY_SERVICE=checkout'],
    source: 'TruffleHog detectors pagerdutyapikey (20 characters) and opsgenie (a UUID).'
  },
  { names: ['pagerduty', 'pager_duty'], set: charSet('A-Z', 'a-z', '0-9', '_+-'), min: 20, max: 20 },
  { names: ['pagerduty', 'pager_duty'], set: lowerHexSet, min: 32, max: 32, judge: digitAndLetterJudge },
  { names: ['opsgenie', 'ops_genie'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }
)

const octopus = shapedDetector(
  {
    id: 'octopus_key',
    label: 'OCTOPUS_KEY',
    title: 'Octopus Deploy API key',
    misses: () => ['API-' + filler(26).toLowerCase(), 'API-REFERENCE', 'WEB-API-' + filler(26, 'ABCDEFGHJK1234567')],
    source: 'gitleaks rule octopus-deploy-api-key: API- and 26 capitals and digits.'
  },
  [
    {
      prefix: 'API-',
      parts: [[upperDigitSet, 26]],
      left: base64UrlSet,
      judge: withDigitUpper
    }
  ]
)

/** Requires a digit and a letter: not one long word in capitals, and not one number. */
function withDigitUpper(text: string, start: number, end: number): Confidence | undefined {
  return hasDigitAndLetter(text, start + 4, end) ? 'strong' : undefined
}

const fastly = contextKeyDetector(
  {
    id: 'fastly_key',
    label: 'FASTLY_KEY',
    title: 'Fastly API token',
    tier: 'medium',
    hits: () => [`FASTLY_API_TOKEN=${filler(32)}`],
    misses: () => [filler(32), `FASTLY_API_TOKEN=${filler(33)}`],
    source: 'gitleaks rule fastly-api-token: 32 characters.'
  },
  { names: ['fastly'], set: base64UrlSet, min: 32, max: 32 }
)

const algolia = contextKeyDetector(
  {
    id: 'algolia_admin_key',
    label: 'ALGOLIA_KEY',
    title: 'Algolia API key',
    tier: 'medium',
    hits: () => [`ALGOLIA_ADMIN_KEY=${filler(32, hexLetters)}`],
    misses: () => [filler(32, hexLetters), 'ALGOLIA_APP_ID=ABCDEFGHJK'],
    source:
      'gitleaks rule algolia-api-key: 32 hexadecimal digits; a search-only key is public and cannot be told apart.'
  },
  { names: ['algolia'], set: lowerDigitSet, min: 32, max: 32, judge: digitAndLetterJudge }
)

const others = shapedDetector(
  {
    id: 'monitoring_vendor_key',
    label: 'MONITORING_KEY',
    title: 'key of a monitoring service',
    misses: () => ['dt0c01.x', 'hcaik_short', 'hbp_' + filler(20), 'rootly_config'],
    source:
      'Dynatrace documentation, "Access tokens": dt0c01, 24 and 64 characters, eight or more for a platform; Honeycomb, Honeybadger, Rootly, ' +
      'Better Stack and CircleCI forms as in the betterleaks rules.'
  },
  [
    ...['dt0c01.', 'dt0s01.', 'dt0s02.', 'dt0s16.'].map((prefix) => ({
      prefix,
      parts: [[labelSet, 8, 64], '.', [base62Set, 64]] as const
    })),
    { prefix: 'hcaik_', parts: [[lowerDigitSet, 58]] },
    { prefix: 'hcaic_', parts: [[lowerDigitSet, 58]] },
    { prefix: 'hcxik_', parts: [[lowerDigitSet, 58]] },
    {
      prefix: 'hbp_',
      parts: [[base62Set, 36]],
      judge: (text, start, end) => (isMixed(text, start + 4, end) ? 'strong' : undefined)
    },
    { prefix: 'rootly_', parts: [[lowerHexSet, 64]] },
    { prefix: 'configcat-sdk-1/', parts: [[base64UrlSet, 22], '/', [base64UrlSet, 22]] },
    { prefix: 'VF.DM.', parts: [[lowerHexSet, 24], '.', [base62Set, 16]] },
    { prefix: 'VF.WS.', parts: [[lowerHexSet, 24], '.', [base62Set, 16]] },
    { prefix: 'dvc_server_', parts: [[wordSet, 20, 64]], judge: withDigit },
    { prefix: 'dvc_client_', parts: [[wordSet, 20, 64]], judge: withDigit, tier: 'medium' },
    { prefix: 'dvc_mobile_', parts: [[wordSet, 20, 64]], judge: withDigit, tier: 'medium' }
  ]
)

const sumo = contextKeyDetector(
  {
    id: 'sumologic_key',
    label: 'SUMOLOGIC_KEY',
    title: 'Sumo Logic access key',
    tier: 'medium',
    hits: () => [`SUMO_ACCESS_KEY=${filler(64)}`, `sumologic_access_id = "su${filler(12)}"`],
    misses: () => [filler(64), 'sumOfProperty', 'sumo_wrestling = "championship"'],
    source: 'gitleaks rules sumologic-access-id (su and 12) and sumologic-access-token (64 characters).'
  },
  {
    names: ['sumologic', 'sumo_logic', 'sumo'],
    set: base62Set,
    min: 14,
    max: 14,
    bare: true,
    judge: (value) =>
      value.startsWith('su') && hasDigitAndLetter(value, 2, 14) && hasUpper(value) ? 'medium' : undefined
  },
  { names: ['sumologic', 'sumo_logic', 'sumo'], set: base62Set, min: 64, max: 64 }
)

function hasUpper(value: string): boolean {
  for (let i = 0; i < value.length; i++) if (upperSet[value.charCodeAt(i)] === 1) return true
  return false
}

export const monitoringDetectors: readonly Detector[] = [
  datadog,
  newrelic,
  grafana,
  sentry,
  posthog,
  analytics,
  launchdarkly,
  pagers,
  octopus,
  fastly,
  algolia,
  others,
  sumo
]
