/** Services that send messages: mail, text messages, chat. */
import {
  base62Set,
  base64Set,
  base64UrlSet,
  charSet,
  digitSet,
  hexSet,
  leftClear,
  lowerDigitSet,
  lowerHexSet,
  lowerUuidSet,
  rightClear,
  runEnd,
  runStart,
  upperDigitSet,
  uuidSet,
  wordSet
} from '../../text/chars.ts'
import {
  contextAnchors,
  contextKeyDetector,
  matchContextForms,
  uuidJudge,
  type ContextForm
} from '../../keys/context-key.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { guarded } from '../../keys/fixed-key.ts'
import {
  digitAndLetterJudge,
  hasDigitAndLetter,
  isMixed,
  matchShapes,
  partsEnd,
  sampleOf,
  shapedDetector,
  uuidParts,
  type ShapedForm
} from '../../keys/key-shape.ts'
import { filler, fillerUuid, hexLetters } from '../../sample-text.ts'

const twilioLength = 34
const twilioForms: ContextForm[] = [{ names: ['twilio'], set: lowerHexSet, min: 32, max: 32, judge: () => 'medium' }]
const matchTwilioName = matchContextForms(twilioForms)
const sampleTwilio = (kind: string) => kind + filler(30, hexLetters) + '47'

/** The token that follows the account id, as user and password of a pair. */
function twilioTokenBehind(text: string, at: number): Match | undefined {
  const start = runEnd(text, at, pairSet, pairUnitsMax)
  const end = runEnd(text, start, lowerHexSet, 33)
  if (start === at || end - start !== 32 || !rightClear(text, end, wordSet)) return undefined
  return contextMatch(start, end)
}
const pairSet = charSet('"\', :')
const pairUnitsMax = 6

/** `S` and `K` are not both hexadecimal, so nothing but a key begins so and continues with 32 hexadecimal digits. */
const twilio: Detector = {
  id: 'twilio_key',
  label: 'TWILIO_KEY',
  lengthMin: twilioLength,
  title: 'Twilio API key or token',
  group: 'secret',
  tier: 'high',
  anchors: [{ word: [twilioLength] }, ...contextAnchors(twilioForms)],
  match(text, at, context) {
    if (context.by !== 'word') return matchTwilioName(text, at, context)
    const isKey = text.startsWith('SK', at)
    if (!isKey && !text.startsWith('AC', at)) return undefined
    if (runEnd(text, at + 2, lowerHexSet, twilioLength) !== context.wordEnd) return undefined
    const named = { start: at, end: context.wordEnd, confidence: 'strong' } as const
    if (isKey) return guarded(text, named)
    const token = twilioTokenBehind(text, context.wordEnd)
    return guarded(text, { ...named, tier: 'low', ...(token && { next: token }) })
  },
  hits: () => [
    `Client("${sampleTwilio('AC')}", "${filler(32, hexLetters)}")`,
    `curl -u ${sampleTwilio('AC')}:${filler(32, hexLetters)} https://api.acme.dev`,
    sampleTwilio('SK'),
    `account ${sampleTwilio('AC')}`,
    `TWILIO_AUTH_TOKEN=${filler(32, hexLetters)}`
  ],
  misses: () => ['SK' + filler(31, hexLetters), 'SKU' + filler(31, hexLetters), filler(32, hexLetters)],
  source: 'Twilio documentation, "String identifier (SID)": two letters and 32 hexadecimal digits; AC is an account.'
}

const sendgrid = shapedDetector(
  {
    id: 'sendgrid_key',
    label: 'SENDGRID_API_KEY',
    title: 'SendGrid API key',
    misses: () => ['SG.' + filler(22), 'SG.' + filler(11) + '.' + filler(43), 'MSG.' + filler(22) + '.' + filler(43)],
    source: 'SendGrid documentation, "API Keys": 69 characters, an id of 22 and a secret of 43 behind SG.'
  },
  [
    { prefix: 'SG.', parts: [[base64UrlSet, 22], '.', [base64UrlSet, 43]] },
    {
      prefix: 'SG.',
      parts: [[charSet('A-Z', 'a-z', '0-9', '_-.='), 66]],
      judge: (text, start, end) => (hasDigitAndLetter(text, start + 3, end) ? 'medium' : undefined)
    },
    // Nearly the right lengths: whoever finds a key with a character missing can try the rest.
    {
      prefix: 'SG.',
      parts: [[base64UrlSet, 18, 26], '.', [base64UrlSet, 38, 48]],
      judge: (text, start, end) => (isMixed(text, start + 3, end) ? 'medium' : undefined)
    }
  ]
)

const mailgunForms: ShapedForm[] = [
  { prefix: 'key-', parts: [[lowerHexSet, 32]] },
  { prefix: 'pubkey-', parts: [[lowerHexSet, 32]], tier: 'medium' }
]
const matchMailgunKey = matchShapes(mailgunForms)
const signingParts = [[lowerHexSet, 32], '-', [lowerHexSet, 8], '-', [lowerHexSet, 8]] as const
const signingUnits = 50
const mailgunNames: ContextForm[] = [
  {
    names: ['mailgun'],
    set: lowerUuidSet,
    min: signingUnits,
    max: signingUnits,
    judge: (value) => (partsEnd(value, 0, signingParts) === signingUnits ? 'strong' : undefined)
  },
  { names: ['mailgun'], set: lowerDigitSet, min: 32, max: 32 }
]
const matchMailgunName = matchContextForms(mailgunNames)

const mailgun: Detector = {
  id: 'mailgun_key',
  label: 'MAILGUN_KEY',
  lengthMin: 36,
  title: 'Mailgun API key',
  group: 'secret',
  tier: 'high',
  anchors: [
    ...mailgunForms.map(({ prefix }) => ({ literal: prefix })),
    ...contextAnchors(mailgunNames),
    { token: [signingUnits] }
  ],
  match(text, at, context) {
    if (context.by !== 'token') return matchMailgunKey(text, at) ?? matchMailgunName(text, at, context)
    const end = partsEnd(text, at, signingParts)
    return end < 0 ? undefined : guarded(text, { start: at, end, confidence: 'strong' })
  },
  hits: () => [
    ...mailgunForms.map((form) => sampleOf(form)),
    `MAILGUN_API_KEY=${filler(32, hexLetters)}-${filler(8, hexLetters)}-${filler(8, hexLetters, 3)}`,
    `mailgunSigningKey: ${filler(32, hexLetters)}`,
    `pass ${filler(32, hexLetters)}-${filler(8, hexLetters)}-${filler(8, hexLetters, 3)}`
  ],
  misses: () => ['key-' + filler(31, hexLetters), 'api-key-value', 'monkey-' + filler(32, hexLetters)],
  source: 'gitleaks rules mailgun-private-api-token, mailgun-pub-key, mailgun-signing-key.'
}

/** 32 hexadecimal digits, a dash and the data centre. The anchor is the end, so the matcher walks back. */
const mailchimp: Detector = {
  id: 'mailchimp_key',
  label: 'MAILCHIMP_KEY',
  lengthMin: 36,
  title: 'Mailchimp API key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: '-us' }],
  match(text, at) {
    const start = at - 32
    if (start < 0 || runStart(text, at, lowerHexSet, 33) !== start || !leftClear(text, start, wordSet)) return undefined
    const end = runEnd(text, at + 3, digitSet, 3)
    if (end === at + 3 || end > at + 5 || !rightClear(text, end, wordSet)) return undefined
    return guarded(text, { start, end, confidence: 'strong' })
  },
  hits: () => [`${filler(32, hexLetters)}-us20`, `MAILCHIMP_API_KEY="${filler(32, hexLetters)}-us1"`],
  misses: () => [`${filler(31, hexLetters)}-us20`, `${filler(32, hexLetters)}-use`, 'en-us1'],
  source: 'Mailchimp documentation, "Quick start": the key ends in the prefix of its data centre.'
}

const mailVendors = shapedDetector(
  {
    id: 'postmark_resend_brevo',
    label: 'MAIL_API_KEY',
    title: 'API key of a mail service',
    hits: () => [`SENDINBLUE_KEY=xkeysib-${filler(64, hexLetters)}-${filler(16)}`],
    misses: () => ['re_' + filler(8) + '_' + filler(20), 'pre_' + filler(8) + '_' + filler(24), 'xkeysib-...'],
    source: 'Resend and Brevo key formats as in the TruffleHog detectors; MailerSend: mlsn. and 64 hexadecimal digits.'
  },
  [
    {
      prefix: 're_',
      parts: [[base62Set, 8], '_', [base62Set, 24]],
      judge: (text, start, end) => (isMixed(text, start + 3, end) ? 'strong' : undefined)
    },
    { prefix: 'xkeysib-', parts: [[lowerHexSet, 64], '-', [base62Set, 16]] },
    { prefix: 'xsmtpsib-', parts: [[lowerHexSet, 64], '-', [base62Set, 16]] },
    { prefix: 'mlsn.', parts: [[lowerHexSet, 64]] }
  ]
)

const postmark = contextKeyDetector(
  {
    id: 'postmark_token',
    label: 'POSTMARK_TOKEN',
    title: 'Postmark server token',
    hits: () => [`POSTMARK_API_TOKEN=${sampleOf({ prefix: '', parts: uuidParts(lowerHexSet) })}`],
    misses: () => [sampleOf({ prefix: '', parts: uuidParts(lowerHexSet) }), 'POSTMARK_API_TOKEN=POSTMARK_API_TEST'],
    source: 'Postmark documentation, "API overview": the server token is a UUID.'
  },
  { names: ['postmark'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }
)

const telegramTail = 33
const telegramLoose: ContextForm[] = [
  {
    names: ['telegram', 'telegr', 'tgbot', 'tg_bot'],
    set: charSet('A-Z', 'a-z', '0-9', ':_-'),
    min: 41,
    max: 52,
    bare: true,
    judge(value) {
      const colon = runEnd(value, 0, digitSet, 17)
      const isToken = colon >= 5 && value.charCodeAt(colon) === 58 && value.length - colon === telegramTail + 3
      return isToken && isMixedOrSigned(value, colon + 1) ? 'medium' : undefined
    }
  }
]
const matchTelegramName = matchContextForms(telegramLoose)
const isMixedOrSigned = (value: string, from: number) => hasDigitAndLetter(value, from, value.length)

const telegram: Detector = {
  id: 'telegram_bot_token',
  label: 'TELEGRAM_BOT_TOKEN',
  lengthMin: 44,
  title: 'Telegram bot token',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: ':AA' }, ...contextAnchors(telegramLoose)],
  match(text, at, context) {
    if (text.charCodeAt(at) !== 58) return matchTelegramName(text, at, context)
    const start = runStart(text, at, digitSet, 11)
    // In a URL, `bot` stands right before the number.
    const isPath = text.startsWith('/bot', start - 4)
    if (at - start < 8 || at - start > 10 || (!isPath && !leftClear(text, start, wordSet))) return undefined
    const end = runEnd(text, at + 3, base64UrlSet, telegramTail + 1)
    if (end - at - 3 !== telegramTail) return undefined
    return guarded(text, { start, end, confidence: 'strong' })
  },
  hits: () => [
    `${filler(10, '123456789')}:AA${filler(33)}`,
    `https://api.telegram.org/bot${filler(9, '123456789')}:AA${filler(33)}/getMe`,
    `telegram_token = "${filler(7, '123456789')}:A${filler(34)}"`
  ],
  misses: () => ['00:AA:' + filler(33), `12:AA${filler(33)}`, `${filler(10, '123456789')}:AA${filler(30)}`],
  source: 'Telegram Bot API, "Authorizing your bot": the number of the bot, a colon, 35 characters.'
}

const teamsMarks = ['.webhook.office.com/webhookb2/', 'outlook.office.com/webhook/']
const teamsParts = [...uuidParts(hexSet), '@', ...uuidParts(hexSet), '/IncomingWebhook/', [hexSet, 32], '/'] as const

const teams: Detector = {
  id: 'teams_webhook',
  label: 'TEAMS_WEBHOOK',
  lengthMin: 150,
  title: 'Microsoft Teams webhook address',
  group: 'secret',
  tier: 'high',
  anchors: teamsMarks.map((literal) => ({ literal })),
  match(text, at) {
    const mark = teamsMarks.find((one) => text.startsWith(one, at)) as string
    const start = at + mark.length
    const end = partsEnd(text, start, [...teamsParts, ...uuidParts(hexSet)])
    return end < 0 ? undefined : guarded(text, { start, end, confidence: 'strong' })
  },
  hits: () =>
    teamsMarks.map(
      (mark) => 'https://acme' + mark + sampleOf({ prefix: '', parts: [...teamsParts, ...uuidParts(lowerHexSet)] })
    ),
  misses: () => teamsMarks.map((mark) => 'https://acme' + mark + '...'),
  source: 'Microsoft Teams documentation, "Create an Incoming Webhook"; gitleaks rule microsoft-teams-webhook.'
}

const line = contextKeyDetector(
  {
    id: 'line_token',
    label: 'LINE_TOKEN',
    title: 'LINE channel access token',
    tier: 'medium',
    hits: () => [`LINE_CHANNEL_ACCESS_TOKEN=${filler(170)}=`, `linenotify KEY ${filler(43)}`],
    misses: () => [filler(170), 'LINE_CHANNEL_ACCESS_TOKEN=xyz', `line ${filler(170)}`],
    source: 'LINE Developers, "Channel access token": a long token in base64; LINE Notify: 43 letters and digits.'
  },
  {
    names: [
      'line_channel',
      'linechannel',
      'line_bot',
      'linebot',
      'line_access',
      'channel_access_token',
      'channelaccesstoken'
    ],
    set: base64Set,
    min: 140,
    max: 180,
    padding: 2,
    bare: true
  },
  {
    names: ['linenotify', 'line_notify'],
    set: base62Set,
    min: 43,
    max: 52,
    judge: digitAndLetterJudge
  }
)

const webexParts = [[base62Set, 64], '_', [upperDigitSet, 4], '_', ...uuidParts(hexSet)] as const

/** A `token` anchor finds it, since nothing stands before it and its cluster may have any name. */
const webex: Detector = {
  id: 'webex_token',
  label: 'WEBEX_TOKEN',
  title: 'Webex access token',
  group: 'secret',
  tier: 'high',
  anchors: [{ token: [106] }],
  match(text, at) {
    const end = partsEnd(text, at, webexParts)
    return end < 0 || !isMixed(text, at, end) ? undefined : guarded(text, { start: at, end, confidence: 'strong' })
  },
  hits: () => [`webex ${filler(64)}_PF84_${fillerUuid()}`, `"Bearer ${filler(64)}_P0A1_${fillerUuid()}"`],
  misses: () => [`${filler(63)}_PF84_${fillerUuid()}`, `${filler(64)}_PF84_${filler(36)}`, filler(106)],
  source: 'TruffleHog detector for Webex bots: 64 letters and digits, the cluster, the UUID of the organization.'
}

export const messagingDetectors: readonly Detector[] = [
  twilio,
  sendgrid,
  mailgun,
  mailchimp,
  mailVendors,
  postmark,
  telegram,
  teams,
  line,
  webex
]
