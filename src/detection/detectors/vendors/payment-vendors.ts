/** Payments, shops, exchanges and parcels. */
import {
  anyBase64Set,
  base62Set,
  base64Set,
  base64UrlSet,
  charSet,
  codeAt,
  countOf,
  hexSet,
  inSet,
  lowerDigitSet,
  lowerHexSet,
  paddedBase64UrlSet,
  snakeSet,
  uuidSet,
  wordSet
} from '../../text/chars.ts'
import { contextKeyDetector, uuidJudge } from '../../keys/context-key.ts'
import { generatedJudge, looksGenerated } from '../../keys/generated.ts'
import type { Confidence } from '../../findings.ts'
import type { Detector } from '../../detector.ts'
import { isUuid } from '../../values/non-secret-formats.ts'
import {
  digitAndLetterJudge,
  hasDigitAndLetter,
  isMixed,
  shapedDetector,
  shapedOrNamedDetector,
  uuidParts,
  withDigit
} from '../../keys/key-shape.ts'
import { filler, fillerUuid, hexLetters } from '../../sample-text.ts'
import { rarity } from '../../values/rarity.ts'

const shopify = shapedDetector(
  {
    id: 'shopify_token',
    label: 'SHOPIFY_TOKEN',
    title: 'Shopify access token',
    misses: () => ['shp' + 'at_' + filler(31, hexLetters), 'shp' + 'at_' + filler(40), 'shopify_token'],
    source:
      'Shopify documentation, "Access token formats": shpat, shpca, shppa, shpss and 32 hexadecimal digits. The form of users and themes is observed in public programs, that of partners is from memory.'
  },
  ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shprt_', 'shpua_', 'shptka_', 'prtapi_'].map((prefix) => ({
    prefix,
    parts: [[hexSet, 32]]
  }))
)

/** Characters that may stand next to a piece of base64, and not next to a token. */
const base64EdgeSet = charSet('A-Z', 'a-z', '0-9', '_+/')
const base64SignSet = charSet('+/')

/** Whether zero bytes are in it, as in the line of a certificate that begins like a token. */
const holdsZeros = (value: string): boolean => value.includes('A'.repeat(5))

/** Whether a value is not part of base64, in which zero bytes begin with `AAAA` as well. */
function isApart(text: string, start: number, end: number): boolean {
  const value = text.slice(start + 4, end)
  return (
    countOf(value, 0, value.length, hexSet) < value.length &&
    looksGenerated(value) &&
    !holdsZeros(value) &&
    !inSet(base64SignSet, codeAt(text, end))
  )
}

const square = shapedDetector(
  {
    id: 'square_token',
    label: 'SQUARE_TOKEN',
    title: 'Square access token',
    misses: () => [
      'EAAA' + filler(20),
      'sq0atp-' + filler(10),
      'sq0csp-...',
      '4648\tEAAA1870-4306-4907-B41D-02BF6208D497\t2025',
      `Dx+EAAA${filler(30)}`,
      `EAAA${filler(30)}+FjQ`,
      `EAAA${'A'.repeat(8)}BI${filler(30)}`,
      `KQ\nEAAA${'A'.repeat(12)}GHBA${filler(44)}\nMQ`
    ],
    source: 'gitleaks rules square-access-token and square-secret; Square documentation, "Access tokens".'
  },
  [
    {
      prefix: 'EAAA',
      parts: [[base64UrlSet, 60]],
      left: base64EdgeSet,
      judge: (text, start, end) =>
        isMixed(text, start + 4, end) && !holdsZeros(text.slice(start + 4, end)) ? 'strong' : undefined
    },
    {
      prefix: 'EAAA',
      parts: [[base64UrlSet, 22, 59]],
      left: base64EdgeSet,
      judge: (text, start, end) => (isApart(text, start, end) && !isUuid(text, start, end) ? 'medium' : undefined)
    },
    { prefix: 'sq0atp-', parts: [[base64UrlSet, 22, 60]] },
    { prefix: 'sq0csp-', parts: [[charSet('A-Z', 'a-z', '0-9', '_\\-'), 43, 50]] },
    { prefix: 'sq0idp-', parts: [[base64UrlSet, 22]], tier: 'low' }
  ]
)

const paypal = shapedOrNamedDetector(
  {
    id: 'paypal_secret',
    label: 'PAYPAL_SECRET',
    title: 'PayPal or Braintree secret',
    tier: 'medium',
    hits: () => [`PAYPAL_CLIENT_SECRET=${filler(80)}`],
    misses: () => [filler(80), 'PAYPAL_MODE=sandbox', 'access_token$production$short'],
    source:
      'PayPal documentation, "Get started": 80 characters; Braintree: access_token$<environment>$<id>$<32 digits>.'
  },
  ['production', 'sandbox'].map((environment) => ({
    prefix: `access_token$${environment}$`,
    parts: [[lowerDigitSet, 16], '$', [lowerHexSet, 32]]
  })),
  [{ names: ['paypal'], set: base64UrlSet, min: 76, max: 120 }]
)

/** One of twelve random bodies of this length has no digit. */
const razorpayJudge = (text: string, start: number, end: number): Confidence | undefined =>
  withDigit(text, start, end) ?? generatedJudge(text.slice(end - 14, end))

const razorpay = shapedOrNamedDetector(
  {
    id: 'razorpay_paystack',
    label: 'PAYMENT_KEY',
    title: 'Razorpay or Paystack key',
    hits: () => [
      `RAZORPAY_KEY_SECRET=${filler(24)}`,
      `rzp_live_${['Irkom', 'JtGjk', 'KpoH'].join('')}`,
      `paystack secret key: sk_test_${filler(40, hexLetters)}`
    ],
    misses: () => ['rzp_live_short', 'rzp_live_PaymentLinkIds', 'rzp_live_transactionid', filler(24)],
    source: 'noseyparker rules for Razorpay: rzp_live_ and 14; Paystack documentation: 40 hexadecimal digits.'
  },
  [
    { prefix: 'rzp_live_', parts: [[base62Set, 14]], judge: razorpayJudge },
    { prefix: 'rzp_test_', parts: [[base62Set, 14]], judge: razorpayJudge, tier: 'medium' }
  ],
  [
    { names: ['razorpay'], set: base62Set, min: 24, max: 24 },
    {
      names: ['paystack'],
      set: snakeSet,
      min: 48,
      max: 48,
      judge: (value) => (value.startsWith('sk_live_') || value.startsWith('sk_test_') ? 'strong' : undefined)
    }
  ]
)

const plaid = shapedOrNamedDetector(
  {
    id: 'plaid_key',
    label: 'PLAID_KEY',
    title: 'Plaid key or access token',
    tier: 'medium',
    hits: () => [`PLAID_SECRET=${filler(30)}`, `plaid_client_id: "${filler(24)}"`],
    misses: () => [
      filler(30),
      'plaidClient.assetReportPdfGet(assetReportPDFGetRequest)',
      'access-production-id',
      'access-development-only'
    ],
    source: 'gitleaks rules plaid-client-id, plaid-secret-key, plaid-api-token; Plaid documentation, "Tokens".'
  },
  ['access', 'public', 'link'].flatMap((kind) =>
    ['production', 'sandbox', 'development'].map((environment) => ({
      prefix: `${kind}-${environment}-`,
      parts: uuidParts(hexSet)
    }))
  ),
  [
    {
      names: ['plaid'],
      set: base62Set,
      min: 30,
      max: 30,
      bare: true,
      judge: digitAndLetterJudge
    },
    {
      names: ['plaid'],
      set: base62Set,
      min: 24,
      max: 24,
      bare: true,
      judge: (value) => (hasDigitAndLetter(value, 0, 24) || isMixedCase(value) ? 'medium' : undefined)
    }
  ]
)

/** Whether at least two capitals are not at the start of a word: `HEbURJUyar`. */
function isMixedCase(value: string): boolean {
  let capitals = 0
  for (let i = 1; i < value.length; i++) {
    const before = value.charCodeAt(i - 1)
    const code = value.charCodeAt(i)
    if (code >= 65 && code <= 90 && before >= 65 && before <= 90) capitals++
  }
  return capitals >= 2 && rarity(value, 0, value.length) >= generatedBits
}
/** Bits per character (rarity) that letters have which nobody chose. */
const generatedBits = 8

const exchange = contextKeyDetector(
  {
    id: 'coinbase_etc_exchange',
    label: 'EXCHANGE_KEY',
    title: 'key of a crypto exchange',
    tier: 'medium',
    hits: () => [
      `BINANCE_API_SECRET=${filler(64)}`,
      `kraken_private_key = "${filler(86)}=="`,
      `KUCOIN_SECRET=${fillerUuid()}`,
      `bittrexKey: ${filler(32, hexLetters)}`,
      `coinbase_access_token=${filler(64)}`
    ],
    misses: () => [filler(64), fillerUuid(), 'COINBASE_URL=https://api.coinbase.com/v2/exchange-rates'],
    source: 'gitleaks rules for Bittrex, Coinbase, Kraken, KuCoin; Binance documentation: 64 letters and digits.'
  },
  { names: ['binance', 'bybit', 'coinbase', 'bitfinex', 'mexc'], set: base64UrlSet, min: 64, max: 64 },
  {
    names: ['coinbase', 'bittrex', 'gateio', 'gate_io', 'bitget', 'coinlib', 'coinapi'],
    set: base62Set,
    min: 32,
    max: 32
  },
  { names: ['kraken'], set: anyBase64Set, min: 40, max: 90, padding: 2 },
  { names: ['kraken'], set: base64Set, min: 56, max: 88, padding: 2 },
  { names: ['kucoin', 'okx'], set: uuidSet, min: 36, max: 36, judge: uuidJudge },
  {
    names: ['kucoin'],
    set: lowerHexSet,
    min: 24,
    max: 24,
    judge: digitAndLetterJudge
  },
  { names: ['polymarket', 'poly_passphrase', 'poly_api'], set: base64UrlSet, min: 64, max: 64 }
)

const parcels = shapedOrNamedDetector(
  {
    id: 'shippo_easypost_lob_duffel',
    label: 'VENDOR_KEY',
    title: 'key of a parcel, mail or travel service',
    tier: 'medium',
    hits: () => [`LOB_API_KEY=live_${filler(35, hexLetters)}`],
    misses: () => ['shippo_live_x', 'EZAK' + filler(20), 'test_' + filler(35, hexLetters), 'duffel_test_run'],
    source: 'gitleaks rules shippo-api-token, easypost-api-token, lob-api-key, duffel-api-token.'
  },
  [
    { prefix: 'shippo_live_', parts: [[hexSet, 40]] },
    { prefix: 'shippo_test_', parts: [[hexSet, 40]] },
    { prefix: 'EZAK', parts: [[base62Set, 54]], judge: withDigit },
    { prefix: 'EZTK', parts: [[base62Set, 54]], judge: withDigit },
    { prefix: 'duffel_live_', parts: [[paddedBase64UrlSet, 43]], judge: withDigit },
    { prefix: 'duffel_test_', parts: [[paddedBase64UrlSet, 43]], judge: withDigit },
    { prefix: 'live_', parts: [[lowerHexSet, 35]], judge: withDigit }
  ],
  [
    {
      names: ['lob'],
      set: snakeSet,
      min: 40,
      max: 44,
      judge: (value) => (lobStarts.some((one) => value.startsWith(one)) && looksGenerated(value) ? 'medium' : undefined)
    }
  ]
)
const lobStarts = ['live_', 'test_', 'live_pub_', 'test_pub_']

/** The application, a date, a number and the user. */
const mercadoParts = [
  [base62Set, 13, 20],
  '-',
  [base62Set, 6],
  '-',
  [lowerHexSet, 32],
  '-',
  [base62Set, 6, 12]
] as const

/** Of an organization, a person, OAuth (with `u_` or `o_` behind), a session of a customer and the secret of a webhook. */
const polarPrefixes = [
  ...['polar_oat_', 'polar_pat_', 'polar_at_', 'polar_rt_', 'polar_cs_', 'polar_crt_'],
  ...['polar_cst_', 'polar_whs_']
]

const banks = shapedDetector(
  {
    id: 'payment_vendor_key',
    label: 'PAYMENT_VENDOR_KEY',
    title: 'key of a payment service',
    misses: () => ['FLWSECK_TEST', 'pdl_live_apikey', 'polar_pat_', 'ramp_sec_retrieve', 'live_' + filler(40)],
    source:
      'gitleaks and betterleaks rules for the vendors named beside the prefixes; the source of Polar: 37 letters and digits and a CRC-32 in base62. Persona documentation, "API keys": the prefixes; how long keys are is from memory.'
  },
  [
    // Flutterwave. Its public key is public.
    { prefix: 'FLWSECK_TEST-', parts: [[charSet('a-h', '0-9'), 12]], judge: withDigit },
    { prefix: 'FLWSECK_TEST-', parts: [[charSet('a-h', '0-9'), 32], '-X'] },
    { prefix: 'FLWSECK-', parts: [[charSet('a-h', '0-9'), 32], '-X'] },
    { prefix: 'FLWPUBK_TEST-', parts: [[charSet('a-h', '0-9'), 32], '-X'], tier: 'medium' },
    { prefix: 'FLWPUBK-', parts: [[charSet('a-h', '0-9'), 32], '-X'], tier: 'medium' },
    // Mercado Pago, Paddle, Polar, Ramp, Asaas, Midtrans, Mercury, Rainforest, Persona, Onfido.
    { prefix: 'APP_USR-', parts: mercadoParts },
    { prefix: 'TEST-', parts: mercadoParts, tier: 'medium' },
    { prefix: 'pdl_live_apikey_', parts: [[base62Set, 26], '_', [base62Set, 22], '_', [base62Set, 3]] },
    { prefix: 'pdl_sdbx_apikey_', parts: [[base62Set, 26], '_', [base62Set, 22], '_', [base62Set, 3]], tier: 'medium' },
    ...polarPrefixes.map((prefix) => ({
      prefix,
      parts: [[base64UrlSet, 24, 100]] as const,
      judge: (text: string, start: number, end: number) =>
        isMixed(text, start + prefix.length, end) ? 'strong' : undefined
    })),
    { prefix: 'ramp_sec_', parts: [[base62Set, 48]], judge: withDigit },
    { prefix: '$aact_', parts: [[charSet('A-Z', 'a-z', '0-9', '_:='), 32, 200]], judge: withDigit },
    { prefix: 'Mid-server-', parts: [[base64UrlSet, 14, 24]], judge: withDigit },
    { prefix: 'secret-token:mercury_production_', parts: [[wordSet, 40, 60]] },
    { prefix: 'apikey_', parts: [[lowerHexSet, 64]] },
    { prefix: 'persona_production_', parts: [[base64UrlSet, 32, 64]], judge: withDigit },
    { prefix: 'persona_sandbox_', parts: [[base64UrlSet, 32, 64]], judge: withDigit, tier: 'medium' },
    ...['api_live.', 'api_live_us.', 'api_live_ca.'].flatMap((prefix) => [
      { prefix, parts: [[base64UrlSet, 11], '.', [base64UrlSet, 32]] as const },
      { prefix, parts: [[base64UrlSet, 20, 80]] as const, judge: withDigit }
    ])
  ]
)

export const paymentVendorDetectors: readonly Detector[] = [
  shopify,
  square,
  paypal,
  razorpay,
  plaid,
  exchange,
  parcels,
  banks
]
