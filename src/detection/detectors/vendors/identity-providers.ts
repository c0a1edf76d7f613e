/** Services with which applications sign in their users. */
import type { Detector } from '../../detector.ts'
import { contextKeyDetector } from '../../keys/context-key.ts'
import { digitAndLetterJudge, hasDigitAndLetter } from '../../keys/key-shape.ts'
import { filler } from '../../sample-text.ts'
import { base64UrlSet, wordSet } from '../../text/chars.ts'

const okta = contextKeyDetector(
  {
    id: 'okta_token',
    label: 'OKTA_TOKEN',
    title: 'Okta API token',
    hits: () => [`OKTA_API_TOKEN=00${filler(40)}`, `Authorization: SSWS 00${filler(40)}`],
    misses: () => ['00' + filler(40), 'okta_domain=acme.okta.com', `okta_build=${filler(42)}`],
    source: 'gitleaks rule okta-access-token: 00 and 40 characters; Okta documentation: the scheme SSWS.'
  },
  {
    names: ['okta', 'ssws'],
    set: base64UrlSet,
    min: 42,
    max: 42,
    bare: true,
    judge: (value) => (value.startsWith('00') && hasDigitAndLetter(value, 2, 42) ? 'strong' : undefined)
  }
)

const auth0 = contextKeyDetector(
  {
    id: 'auth0_secret',
    label: 'AUTH0_SECRET',
    title: 'Auth0 client secret',
    tier: 'medium',
    hits: () => [`AUTH0_CLIENT_SECRET=${filler(64)}`],
    misses: () => [filler(64), 'AUTH0_DOMAIN=acme.eu.auth0.com'],
    source: 'noseyparker and kingfisher rules for Auth0: 64 characters beside the name.'
  },
  { names: ['auth0', 'auth_0'], set: base64UrlSet, min: 60, max: 72, judge: digitAndLetterJudge },
  { names: ['auth0', 'auth_0'], set: base64UrlSet, min: 32, max: 44, judge: digitAndLetterJudge, tier: 'low' }
)

const clerk = contextKeyDetector(
  {
    id: 'clerk_workos',
    label: 'IDENTITY_KEY',
    title: 'Clerk or WorkOS secret key',
    hits: () => [`CLERK_SECRET_KEY=sk_test_${filler(40)}`, `workos_api_key: "sk_${filler(24)}_${filler(22)}"`],
    misses: () => ['CLERK_SECRET_KEY=sk_test_', `clerk_key=${filler(40)}`],
    source: 'Clerk documentation, "Environment variables": sk_live_ and sk_test_; betterleaks rules clerk-*, workos-*.'
  },
  {
    names: ['clerk', 'workos'],
    set: wordSet,
    min: 40,
    max: 120,
    judge: (value) => (value.startsWith('sk_') && hasDigitAndLetter(value, 3, value.length) ? 'strong' : undefined)
  }
)

export const identityProviderDetectors: readonly Detector[] = [okta, auth0, clerk]
