/** Stripe, and webhook signing secrets. */
import { base62Set, charSet, countOf, digitSet, paddedBase64Set, runEnd, runStart, wordSet } from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { keyDetector, type KeyForm } from '../../keys/fixed-key.ts'
import { filler } from '../../sample-text.ts'

const live = ['sk', 'live', ''].join('_')
const restricted = ['rk', 'live', ''].join('_')
const test = ['sk', 'test', ''].join('_')
/** Short bodies are samples; identifiers such as `sk_test_helper` have underscores or no digit. */
const stripeJudge = (body: string): Confidence | undefined =>
  body.length >= 24 ? 'strong' : countOf(body, 0, body.length, digitSet) > 0 ? 'medium' : undefined
const stripeForms: KeyForm[] = [
  { prefix: ['sk', 'prod', ''].join('_'), set: base62Set, min: 10, max: 247, judge: stripeJudge },
  { prefix: ['rk', 'prod', ''].join('_'), set: base62Set, min: 10, max: 247, judge: stripeJudge },
  { prefix: live, set: base62Set, min: 10, max: 247, judge: stripeJudge },
  { prefix: restricted, set: base62Set, min: 10, max: 247, judge: stripeJudge },
  { prefix: test, set: base62Set, min: 10, max: 247, judge: stripeJudge, tier: 'medium' },
  { prefix: ['rk', 'test', ''].join('_'), set: base62Set, min: 10, max: 247, judge: stripeJudge, tier: 'medium' }
]
const hookForms: KeyForm[] = [{ prefix: 'wh' + 'sec_', set: paddedBase64Set, min: 32, max: 120 }]

const clientMark = '_secret_'
/** What the id of a payment, of a set-up and of a checkout begins with. */
const intents = ['pi_', 'seti_', 'cs_test_', 'cs_live_']
const intentUnitsMin = 14
const intentUnitsMax = 90
/** Checkouts encode more signs in theirs. */
const clientSet = charSet('A-Z', 'a-z', '0-9', '%')
const clientUnitsMin = 20
const clientUnitsMax = 200

/** The secret with which a browser finishes one payment: the id of the payment, and what only its customer may know. */
const clientSecret: Detector = {
  id: 'stripe_client_secret',
  label: 'STRIPE_CLIENT_SECRET',
  title: 'client secret of a Stripe payment',
  group: 'secret',
  tier: 'medium',
  lengthMin: intentUnitsMin + clientMark.length + clientUnitsMin,
  anchors: [{ literal: clientMark, guard: { behind: base62Set, behindUnits: 7, beforeValue: 16 } }],
  match(text, at) {
    const start = runStart(text, at, wordSet, intentUnitsMax)
    const intent = intents.find((one) => text.startsWith(one, start))
    if (intent === undefined || at - start < intentUnitsMin) return undefined
    if (runEnd(text, start + intent.length, base62Set, intentUnitsMax) !== at) return undefined
    const from = at + clientMark.length
    const end = runEnd(text, from, clientSet, clientUnitsMax)
    if (end - from < clientUnitsMin || countOf(text, from, end, digitSet) === 0) return undefined
    return { start, end, confidence: 'medium' }
  },
  hits: () => [
    `"client_secret": "${['pi_3', filler(23), clientMark, filler(25)].join('')}"`,
    `?setup_intent_client_secret=${['seti_1', filler(23), clientMark, filler(30)].join('')}&redirect_status=succeeded`
  ],
  misses: () => [
    ['pi_3', filler(23), clientMark, filler(12)].join(''),
    ['api_3', filler(23), clientMark, filler(25)].join(''),
    'kms_secret_' + filler(30)
  ],
  source: 'Stripe API reference, PaymentIntent, SetupIntent and Checkout Session, "client_secret".'
}

export const stripeDetectors: readonly Detector[] = [
  clientSecret,
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
