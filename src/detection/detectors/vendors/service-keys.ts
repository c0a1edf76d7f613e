/** Keys of many smaller services, each identified by its form, and URLs that grant access by themselves. */
import {
  base62Set,
  base64UrlSet,
  charSet,
  digitSet,
  domainSet,
  hexSet,
  leftClear,
  lowerDigitSet,
  lowerHexSet,
  runStart,
  wordSet
} from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import { guarded } from '../../keys/fixed-key.ts'
import { partsEnd, sampleOf, shapedDetector, uuidParts, type KeyPart } from '../../keys/key-shape.ts'
import { filler, fillerUuid, hexLetters } from '../../sample-text.ts'
import { serviceForms } from './service-key-forms.ts'

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
      'b_' + filler(12),
      'BSA' + filler(12),
      'BSA' + filler(28, hexLetters),
      'tr_prod_environment_variables',
      'xaat-your-token-here',
      'ptr_' + filler(12),
      'y0_Ag' + filler(20),
      'PRD-2026-11-28',
      'secret-live-' + filler(12),
      'dose' + filler(12, hexLetters),
      'api_' + filler(22) + '.' + filler(21),
      'sk_1x1_' + filler(32, hexLetters),
      'SEC' + filler(40, hexLetters),
      'db-' + filler(29, hexLetters)
    ],
    source:
      'gitleaks, betterleaks, kingfisher, titus and TruffleHog rules for the services that the comments of the table name. The forms of Axiom, Context7, Kaggle, Logfire, Turbopuffer and Qianfan are observed in public programs, those of Trigger.dev, Ory and Proxmox VE are from memory. Of the services from Yandex to Volcengine, those of Depot, Gitea and Braintrust and those behind y0__x, dict.1.1., waka_tok_ and waka_ref_ are from memory of what the vendors document; those of Close, Spectral and Recharge are in the detectors of TruffleHog; the others are observed in public programs. GitHub secret scanning lists most of them without their form.'
  },
  serviceForms
)

/** Credentials of Sidekiq contributors: two numbers of eight hexadecimal digits that open a private gem server. */
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
        ? guarded(text, { start, end: at - 1, confidence: 'strong', byContext: true })
        : undefined
    }
    // `Token` may follow if the name is part of a longer one.
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

const deeplTail = ':fx'

const deepl: Detector = {
  id: 'deepl_api_key',
  label: 'DEEPL_API_KEY',
  lengthMin: 39,
  title: 'DeepL API key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: deeplTail }],
  match(text, at) {
    const start = at - 36
    const end = at + deeplTail.length
    if (start < 0 || !leftClear(text, start, wordSet) || wordSet[text.charCodeAt(end)] === 1) return undefined
    const isKey = partsEnd(text, start, uuidParts(hexSet)) === at
    return isKey ? guarded(text, { start, end, confidence: 'strong' }) : undefined
  },
  hits: () => [`const deeplKey = "${fillerUuid()}:fx"`, `Authorization: DeepL-Auth-Key ${fillerUuid()}:fx`],
  misses: () => ['javafx:fx', `${fillerUuid()}:fxml`, `x${fillerUuid()}:fx`],
  source: 'DeepL API documentation, "Authentication": keys of the free plan are a UUID that ends in :fx.'
}

/** The alphabet of Mattermost ids: base32 without letters that look alike. */
const plainLettersSet = charSet('ybndrfg8ejkmcpqxot1uwisza345h769')
const hookMarks: readonly { readonly mark: string; readonly parts: readonly KeyPart[] }[] = [
  { mark: '.tines.com/webhook/', parts: [[hexSet, 32], '/', [hexSet, 32]] },
  { mark: '.zapier.com/hooks/catch/', parts: [[digitSet, 4, 12], '/', [base62Set, 5, 12]] },
  { mark: '.make.com/', parts: [[lowerDigitSet, 32]] },
  {
    mark: '.ifttt.com/trigger/',
    parts: [[base64UrlSet, 1, 60], '/with/key/', [base64UrlSet, 22, 64]]
  },
  { mark: '.alchemy.com/v2/', parts: [[base64UrlSet, 21, 40]] },
  { mark: '.alchemyapi.io/v2/', parts: [[base64UrlSet, 21, 40]] },
  { mark: '.infura.io/v3/', parts: [[hexSet, 32]] },
  { mark: '.infura.io/ws/v3/', parts: [[hexSet, 32]] },
  { mark: '.quiknode.pro/', parts: [[hexSet, 40]] },
  { mark: '/hooks/', parts: [[plainLettersSet, 26]] },
  // Rocket.Chat
  { mark: '/hooks/', parts: [[base62Set, 17, 24], '/', [base62Set, 44, 64]] },
  { mark: '.feishu.cn/open-apis/bot/v2/hook/', parts: uuidParts(hexSet) },
  { mark: '.larksuite.com/open-apis/bot/v2/hook/', parts: uuidParts(hexSet) },
  // WeCom
  { mark: '.weixin.qq.com/cgi-bin/webhook/send?key=', parts: uuidParts(hexSet) },
  { mark: '.pagerduty.com/integration/', parts: [[lowerDigitSet, 32]] },
  { mark: '.n8n.cloud/webhook/', parts: uuidParts(hexSet) },
  // The secret address of a calendar of Google
  { mark: '/private-', parts: [[lowerHexSet, 32], '/basic.ics'] },
  { mark: 'thingsboard.cloud/api/v1/', parts: [[lowerDigitSet, 20], '/'] }
]

const incomingHooks: Detector = {
  id: 'workflow_webhook',
  label: 'WEBHOOK_SECRET',
  lengthMin: 60,
  title: 'web address with a secret in it',
  group: 'secret',
  tier: 'high',
  anchors: hookMarks.map(({ mark }) => ({ literal: mark })),
  match(text, at) {
    for (const { mark, parts } of hookMarks) {
      if (!text.startsWith(mark, at) || runStart(text, at, domainSet, 40) === at) continue
      const start = at + mark.length
      const end = partsEnd(text, start, parts)
      if (end > 0) return guarded(text, { start, end, confidence: 'strong', byContext: true })
    }
    return undefined
  },
  hits: () => hookMarks.map(({ mark, parts }) => 'https://acme' + mark + sampleOf({ prefix: '', parts })),
  misses: () => [
    'https://acme.tines.com/webhook/',
    'https://hooks.zapier.com/hooks/catch/',
    `https://acme.dev/hooks/${filler(20)}/${filler(12)}`,
    `https://acme.dev/private-${filler(32, hexLetters)}/logo.png`,
    'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=KEY'
  ],
  source:
    'kingfisher rule for Tines; documentation of Zapier, Make, IFTTT, Rocket.Chat, Feishu, WeCom, PagerDuty, n8n and Google Calendar.'
}
export const serviceKeyDetectors: readonly Detector[] = [services, sidekiq, maxmind, deepl, incomingHooks]
