/** Social networks. */
import { base62Set, base64UrlSet, charSet, digitSet, lowerHexSet, runEnd } from '../../text/chars.ts'
import { contextAnchors, matchContextForms, type ContextForm } from '../../keys/context-key.ts'
import type { Detector } from '../../detector.ts'
import {
  hasDigitAndLetter,
  isInsideBase64,
  isMixed,
  matchShapes,
  sampleOf,
  type ShapedForm
} from '../../keys/key-shape.ts'
import { filler, hexLetters } from '../../sample-text.ts'

const facebookForms: ShapedForm[] = [
  {
    prefix: 'EAA',
    parts: [[base62Set, 97, 400]],
    judge: (text, start, end) => (isMixed(text, start + 3, end) && !isInsideBase64(text, start) ? 'strong' : undefined)
  },
  {
    prefix: 'EAAC',
    parts: [[base62Set, 50, 97]],
    judge: (text, start, end) => (isMixed(text, start + 4, end) && !isInsideBase64(text, start) ? 'medium' : undefined)
  }
]
const facebookNames: ContextForm[] = [
  { names: ['facebook', 'fb', 'meta_app'], set: lowerHexSet, min: 32, max: 32, judge: () => 'medium' },
  {
    names: ['facebook', 'fb'],
    set: charSet('A-Z', 'a-z', '0-9', '|_-'),
    min: 40,
    max: 50,
    // Two numbers with a bar between them are an app and its secret.
    bare: true,
    judge(value) {
      const bar = runEnd(value, 0, digitSet, 18)
      return bar >= 15 && value.charCodeAt(bar) === 124 && value.length - bar > 26 ? 'strong' : undefined
    }
  }
]
const matchFacebookKey = matchShapes(facebookForms)
const matchFacebookName = matchContextForms(facebookNames)

const facebook: Detector = {
  id: 'facebook_token',
  label: 'FACEBOOK_TOKEN',
  lengthMin: 34,
  title: 'Facebook access token or app secret',
  group: 'secret',
  tier: 'high',
  anchors: [...facebookForms.map(({ prefix }) => ({ literal: prefix })), ...contextAnchors(facebookNames)],
  match: (text, at, context) => matchFacebookKey(text, at) ?? matchFacebookName(text, at, context),
  hits: () => [
    ...facebookForms.map((form) => sampleOf(form)),
    `FACEBOOK_APP_SECRET=${filler(32, hexLetters)}`,
    `facebook access_token: ${filler(15, '123456789')}|${filler(27)}`,
    `facebook ${filler(16, '123456789')}|${filler(27)}`
  ],
  misses: () => [
    'EAA' + filler(40),
    'EAAC' + filler(97, 'abcdef'),
    filler(32, hexLetters),
    `facebook ${filler(12, '123456789')}|${filler(27)}`,
    `${filler(60)}/EAA${filler(120)}`,
    `${filler(60)}&#10;EAAC${filler(70)}+i2&#10;`
  ],
  source: 'gitleaks rules facebook-page-access-token, facebook-access-token, facebook-secret.'
}

const bearerStart = 'A'.repeat(22)
const bearerSet = charSet('A-Z', 'a-z', '0-9', '%')
const twitterNames: ContextForm[] = [
  { names: ['twitter', 'tweepy'], set: base62Set, min: 25, max: 25 },
  { names: ['twitter', 'tweepy'], set: base62Set, min: 45, max: 45 },
  { names: ['twitter', 'tweepy'], set: base62Set, min: 50, max: 50 },
  {
    names: ['twitter', 'tweepy'],
    set: base64UrlSet,
    min: 36,
    max: 62,
    judge(value) {
      const dash = runEnd(value, 0, digitSet, 21)
      return dash >= 15 && value.charCodeAt(dash) === 45 && hasDigitAndLetter(value, dash + 1, value.length)
        ? 'medium'
        : undefined
    }
  },
  { names: ['twitter', 'tweepy'], set: bearerSet, min: 80, max: 120 }
]
const matchTwitterName = matchContextForms(twitterNames)
const matchBearer = matchShapes([
  {
    prefix: bearerStart,
    parts: [[bearerSet, 58, 120]],
    judge: (text, start, end) =>
      isMixed(text, start, end) && text.slice(start, end).includes('%') ? 'strong' : undefined
  }
])

const twitter: Detector = {
  id: 'twitter_keys',
  label: 'TWITTER_TOKEN',
  lengthMin: 30,
  title: 'Twitter key or token',
  group: 'secret',
  tier: 'medium',
  anchors: [{ literal: bearerStart }, ...contextAnchors(twitterNames)],
  match(text, at, context) {
    if (text.charCodeAt(at) !== 65) return matchTwitterName(text, at, context)
    return text.charCodeAt(at - 1) === 65 ? undefined : matchBearer(text, at)
  },
  hits: () => [
    bearerStart + filler(30) + '%2B' + filler(48) + '%3D' + filler(20),
    `TWITTER_CONSUMER_KEY=${filler(25)}`,
    `twitter_consumer_secret: "${filler(50)}"`,
    `twitter access token ${filler(18, '123456789')}-${filler(30)}`
  ],
  misses: () => [bearerStart + bearerStart, filler(50), 'twitter.com/some_account_of_somebody'],
  source: 'gitleaks rules twitter-api-key, -api-secret, -access-token, -access-secret, -bearer-token.'
}

export const socialDetectors: readonly Detector[] = [facebook, twitter]
