/** Office and team tools: trackers, documents, design, customer records, files. */
import {
  anyBase64Set,
  anyPaddedBase64Set,
  base62Set,
  base64UrlSet,
  charSet,
  digitSet,
  hexSet,
  leftClear,
  lowerDigitSet,
  lowerHexSet,
  runEnd,
  runStart,
  upperDigitSet,
  uuidSet
} from '../../text/chars.ts'
import { contextKeyDetector, uuidJudge } from '../../keys/context-key.ts'
import type { Detector, Match } from '../../detector.ts'
import { guarded } from '../../keys/fixed-key.ts'
import {
  digitAndLetterJudge,
  isInsideBase64,
  isMixed,
  shapedDetector,
  shapedOrNamedDetector,
  uuidParts,
  withDigit,
  type ShapedForm
} from '../../keys/key-shape.ts'
import { filler, fillerUuid, hexLetters, lowerDigitLetters } from '../../sample-text.ts'

const linear = shapedOrNamedDetector(
  {
    id: 'linear_key',
    label: 'LINEAR_KEY',
    title: 'Linear API key',
    hits: () => [`linear_client_secret = "${filler(32, hexLetters)}"`],
    misses: () => ['lin_api_' + filler(30), 'lin_oauth_client', filler(32, hexLetters)],
    source: 'gitleaks rules linear-api-key (lin_api_ and 40) and linear-client-secret (32 hexadecimal digits).'
  },
  [
    { prefix: 'lin_api_', parts: [[base62Set, 40]] },
    { prefix: 'lin_oauth_', parts: [[base62Set, 40, 64]], judge: withDigit },
    { prefix: 'lin_wh_', parts: [[base62Set, 32, 64]], judge: withDigit }
  ],
  [
    {
      names: ['linear_client', 'linearclient', 'linear_secret', 'linear_api', 'linearapi'],
      set: lowerHexSet,
      min: 32,
      max: 32,
      judge: digitAndLetterJudge
    }
  ]
)

const notion = shapedDetector(
  {
    id: 'notion_token',
    label: 'NOTION_TOKEN',
    title: 'Notion integration token',
    misses: () => [
      'ntn_' + filler(20),
      'secret_' + filler(40),
      'my_secret_' + filler(43),
      'secret_' + 'abcdefghij'.repeat(5).slice(0, 43)
    ],
    source: 'gitleaks rule notion-api-token: ntn_, 11 digits and 35 characters; before 2024 secret_ and 43.'
  },
  [
    { prefix: 'ntn_', parts: [[base62Set, 46]], judge: withDigit },
    {
      prefix: 'secret_',
      parts: [[base62Set, 43]],
      judge: (text, start, end) => (isMixed(text, start + 7, end) ? 'strong' : undefined)
    }
  ]
)

const figma = shapedDetector(
  {
    id: 'figma_token',
    label: 'FIGMA_TOKEN',
    title: 'Figma access token',
    misses: () => ['figd_' + filler(20), 'figma_token', 'figd_design_file_name'],
    source: 'secretlint and betterleaks rules for Figma: figd_ and 38 to 46 characters; figo_ and figr_ for OAuth.'
  },
  ['figd_', 'figo_', 'figr_', 'figoh_', 'figorh_'].map((prefix) => ({
    prefix,
    parts: [[base64UrlSet, 38, 46]],
    judge: withDigit
  }))
)

const asana = contextKeyDetector(
  {
    id: 'asana_token',
    label: 'ASANA_TOKEN',
    title: 'Asana token',
    tier: 'medium',
    hits: () => [
      `ASANA_TOKEN=1/${filler(16, '123456789')}:${filler(32, hexLetters)}`,
      `asana_client_secret: ${filler(32, lowerDigitLetters)}`,
      `asanaToken = "2/${filler(16, '123456789')}/${filler(16, '123456789')}:${filler(32, hexLetters)}"`
    ],
    misses: () => [filler(32), `1/${filler(16, '123456789')}`, 'app.asana.com/0/project'],
    source: 'gitleaks rules asana-client-id, asana-client-secret; Asana documentation, "Personal access token".'
  },
  {
    names: ['asana'],
    set: charSet('0-9', 'a-f', ':/'),
    min: 50,
    max: 72,
    judge: (value) =>
      (value.startsWith('1/') || value.startsWith('2/')) && value.charCodeAt(value.length - 33) === 58
        ? 'strong'
        : undefined
  },
  { names: ['asana'], set: lowerDigitSet, min: 32, max: 32, judge: digitAndLetterJudge },
  { names: ['asana'], set: hexSet, min: 34, max: 38, judge: digitAndLetterJudge },
  {
    names: ['asana_client', 'asana_key', 'asana_token', 'asanatoken', 'asanakey'],
    set: digitSet,
    min: 16,
    max: 16,
    judge: () => 'medium'
  },
  {
    names: ['asana'],
    set: charSet('0-9', 'a-z', '/'),
    min: 40,
    max: 80,
    judge: (value) => (value.startsWith('0/') ? 'medium' : undefined)
  }
)

const airtable = shapedOrNamedDetector(
  {
    id: 'airtable_token',
    label: 'AIRTABLE_TOKEN',
    title: 'Airtable token',
    hits: () => [`AIRTABLE_API_KEY=key${filler(14)}`],
    misses: () => ['pat' + filler(14) + '.' + filler(60, hexLetters), 'path.to.file', 'key' + filler(14)],
    source: 'Airtable documentation, "Personal access tokens"; gitleaks rules airtable-*: pat, 14, a dot, 64 digits.'
  },
  [
    { prefix: 'pat', parts: [[base62Set, 14], '.', [lowerHexSet, 64]] },
    {
      prefix: 'oaa',
      parts: [[base62Set, 14], '.v1.', [base64UrlSet, 6, 400], '.', [anyPaddedBase64Set, 60, 300]]
    }
  ],
  [{ names: ['airtable'], set: base62Set, min: 17, max: 17, judge: digitAndLetterJudge }]
)

const hubspot = shapedOrNamedDetector(
  {
    id: 'hubspot_key',
    label: 'HUBSPOT_TOKEN',
    title: 'HubSpot token',
    hits: () => [`HUBSPOT_API_KEY=${fillerUuid()}`],
    misses: () => ['pat-na1-' + fillerUuid().slice(1), fillerUuid(), 'hubspot_portal_id=1234567'],
    source: 'HubSpot documentation, "Private apps"; gitleaks rule hubspot-api-key (a UUID beside the name).'
  },
  ['na1', 'na2', 'eu1', 'ap1'].map((region) => ({ prefix: `pat-${region}-`, parts: uuidParts(hexSet) })),
  [{ names: ['hubspot', 'hapikey'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }]
)

const support = contextKeyDetector(
  {
    id: 'intercom_zendesk_freshdesk',
    label: 'SUPPORT_KEY',
    title: 'key of a support desk',
    tier: 'medium',
    hits: () => [
      `ZENDESK_API_TOKEN=${filler(40)}`,
      `intercom_token = "dG9r${filler(55)}="`,
      `freshdesk_api_key: ${filler(20)}`
    ],
    misses: () => [filler(40), 'ZENDESK_SUBDOMAIN=acme', 'https://acme.zendesk.com/hc/en-us/articles/360'],
    source: 'gitleaks rules zendesk-secret-key (40), freshbooks-access-token, intercom-api-key (60 characters).'
  },
  { names: ['zendesk'], set: base62Set, min: 40, max: 40, judge: digitAndLetterJudge },
  { names: ['intercom'], set: base64UrlSet, min: 59, max: 60, padding: 1 },
  { names: ['freshdesk', 'freshservice', 'freshchat'], set: base62Set, min: 18, max: 22 },
  { names: ['freshbooks'], set: base62Set, min: 64, max: 64 }
)

const salesforceSet = charSet('A-Z', 'a-z', '0-9', '._')
const salesforce = shapedOrNamedDetector(
  {
    id: 'salesforce_token',
    label: 'SALESFORCE_TOKEN',
    title: 'Salesforce access token',
    hits: () => [`SALESFORCE_ACCESS_TOKEN=00D${filler(12)}!${filler(96)}`],
    misses: () => ['00D' + filler(12), '00D' + filler(12) + '!' + filler(40), '#00DDFF!important'],
    source:
      'betterleaks rule salesforce-access-token: the id of an organisation, an exclamation mark, 90 characters and more.'
  },
  [
    { prefix: '00D', parts: [[base62Set, 12, 15], '!', [salesforceSet, 85, 260]] },
    { prefix: '5Aep861', parts: [[charSet('A-Z', 'a-z', '0-9', '._'), 70, 100]], judge: withDigit }
  ],
  [
    {
      names: ['salesforce', 'sfdc'],
      set: charSet('A-Z', 'a-z', '0-9', '._!-'),
      min: 100,
      max: 280,
      judge: (value) => (value.startsWith('00') && value.includes('!') ? 'medium' : undefined)
    }
  ]
)

const postman = shapedDetector(
  {
    id: 'postman_key',
    label: 'POSTMAN_KEY',
    title: 'Postman API key',
    misses: () => ['PMAK-' + filler(24, hexLetters), 'PMAK-...'],
    source: 'gitleaks rule postman-api-token: PMAK-, 24 and 34 hexadecimal digits.'
  },
  [
    { prefix: 'PMAK-', parts: [[hexSet, 24], '-', [hexSet, 34]] },
    { prefix: 'PMAT-', parts: [[upperDigitSet, 26]], judge: withDigit }
  ]
)

const dropboxNamed = shapedOrNamedDetector(
  {
    id: 'dropbox_token',
    label: 'DROPBOX_TOKEN',
    title: 'Dropbox token',
    hits: () => [
      `DROPBOX_APP_SECRET=${filler(15, lowerDigitLetters)}`,
      `dropbox_token = "${filler(11)}${'A'.repeat(4)}1${'A'.repeat(4)}-${filler(43)}"`
    ],
    misses: () => ['ssl.' + filler(140), 'sl.' + filler(40), 'sl.classList.add'],
    source: 'gitleaks rules dropbox-api-token (15), dropbox-short-lived-api-token (sl. and 135), -long-lived- (64).'
  },
  [
    {
      prefix: 'sl.',
      parts: [[charSet('A-Z', 'a-z', '0-9', '_.=-'), 126, 1400]],
      judge: withDigit,
      left: charSet('A-Z', 'a-z', '0-9', '_.')
    }
  ],
  [
    { names: ['dropbox'], set: lowerDigitSet, min: 15, max: 15 },
    { names: ['dropbox'], set: base64UrlSet, min: 64, max: 64, judge: digitAndLetterJudge }
  ]
)

/** The long-lived form has 64 characters, ten of which are the letter A behind the first eleven. */
const dropboxSign = 'A'.repeat(9)
const dropboxUnits = 64

function longLivedDropbox(text: string, at: number): Match | undefined {
  const start = at - 11
  if (text.charCodeAt(at - 1) === 65 || start < 0 || runStart(text, at, base64UrlSet, 12) !== start) return undefined
  const end = runEnd(text, at, base64UrlSet, dropboxUnits - 10)
  if (isInsideBase64(text, start)) return undefined
  // Zero bytes make such runs in base64 too, and then a plus or a slash may stand before them.
  return end - start === dropboxUnits && leftClear(text, start, anyBase64Set) && isMixed(text, at + 10, end)
    ? guarded(text, { start, end, confidence: 'medium' })
    : undefined
}

const dropbox: Detector = {
  ...dropboxNamed,
  anchors: [...dropboxNamed.anchors, { literal: dropboxSign }],
  match: (text, at, context) =>
    text.startsWith(dropboxSign, at) ? longLivedDropbox(text, at) : dropboxNamed.match(text, at, context),
  hits: () => [...dropboxNamed.hits(), filler(11) + dropboxSign + filler(44)],
  misses: () => [
    ...dropboxNamed.misses(),
    `${filler(60)}&#10;${filler(11)}${dropboxSign}${filler(44)}//L+r3`,
    filler(30) + dropboxSign + filler(44),
    'A'.repeat(64)
  ]
}

/** Behind `sk.` or `tk.` stands a JWT without its header; `pk.` is made to be published. */
const mapboxParts = [[base64UrlSet, 40, 400], '.', [base64UrlSet, 20, 60]] as const
const mapboxForms: ShapedForm[] = [
  { prefix: 'sk.eyJ', parts: mapboxParts },
  { prefix: 'tk.eyJ', parts: mapboxParts },
  { prefix: 'pk.eyJ', parts: mapboxParts, tier: 'low' }
]
const mapbox = shapedDetector(
  {
    id: 'mapbox_token',
    label: 'MAPBOX_TOKEN',
    title: 'Mapbox token',
    misses: () => ['sk.eyJ' + filler(20), 'task.eyJ' + filler(80) + '.' + filler(22)],
    source: 'Mapbox documentation, "Access tokens": pk is public, sk secret, tk temporary.'
  },
  mapboxForms
)

const trello = contextKeyDetector(
  {
    id: 'trello_token',
    label: 'TRELLO_TOKEN',
    title: 'Trello key or token',
    tier: 'medium',
    hits: () => [
      `TRELLO_API_KEY=${filler(32)}`,
      `trello_secret: ${filler(64, hexLetters)}`,
      `TRELLO_TOKEN=ATTA${filler(72)}`
    ],
    misses: () => [filler(32), `https://trello.com/b/${filler(8)}/board`],
    source: 'gitleaks rule trello-access-token (32); kingfisher rule for the secret (64).'
  },
  { names: ['trello'], set: base64UrlSet, min: 32, max: 32 },
  { names: ['trello'], set: lowerDigitSet, min: 64, max: 64, judge: digitAndLetterJudge },
  {
    names: ['trello'],
    set: base62Set,
    min: 76,
    max: 76,
    judge: (value) => (value.startsWith('ATTA') ? 'strong' : undefined)
  }
)

export const productivityDetectors: readonly Detector[] = [
  linear,
  notion,
  figma,
  asana,
  airtable,
  hubspot,
  support,
  salesforce,
  postman,
  dropbox,
  mapbox,
  trello
]
