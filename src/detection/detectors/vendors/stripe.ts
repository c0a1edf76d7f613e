/** Stripe, and webhook signing secrets. */
import { base62Set, countOf, digitSet, paddedBase64Set } from '../../text/chars.ts'
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

export const stripeDetectors: readonly Detector[] = [
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
