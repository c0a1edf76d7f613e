/** Slack and Stripe. */
import {
  base62Set,
  base64Set,
  base64UrlSet,
  charSet,
  countOf,
  digitSet,
  paddedBase64Set,
  runEnd
} from '../text/chars.ts'
import type { Detector } from '../detector.ts'
import type { Confidence } from '../findings.ts'
import { guarded, keyDetector, type KeyForm } from '../keys/fixed-key.ts'
import { filler } from '../sample-text.ts'

const slackSet = charSet('A-Z', 'a-z', '0-9', '-%/+=')
/** Most tokens begin with the number of a workspace; cookies (`d`) and rotated tokens (`e`) do not. */
const slackJudge = (body: string): Confidence | undefined => {
  const digits = runEnd(body, 0, digitSet, 20)
  if (digits >= 9 && body.charCodeAt(digits) === 45) return 'strong'
  return runEnd(body, 0, slackSet, 400) >= 20 && [...body].some((one) => one >= '0' && one <= '9')
    ? 'medium'
    : undefined
}
const legacyJudge = (body: string): Confidence | undefined => {
  const digits = countOf(body, 0, body.length, digitSet)
  const isOneWord = !body.includes('-', 2)
  return isOneWord && digits > 1 && digits < body.length ? 'medium' : undefined
}
const xox = (letter: string) => ['xo', 'x', letter, '-'].join('')
const slackForms: KeyForm[] = [
  ...[...'bpars'].map((letter) => ({
    prefix: xox(letter),
    set: slackSet,
    min: 20,
    max: 400,
    boundary: base64UrlSet,
    judge: slackJudge
  })),
  // Tokens of the first workspaces: eight characters and more, perhaps behind a digit.
  ...[...'ar'].map((letter) => ({
    prefix: xox(letter),
    set: charSet('A-Z', 'a-z', '0-9', '-'),
    min: 8,
    max: 48,
    boundary: base64UrlSet,
    judge: legacyJudge
  })),
  { prefix: xox('c'), set: slackSet, min: 40, max: 400, boundary: base64UrlSet, judge: slackJudge },
  { prefix: xox('d'), set: slackSet, min: 60, max: 600, boundary: base64UrlSet },
  { prefix: 'xoxe.' + xox('b'), set: slackSet, min: 100, max: 400, boundary: base64UrlSet },
  { prefix: 'xoxe.' + xox('p'), set: slackSet, min: 100, max: 400, boundary: base64UrlSet },
  { prefix: xox('e') + '1-', set: slackSet, min: 100, max: 400, boundary: base64UrlSet },
  { prefix: 'xapp-' + '1-', set: slackSet, min: 40, max: 400, boundary: base64UrlSet }
]

const hookHost = 'hooks.slack.com/'
const hookPaths = ['services/', 'workflows/', 'triggers/']

const slackWebhook: Detector = {
  id: 'slack_webhook',
  label: 'SLACK_WEBHOOK',
  lengthMin: 60,
  title: 'Slack webhook address',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: hookHost }],
  match(text, at) {
    const path = hookPaths.find((one) => text.startsWith(one, at + hookHost.length))
    if (path === undefined) return undefined
    const start = at + hookHost.length + path.length
    const end = runEnd(text, start, base64Set, 90)
    if (end - start < 43 || end - start > 80) return undefined
    // Team, channel and secret are separated by slashes. One long word is a sample or an unknown form.
    return guarded(text, { start, end, confidence: text.slice(start, end).includes('/') ? 'strong' : 'medium' })
  },
  hits: () => [
    ['https://hooks', 'slack', 'com/services/T' + filler(10) + '/B' + filler(10) + '/' + filler(24)].join('.')
  ],
  misses: () => ['https://hooks.slack.com/services/', 'https://hooks.slack.com/services/T/B/x'],
  source: 'Slack documentation, "Sending messages using incoming webhooks".'
}

const live = ['sk', 'live', ''].join('_')
const restricted = ['rk', 'live', ''].join('_')
const test = ['sk', 'test', ''].join('_')
/** Short bodies are samples; identifiers such as `sk_test_helper` have underscores or no digit. */
const stripeJudge = (body: string): Confidence | undefined =>
  body.length >= 24 ? 'strong' : [...body].some((one) => one >= '0' && one <= '9') ? 'medium' : undefined
const stripeForms: KeyForm[] = [
  { prefix: ['sk', 'prod', ''].join('_'), set: base62Set, min: 10, max: 247, judge: stripeJudge },
  { prefix: live, set: base62Set, min: 10, max: 247, judge: stripeJudge },
  { prefix: restricted, set: base62Set, min: 10, max: 247, judge: stripeJudge },
  { prefix: test, set: base62Set, min: 10, max: 247, judge: stripeJudge, tier: 'medium' },
  { prefix: ['rk', 'test', ''].join('_'), set: base62Set, min: 10, max: 247, judge: stripeJudge, tier: 'medium' }
]
const hookForms: KeyForm[] = [{ prefix: 'wh' + 'sec_', set: paddedBase64Set, min: 32, max: 120 }]

export const saasDetectors: readonly Detector[] = [
  keyDetector(
    {
      id: 'slack_token',
      label: 'SLACK_TOKEN',
      title: 'Slack token',
      hits: () => [
        xox('b') + ['470912847713', '470912847799', filler(24)].join('-'),
        'xapp-' + '1-A' + filler(10) + '-470912847713-' + filler(64, '0123456789abcdef'),
        xox('d') + filler(80)
      ],
      misses: () => [
        xox('b') + '...',
        xox('b') + 'your-token-goes-here-please',
        'x' + xox('b') + '470912847713-' + filler(24)
      ],
      source: 'Slack documentation, "Token types".'
    },
    slackForms
  ),
  slackWebhook,
  keyDetector(
    {
      id: 'stripe_secret',
      label: 'STRIPE_KEY',
      title: 'Stripe secret key',
      hits: () => [live + filler(24), restricted + filler(99), test + filler(24)],
      misses: () => ['sk_bulk_insert', live + 'short', test + 'helperfunction', 'task_live_' + filler(24)],
      source: 'Stripe documentation, "API keys".'
    },
    stripeForms
  ),
  keyDetector(
    {
      id: 'stripe_webhook',
      label: 'STRIPE_WEBHOOK_SECRET',
      title: 'webhook signing secret',
      hits: () => ['wh' + 'sec_' + filler(32)],
      misses: () => ['wh' + 'sec_...', 'wh' + 'sec_' + filler(12)],
      source: 'Stripe documentation, "Webhook signatures"; the Standard Webhooks specification uses the same prefix.'
    },
    hookForms
  )
]
