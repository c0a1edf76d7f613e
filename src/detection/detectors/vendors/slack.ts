/** Slack. */
import { base64Set, base64UrlSet, charSet, countOf, digitSet, labelSet, runEnd } from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { guarded, keyDetector, type KeyForm } from '../../keys/fixed-key.ts'
import { isFilled } from '../../values/placeholders.ts'
import { filler } from '../../sample-text.ts'

const slackSet = charSet('A-Z', 'a-z', '0-9', '-%/+=')
/** Most tokens begin with the number of a workspace; cookies (`d`) and rotated tokens (`e`) do not. */
const slackJudge = (body: string): Confidence | undefined => {
  const digits = runEnd(body, 0, digitSet, 20)
  if (digits >= 9 && body.charCodeAt(digits) === 45) return 'strong'
  return runEnd(body, 0, slackSet, 400) >= 20 && countOf(body, 0, body.length, digitSet) > 0 ? 'medium' : undefined
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
    set: labelSet,
    min: 8,
    max: 48,
    boundary: base64UrlSet,
    judge: legacyJudge
  })),
  { prefix: xox('c'), set: slackSet, min: 40, max: 400, boundary: base64UrlSet, judge: slackJudge },
  { prefix: xox('d'), set: slackSet, min: 60, max: 600, boundary: base64UrlSet },
  { prefix: 'xoxe.' + xox('b'), set: slackSet, min: 100, max: 400, boundary: base64UrlSet },
  { prefix: 'xoxe.' + xox('p'), set: slackSet, min: 100, max: 400, boundary: base64UrlSet },
  // Tokens of exports, which the addresses of exported files end in.
  {
    prefix: xox('e'),
    set: slackSet,
    min: 60,
    max: 400,
    boundary: base64UrlSet,
    tier: 'medium',
    judge: (body) => (runEnd(body, 0, digitSet, 20) >= 9 ? slackJudge(body) : undefined)
  },
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
    // `T00000000/B00000000/XXXX...`: the form of an address, in every manual.
    if (isFilled(text, text.lastIndexOf('/', end - 1) + 1, end)) return undefined
    // Team, channel and secret are separated by slashes. One long word is a sample or an unknown form.
    const confidence = text.slice(start, end).includes('/') ? 'strong' : 'medium'
    return guarded(text, { start, end, confidence, byContext: true })
  },
  hits: () => [
    ['https://hooks', 'slack', 'com/services/T' + filler(10) + '/B' + filler(10) + '/' + filler(24)].join('.')
  ],
  misses: () => [
    'https://hooks.slack.com/services/',
    'https://hooks.slack.com/services/T/B/x',
    `https://hooks.slack.com/services/T${'0'.repeat(8)}/B${'0'.repeat(8)}/${'X'.repeat(24)}`
  ],
  source: 'Slack documentation, "Sending messages using incoming webhooks".'
}

export const slackDetectors: readonly Detector[] = [
  keyDetector(
    {
      id: 'slack_token',
      label: 'SLACK_TOKEN',
      title: 'Slack token',
      hits: () => [
        xox('b') + ['470912847713', '470912847799', filler(24)].join('-'),
        'xapp-' + '1-A' + filler(10) + '-470912847713-' + filler(64, '0123456789abcdef'),
        xox('d') + filler(80),
        `?t=${xox('e')}${['4709128477131', '4709128477992', filler(32, '0123456789abcdef')].join('-')}`
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
  slackWebhook
]
