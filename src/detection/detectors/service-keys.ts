/** Keys of many smaller services, each known by a prefix of its own. One line a form; the service stands beside it. */
import {
  base62Set,
  base64UrlSet,
  charSet,
  digitSet,
  hexSet,
  leftClear,
  lowerHexSet,
  runStart,
  wordSet
} from '../text/chars.ts'
import type { Detector } from '../detector.ts'
import type { Confidence } from '../findings.ts'
import { guarded } from '../keys/fixed-key.ts'
import {
  hasDigitAndLetter,
  partsEnd,
  sampleOf,
  shapedDetector,
  uuidParts,
  type KeyPart,
  type ShapedForm
} from '../keys/key-shape.ts'
import { filler, hexLetters } from '../sample-text.ts'

const lowerSet = charSet('a-z', '0-9')
const upperSet = charSet('A-Z', '0-9')
const paddedSet = charSet('A-Z', 'a-z', '0-9', '+/_=-')
const dottedSet = charSet('A-Z', 'a-z', '0-9', '_.-')

const withDigit = (text: string, start: number, end: number): Confidence | undefined =>
  hasDigitAndLetter(text, start, end) ? 'strong' : undefined

const form = (prefix: string, ...parts: readonly KeyPart[]): ShapedForm => ({
  prefix,
  parts,
  judge: (text, start, end) => withDigit(text, start + prefix.length, end)
})

const serviceForms: readonly ShapedForm[] = [
  // Adafruit IO
  form('aio_', [base62Set, 28]),
  // Apify
  form('apify_api_', [base62Set, 36]),
  // Authress
  form('sc_', [lowerSet, 5, 30], '.', [lowerSet, 4, 6], '.acc', [charSet('a-z', '0-9', '_-'), 10, 32], '.', [
    charSet('A-Z', 'a-z', '0-9', '+/_=-'),
    30,
    120
  ]),
  form('ext_', [lowerSet, 5, 30], '.', [lowerSet, 4, 6], '.acc', [charSet('a-z', '0-9', '_-'), 10, 32], '.', [
    charSet('A-Z', 'a-z', '0-9', '+/_=-'),
    30,
    120
  ]),
  // ClickUp, Klaviyo, Defined Networking, Endor Labs
  form('pk_', [digitSet, 6, 12], '_', [upperSet, 32]),
  form('pk_', [base62Set, 34]),
  form('dnkey-', [charSet('a-z', '0-9', '_=-'), 26], '-', [charSet('a-z', '0-9', '_=-'), 52]),
  form('endr+', [base62Set, 16]),
  // 42 (the school)
  form('s-s4t2af-', [lowerHexSet, 64]),
  form('s-s4t2ud-', [lowerHexSet, 64]),
  // Contentful, Frame.io, GC Notify, Greptile, Ionic
  form('CFPAT-', [base64UrlSet, 43, 64]),
  form('fio-u-', [charSet('a-z', '0-9', '_=-'), 64]),
  {
    prefix: 'gcntfy-',
    parts: [[charSet('A-Z', 'a-z', '0-9', '_-'), 73, 160]],
    judge: (text, _start, end) => (partsEnd(text, end - 36, uuidParts(hexSet)) === end ? 'strong' : 'medium')
  },
  {
    prefix: 'GCNTFY-',
    parts: [[charSet('A-Z', 'a-z', '0-9', '_-'), 73, 160]],
    judge: (text, _start, end) => (partsEnd(text, end - 36, uuidParts(hexSet)) === end ? 'strong' : 'medium')
  },
  form('ion_', [base62Set, 42]),
  // OneSignal, Pinterest, Typeform, Unkey, Val Town, WakaTime, Workato,
  form('os_v2_app_', [lowerSet, 103]),
  form('os_v2_org_', [lowerSet, 103]),
  form('pina_', [wordSet, 32, 120]),
  {
    prefix: 'tfp_',
    parts: [[charSet('A-Z', 'a-z', '0-9', '_.=-'), 40, 64]],
    judge: (text, start, end) => withDigit(text, start + 4, end)
  },
  form('unkey_', [base62Set, 16, 60]),
  form('vtwn_', [base62Set, 20, 60]),
  form('waka_', ...uuidParts(lowerHexSet)),
  ...['us', 'eu', 'jp', 'sg', 'au', 'il', 'trial'].map((region) =>
    form(`wrk${region === 'trial' ? 'trial' : 'a' + region}-`, 'eyJ', [dottedSet, 60, 900])
  ),
  // Samsara, Storecove, Zoho, Nightfall, Voiceflow, Ubidots, MaxMind, Telnyx, Flexport, Fleetbase, Pagar.me
  form('samsara_api_', [base62Set, 30]),
  form('storecove_', [base62Set, 40, 64]),
  form('1000.', [lowerHexSet, 32], '.', [lowerHexSet, 32]),
  form('NF-', [base62Set, 32]),
  form('BBFF-', [base62Set, 30, 34]),
  form('BBUS-', [base62Set, 30, 34]),
  form('KEY01', [charSet('A-F', '0-9'), 30], '_', [base62Set, 22]),
  form('shltm_', [base62Set, 40]),
  form('flb_live_', [base62Set, 20]),
  form('ak_live_', [base62Set, 30]),
  form('scp-live-', [lowerHexSet, 32]),
  form('supernotes_sk-', [base62Set, 40, 52]),
  form('tkn.v1_', [paddedSet, 60, 100]),
  form('odt_', [base62Set, 32]),
  form('ramp_id_', [base62Set, 48]),
  form('aivenv1 ', [charSet('A-Z', 'a-z', '0-9', '+/='), 300, 400]),
  form('sl.u.', [dottedSet, 120, 1400])
]

const services = shapedDetector(
  {
    id: 'service_api_key',
    label: 'SERVICE_API_KEY',
    title: 'API key of a service',
    misses: () => [
      'aio_read_all',
      'apify_api_client',
      'pk_' + filler(20),
      'NF-' + filler(12),
      'unkey_root',
      'b_' + filler(12)
    ],
    source: 'gitleaks, betterleaks and kingfisher rules for the services that the comments of the table name.'
  },
  serviceForms
)

/** Words of contributors to Sidekiq: two numbers of eight digits that open a private gem server. */
const sidekiqHosts = ['gems.contribsys.com', 'enterprise.contribsys.com']
const sidekiqNames = ['BUNDLE_ENTERPRISE__CONTRIBSYS__COM', 'BUNDLE_GEMS__CONTRIBSYS__COM']
const sidekiqUnits = 17
const pairParts = [[hexSet, 8], ':', [hexSet, 8]] as const
const gapSet = charSet(' \t:="\'')

const sidekiq: Detector = {
  id: 'sidekiq_credentials',
  label: 'SIDEKIQ_CREDENTIALS',
  lengthMin: sidekiqUnits + 20,
  title: 'Sidekiq licence credentials',
  group: 'secret',
  tier: 'high',
  anchors: [...sidekiqNames, ...sidekiqHosts].map((literal) => ({ literal })),
  match(text, at) {
    const name = sidekiqNames.find((one) => text.startsWith(one, at))
    if (name === undefined) {
      const start = text.charCodeAt(at - 1) === 64 ? at - 1 - sidekiqUnits : -1
      return start >= 0 && partsEnd(text, start, pairParts) === at - 1
        ? guarded(text, { start, end: at - 1, confidence: 'strong' })
        : undefined
    }
    // `Token` may follow where the name is a part of a longer one.
    let from = at + name.length
    for (let left = 12; left > 0 && wordSet[text.charCodeAt(from)] === 1; left--) from++
    for (let left = 8; left > 0 && gapSet[text.charCodeAt(from)] === 1; left--) from++
    const end = partsEnd(text, from, pairParts)
    return end < 0 ? undefined : guarded(text, { start: from, end, confidence: 'strong', byContext: true })
  },
  hits: () => [
    `export BUNDLE_GEMS__CONTRIBSYS__COM="${filler(8, hexLetters)}:${filler(8, hexLetters, 3)}"`,
    `https://${filler(8, hexLetters)}:${filler(8, hexLetters, 3)}@gems.contribsys.com/`
  ],
  misses: () => ['BUNDLE_GEMS__CONTRIBSYS__COM=', 'https://gems.contribsys.com/'],
  source: 'gitleaks rules sidekiq-secret and sidekiq-sensitive-url.'
}

const maxmindMark = '_mmk'
const maxmindParts = [[base62Set, 6], '_', [base62Set, 29], maxmindMark] as const
const maxmindUnits = 36

const maxmind: Detector = {
  id: 'maxmind_license_key',
  label: 'MAXMIND_LICENSE_KEY',
  lengthMin: 40,
  title: 'MaxMind licence key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: maxmindMark }],
  match(text, at) {
    const start = at - maxmindUnits
    const end = start < 0 || !leftClear(text, start, wordSet) ? -1 : partsEnd(text, start, maxmindParts)
    return end < 0 ? undefined : guarded(text, { start, end, confidence: 'strong' })
  },
  hits: () => [`LicenseKey ${filler(6)}_${filler(29, undefined, 5)}_mmk`],
  misses: () => ['a_mmk', `${filler(7)}_${filler(29)}_mmk`, `${filler(6)}_${filler(28)}_mmk`],
  source: 'MaxMind documentation, "License keys": 40 characters that end in _mmk; gitleaks rule maxmind-license-key.'
}

const hostSet = charSet('A-Z', 'a-z', '0-9', '-.')
const hookMarks: readonly { readonly mark: string; readonly parts: readonly KeyPart[] }[] = [
  { mark: '.tines.com/webhook/', parts: [[hexSet, 32], '/', [hexSet, 32]] },
  { mark: '.zapier.com/hooks/catch/', parts: [[digitSet, 4, 12], '/', [base62Set, 5, 12]] },
  { mark: '.make.com/', parts: [[lowerSet, 32]] },
  {
    mark: '.ifttt.com/trigger/',
    parts: [[charSet('A-Z', 'a-z', '0-9', '_-'), 1, 60], '/with/key/', [base64UrlSet, 22, 64]]
  }
]

const incomingHooks: Detector = {
  id: 'workflow_webhook',
  label: 'WEBHOOK_SECRET',
  lengthMin: 60,
  title: 'webhook address with a secret in it',
  group: 'secret',
  tier: 'high',
  anchors: hookMarks.map(({ mark }) => ({ literal: mark })),
  match(text, at) {
    for (const { mark, parts } of hookMarks) {
      if (!text.startsWith(mark, at) || runStart(text, at, hostSet, 40) === at) continue
      const start = at + mark.length
      const end = partsEnd(text, start, parts)
      if (end > 0) return guarded(text, { start, end, confidence: 'strong' })
    }
    return undefined
  },
  hits: () => hookMarks.map(({ mark, parts }) => 'https://acme' + mark + sampleOf({ prefix: '', parts })),
  misses: () => ['https://acme.tines.com/webhook/', 'https://hooks.zapier.com/hooks/catch/'],
  source: 'kingfisher rule for Tines; documentation of Zapier, Make and IFTTT on webhooks.'
}
export const serviceKeyDetectors: readonly Detector[] = [services, sidekiq, maxmind, incomingHooks]
