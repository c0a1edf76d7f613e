/** Platforms on which programs run and their infrastructure: Cloudflare, Heroku, Vercel, Fly.io, Vault and the like. */
import {
  anyBase64Set,
  base62Set,
  base64UrlSet,
  charSet,
  dottedNameSet,
  lowerDigitSet,
  lowerHexSet,
  lowerUuidSet,
  paddedBase64Set,
  runEnd,
  upperDigitSet,
  uuidSet
} from '../../text/chars.ts'
import { contextKeyDetector, keyOrContextDetector, uuidJudge } from '../../keys/context-key.ts'
import { generatedJudge } from '../../keys/generated.ts'
import type { Detector } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { keyDetector } from '../../keys/fixed-key.ts'
import { decodePrintable } from '../../text/base64-text.ts'
import { filler, fillerUuid, hexLetters, lowerDigitLetters, upperDigitLetters } from '../../sample-text.ts'

/** Origin CA keys: 24 and 146 hexadecimal digits. Longer ones occur and get a lower confidence. */
const originJudge = (body: string): Confidence | undefined =>
  body.length === 171 && body[24] === '-' ? 'strong' : body.includes('-') && body.length > 150 ? 'medium' : undefined

/** base64 of `{"a":"`, and what else the object holds. */
const tunnelStart = 'eyJhIjoi'
const tunnelMembers = ['"t":"', '"s":"']
const tunnelJudge = (body: string): Confidence | undefined => {
  const decoded = decodePrintable(body, 0, body.length)
  return decoded !== undefined && tunnelMembers.every((one) => decoded.includes(one)) ? 'strong' : undefined
}
/** An account, a tunnel and a secret that were made up. */
const tunnelSample = [
  'eyJhIjoiOWUxZDZhMTZlNWMxMDM4NTRlZmU5MjUyNzJiZjllZjUiLCJ0IjoiOWUxZDZhMTYtODA0Zi03MmJk',
  'LTY0MmEtNTY4NTMwNzNkMWJmIiwicyI6Ik4wMVhWa0p2VjJodlZVSnBlSGszYjJSTE1tWTBhalkxYmtka1VXSlljazFJUWtsciJ9'
].join('')

const cloudflareNames = ['cloudflare', 'cf_api', 'cf_token', 'cf_global', 'cf_auth']
const cloudflare: readonly Detector[] = [
  keyOrContextDetector(
    {
      id: 'cloudflare_api_token',
      label: 'CLOUDFLARE_API_TOKEN',
      title: 'Cloudflare API token',
      hits: () => [
        'cfut_' + filler(48),
        `CF_API_TOKEN=${filler(40)}`,
        `cloudflare_api_key = "${filler(40)}"`,
        'cfat_' + filler(48)
      ],
      misses: () => [
        filler(40),
        `cloudflare token sha1 ${filler(40, hexLetters)}`,
        `uses: cloudflare/wrangler-action@${filler(40, hexLetters)}`,
        'cfk_name'
      ],
      source:
        'gitleaks rule cloudflare-api-key: 40 characters beside the name; prefixes of Cloudflare since 2025, of which cfut_ is observed in public programs and the others are from memory.'
    },
    ['cfat_', 'cfut_', 'cfk_'].map((prefix) => ({
      prefix,
      set: base64UrlSet,
      min: 36,
      max: 64,
      judge: generatedJudge
    })),
    [{ names: cloudflareNames, set: base64UrlSet, min: 40, max: 40 }]
  ),
  contextKeyDetector(
    {
      id: 'cloudflare_global_key',
      label: 'CLOUDFLARE_GLOBAL_KEY',
      title: 'Cloudflare global API key',
      hits: () => [`X-Auth-Key: ${filler(37, hexLetters)}`, `CLOUDFLARE_API_KEY=${filler(37, hexLetters)}`],
      misses: () => [filler(37, hexLetters), `x-auth-key: ${filler(38, hexLetters)}`],
      source: 'gitleaks rule cloudflare-global-api-key: 37 hexadecimal digits beside the name.'
    },
    { names: [...cloudflareNames, 'x-auth-key', 'x_auth_key'], set: lowerHexSet, min: 37, max: 37, bare: true }
  ),
  keyDetector(
    {
      id: 'cloudflare_origin_ca',
      label: 'CLOUDFLARE_ORIGIN_CA_KEY',
      title: 'Cloudflare Origin CA key',
      hits: () => [`v1.0-${filler(24, hexLetters)}-${filler(146, hexLetters)}`],
      misses: () => ['v1.0-beta', `v1.0-${filler(24, hexLetters)}`, `v1.0-${filler(170, hexLetters)}`],
      source: 'gitleaks rule cloudflare-origin-ca-key: v1.0-, 24 and 146 hexadecimal digits.'
    },
    [{ prefix: 'v1.0-', set: lowerUuidSet, min: 150, max: 700, judge: originJudge }]
  ),
  keyDetector(
    {
      id: 'cloudflare_tunnel_token',
      label: 'CLOUDFLARE_TUNNEL_TOKEN',
      title: 'Cloudflare Tunnel token',
      hits: () => [tunnelSample],
      misses: () => ['eyJhIjoi', tunnelStart + filler(160), `${tunnelStart}${filler(20)}.${filler(120)}`],
      source:
        'The source of cloudflared, connection.TunnelToken: base64 of a JSON object with account, tunnel and secret.'
    },
    [{ prefix: tunnelStart, set: paddedBase64Set, min: 100, max: 300, judge: tunnelJudge }]
  )
]

const vercelForms = ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'].map((prefix) => ({
  prefix,
  set: base64UrlSet,
  min: 56,
  max: 56
}))

const hosting: readonly Detector[] = [
  keyDetector(
    {
      id: 'digitalocean_token',
      label: 'DIGITALOCEAN_TOKEN',
      title: 'DigitalOcean token',
      hits: () => ['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => prefix + filler(64, hexLetters)),
      misses: () => ['dop_v1_' + filler(63, hexLetters), 'dop_v1_...'],
      source: 'gitleaks rules for DigitalOcean: prefix and 64 hexadecimal digits.'
    },
    ['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => ({ prefix, set: lowerHexSet, min: 64, max: 64 }))
  ),
  keyDetector(
    {
      id: 'digitalocean_spaces_key',
      label: 'DIGITALOCEAN_SPACES_KEY',
      title: 'DigitalOcean Spaces access key ID',
      tier: 'medium',
      hits: () => ['DO00' + filler(16, upperDigitLetters)],
      misses: () => ['DO00' + filler(15, upperDigitLetters), 'DO00ABCDEFGHIJKLMNOP', 'x' + 'DO00' + filler(16)],
      source: 'Form of keys of the DigitalOcean console; not confirmed by documentation.'
    },
    [{ prefix: 'DO00', set: upperDigitSet, min: 16, max: 16, judge: generatedJudge }]
  ),
  keyOrContextDetector(
    {
      id: 'heroku_api_key',
      label: 'HEROKU_API_KEY',
      title: 'Heroku API key',
      hits: () => ['HRKU-AA' + filler(58), `HEROKU_API_KEY=${fillerUuid()}`, `heroku_api_key = "${fillerUuid()}"`],
      misses: () => [fillerUuid(), `heroku_app_id = ${fillerUuid()}`, 'HRKU-AA' + filler(20)],
      source: 'gitleaks rules heroku-api-key (a UUID) and heroku-api-key-v2: HRKU-AA and 58 characters.'
    },
    [{ prefix: 'HRKU-', set: base64UrlSet, min: 60, max: 60 }],
    [{ names: ['heroku'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }]
  ),
  keyDetector(
    {
      id: 'fly_io_token',
      label: 'FLY_IO_TOKEN',
      title: 'Fly.io access token',
      hits: () => ['fo1_' + filler(43), `FlyV1 fm2_${filler(300)}`, `fm1r_${filler(200)}==`],
      misses: () => ['fo1_' + filler(20), 'fm2_name', 'fm1a_' + filler(40)],
      source: 'gitleaks rule flyio-access-token: fo1_ and 43 characters; fm1a_, fm1r_, fm2_ and 100 or more.'
    },
    [
      { prefix: 'fo1_', set: base64UrlSet, min: 43, max: 43 },
      ...['fm1a_', 'fm1r_', 'fm2_'].map((prefix) => ({
        prefix,
        set: anyBase64Set,
        min: 90,
        max: 2048
      }))
    ]
  ),
  keyDetector(
    {
      id: 'render_key',
      label: 'RENDER_API_KEY',
      title: 'Render API key',
      hits: () => ['rnd_' + filler(28)],
      misses: () => ['rnd_' + filler(12), 'rnd_generator_state_of_the_world', 'brnd_' + filler(28)],
      source: 'betterleaks rule for Render: rnd_ and 28 letters and digits.'
    },
    [{ prefix: 'rnd_', set: base62Set, min: 28, max: 32, judge: generatedJudge }]
  ),
  keyOrContextDetector(
    {
      id: 'netlify_token',
      label: 'NETLIFY_TOKEN',
      title: 'Netlify access token',
      hits: () => ['nfp_' + filler(36), `NETLIFY_AUTH_TOKEN=${filler(43)}`],
      misses: () => [filler(43), 'nfp_name', `NETLIFY_AUTH_TOKEN=${filler(20)}`],
      source:
        'gitleaks rule netlify-access-token: 40 to 46 characters beside the name; nfp_ in newer tokens, as observed in public programs.'
    },
    [{ prefix: 'nfp_', set: base62Set, min: 36, max: 40, judge: generatedJudge }],
    [{ names: ['netlify'], set: base64UrlSet, min: 40, max: 46 }]
  ),
  keyOrContextDetector(
    {
      id: 'vercel_token',
      label: 'VERCEL_TOKEN',
      title: 'Vercel token',
      hits: () => [...vercelForms.map((form) => form.prefix + filler(56)), `VERCEL_TOKEN=${filler(24)}`],
      misses: () => [filler(24), 'vcp_' + filler(20), `VERCEL_PROJECT_ID=prj_${filler(24)}`],
      source: 'betterleaks rules for Vercel: prefix and 56 characters; 24 letters and digits beside the name before.'
    },
    vercelForms,
    [{ names: ['vercel', 'now_token'], set: base62Set, min: 24, max: 24 }]
  ),
  keyDetector(
    {
      id: 'scalingo_token',
      label: 'SCALINGO_TOKEN',
      title: 'Scalingo API token',
      hits: () => ['tk-us-' + filler(48)],
      misses: () => ['tk-us-' + filler(20), 'btk-us-' + filler(48)],
      source: 'gitleaks rule scalingo-api-token: tk-us- and 48 characters.'
    },
    [{ prefix: 'tk-us-', set: base64UrlSet, min: 48, max: 48 }]
  ),
  keyDetector(
    {
      id: 'deno_token',
      label: 'DENO_TOKEN',
      title: 'Deno Deploy token',
      hits: () => ['ddp_' + filler(36), 'ddw_' + filler(36), 'ddo_' + filler(36)],
      misses: () => ['ddp_' + filler(20), 'addp_' + filler(36)],
      source: 'betterleaks rule deno-account-token: ddp_ and 36 letters and digits.'
    },
    ['ddp_', 'ddw_', 'ddo_'].map((prefix) => ({ prefix, set: base62Set, min: 36, max: 36, judge: generatedJudge }))
  )
]

const pscaleSet = charSet('A-Z', 'a-z', '0-9', '_=.-')
const supabaseForms = [
  { prefix: 'sbp_', set: lowerDigitSet, min: 40, max: 40 },
  { prefix: 'sb_secret_', set: base64UrlSet, min: 31, max: 31 }
]

const databases: readonly Detector[] = [
  keyDetector(
    {
      id: 'supabase_key',
      label: 'SUPABASE_KEY',
      title: 'Supabase key',
      hits: () => ['sbp_' + filler(40, hexLetters), 'sb_secret_' + filler(31)],
      misses: () => ['sb_publishable_' + filler(31), 'sbp_' + filler(20, hexLetters), 'sb_secret_key'],
      source: 'Supabase documentation, "Understanding API keys"; betterleaks rules: sbp_ and 40, sb_secret_ and 31.'
    },
    supabaseForms
  ),
  keyDetector(
    {
      id: 'neon_key',
      label: 'NEON_API_KEY',
      title: 'Neon API key',
      hits: () => ['napi_' + filler(64, lowerDigitLetters)],
      misses: () => ['napi_' + filler(63), 'napi_create_function', 'napi_get_value_string_utf8'],
      source: 'betterleaks rule for Neon: napi_ and 64 letters and digits.'
    },
    [{ prefix: 'napi_', set: base62Set, min: 64, max: 64 }]
  ),
  keyDetector(
    {
      id: 'planetscale_token',
      label: 'PLANETSCALE_TOKEN',
      title: 'PlanetScale credential',
      hits: () => ['tkn', 'pw', 'oauth'].map((kind) => `pscale_${kind}_${filler(43)}`),
      misses: () => ['pscale_tkn_...', 'pscale_pw_' + filler(20), 'pscale_password'],
      source: 'gitleaks rules for PlanetScale: pscale_tkn_, pscale_pw_ or pscale_oauth_ and 32 to 64 characters.'
    },
    ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'].map((prefix) => ({
      prefix,
      set: pscaleSet,
      min: 32,
      max: 64,
      boundary: base64UrlSet,
      judge: generatedJudge
    }))
  ),
  keyDetector(
    {
      id: 'databricks_token',
      label: 'DATABRICKS_TOKEN',
      title: 'Databricks token',
      hits: () => ['dapi' + filler(32, hexLetters), `token = dapi${filler(32, hexLetters)}-2`],
      misses: () => ['dapi' + filler(31, hexLetters), 'dapi' + filler(34, hexLetters), 'x' + 'dapi' + filler(32)],
      source: 'gitleaks rule databricks-api-token: dapi, 32 hexadecimal digits, perhaps a dash and a digit.'
    },
    [
      {
        prefix: 'dapi',
        set: lowerUuidSet,
        min: 32,
        max: 34,
        judge: (body) =>
          runEnd(body, 0, lowerHexSet, 33) === 32 && body.length !== 33 && body[33] !== '-' ? 'strong' : undefined
      }
    ]
  ),
  contextKeyDetector(
    {
      id: 'snowflake_pat',
      label: 'SNOWFLAKE_TOKEN',
      title: 'Snowflake programmatic access token',
      hits: () => [`SNOWFLAKE_TOKEN=${filler(124)}`],
      misses: () => [filler(124), 'snowflake_account = ABCDEFG-1234567', `SNOWFLAKE_TOKEN=${filler(60)}`],
      source: 'betterleaks rule snowflake-programmatic-access-token: 100 to 500 characters beside the name.'
    },
    { names: ['snowflake'], set: dottedNameSet, min: 100, max: 500 }
  )
]

export const cloudPlatformDetectors: readonly Detector[] = [...cloudflare, ...hosting, ...databases]
