/** Key forms of many smaller services, one per line, with the service above. */
import {
  anyPaddedBase64Set,
  base62Set,
  base64Set,
  base64UrlSet,
  charSet,
  digitSet,
  dottedNameSet,
  hexSet,
  lowerDigitSet,
  lowerHexSet,
  lowerSet,
  paddedBase64Set,
  paddedBase64UrlSet,
  upperHexSet,
  wordSet
} from '../../text/chars.ts'
import { isMixed, partsEnd, uuidParts, withDigit, type KeyPart, type ShapedForm } from '../../keys/key-shape.ts'

const base32Set = charSet('a-z', '2-7')

const form = (prefix: string, ...parts: readonly KeyPart[]): ShapedForm => ({
  prefix,
  parts,
  judge: (text, start, end) => withDigit(text, start + prefix.length, end)
})

/** A form whose prefix also begins names: the rest must have capitals, lower case and digits. */
const mixedForm = (prefix: string, ...parts: readonly KeyPart[]): ShapedForm => ({
  prefix,
  parts,
  judge: (text, start, end) => (isMixed(text, start + prefix.length, end) ? 'strong' : undefined)
})

/** A form whose prefix does not identify the service: it is masked and does not block. */
const plainForm = (prefix: string, ...parts: readonly KeyPart[]): ShapedForm => ({
  ...form(prefix, ...parts),
  tier: 'medium'
})

export const serviceForms: readonly ShapedForm[] = [
  // Adafruit IO
  form('aio_', [base62Set, 28]),
  // Apify
  form('apify_api_', [base62Set, 36]),
  // The library php-encryption of Defuse, and what OAuth servers and shops keep in its form: version, key and checksum.
  form('def00000', [lowerHexSet, 128]),
  // Authress
  form('sc_', [lowerDigitSet, 5, 30], '.', [lowerDigitSet, 4, 6], '.acc', [charSet('a-z', '0-9', '_-'), 10, 32], '.', [
    anyPaddedBase64Set,
    30,
    120
  ]),
  form('ext_', [lowerDigitSet, 5, 30], '.', [lowerDigitSet, 4, 6], '.acc', [charSet('a-z', '0-9', '_-'), 10, 32], '.', [
    anyPaddedBase64Set,
    30,
    120
  ]),
  // ClickUp, Klaviyo, Defined Networking, Endor Labs
  form('pk_', [digitSet, 6, 12], '_', [base62Set, 32]),
  form('pk_', [base62Set, 34]),
  form('dnkey-', [charSet('a-z', '0-9', '_=-'), 26], '-', [charSet('a-z', '0-9', '_=-'), 52]),
  form('endr+', [base62Set, 16]),
  // 42 (the school)
  form('s-s4t2af-', [lowerHexSet, 64]),
  form('s-s4t2ud-', [lowerHexSet, 64]),
  // Contentful, Frame.io, GC Notify, Greptile, Ionic
  form('CFPAT-', [base64UrlSet, 43, 64]),
  form('fio-u-', [paddedBase64UrlSet, 64]),
  {
    prefix: 'gcntfy-',
    parts: [[base64UrlSet, 73, 160]],
    judge: (text, _start, end) => (partsEnd(text, end - 36, uuidParts(hexSet)) === end ? 'strong' : 'medium')
  },
  {
    prefix: 'GCNTFY-',
    parts: [[base64UrlSet, 73, 160]],
    judge: (text, _start, end) => (partsEnd(text, end - 36, uuidParts(hexSet)) === end ? 'strong' : 'medium')
  },
  form('ion_', [base62Set, 42]),
  // OneSignal, Pinterest, Typeform, Unkey, Val Town, WakaTime, Workato,
  form('os_v2_app_', [lowerDigitSet, 103]),
  form('os_v2_org_', [lowerDigitSet, 103]),
  form('pina_', [wordSet, 32, 120]),
  {
    prefix: 'tfp_',
    parts: [[charSet('A-Z', 'a-z', '0-9', '_.=-'), 40, 64]],
    judge: (text, start, end) => withDigit(text, start + 4, end)
  },
  form('unkey_', [base62Set, 16, 60]),
  form('vtwn_', [base62Set, 20, 60]),
  form('waka_', ...uuidParts(lowerHexSet)),
  ...['us', 'eu', 'jp', 'sg', 'au', 'il', 'trial'].map((region) =>
    form(`wrk${region === 'trial' ? 'trial' : 'a' + region}-`, 'eyJ', [dottedNameSet, 60, 900])
  ),
  // Samsara, Storecove, Zoho, Nightfall, Voiceflow, Ubidots, MaxMind, Telnyx, Flexport, Fleetbase, Pagar.me
  form('samsara_api_', [base62Set, 26, 32]),
  form('storecove_', [base62Set, 40, 64]),
  form('1000.', [lowerHexSet, 32], '.', [lowerHexSet, 32]),
  form('NF-', [base62Set, 32]),
  form('BBFF-', [base62Set, 30, 34]),
  form('BBUS-', [base62Set, 30, 34]),
  form('KEY01', [upperHexSet, 30], '_', [base62Set, 22]),
  form('shltm_', [base62Set, 40]),
  form('flb_live_', [base62Set, 20]),
  form('ak_live_', [base62Set, 30]),
  form('scp-live-', [lowerHexSet, 32]),
  form('supernotes_sk-', [base62Set, 40, 52]),
  form('tkn.v1_', [anyPaddedBase64Set, 60, 100]),
  form('odt_', [base62Set, 32, 44]),
  form('ramp_id_', [base62Set, 48]),
  form('aivenv1 ', [paddedBase64Set, 300, 400]),
  form('sl.u.', [dottedNameSet, 120, 1400]),
  // Adobe, Aikido, Canva, Cloudsmith, Mergify, Mercury, UpCloud, Zuplo, Thunderstore, Lichess
  form('p8e-', [base62Set, 32]),
  form('AIK_CI_', [base62Set, 20, 44]),
  form('AIK_SECRET_', [base62Set, 64]),
  mixedForm('cnvca', [base64UrlSet, 51]),
  form('csa_', [lowerHexSet, 30], [base62Set, 6]),
  form('mergify_application_key_', [base64UrlSet, 40, 200]),
  form('mercury_production_', [lowerSet, 3, 6], '_', [base62Set, 40, 50], '_yrucrem'),
  mixedForm('ucat_', [base62Set, 24, 32]),
  form('zpka_', [lowerDigitSet, 32], '_', [lowerHexSet, 8]),
  mixedForm('tss_', [base64UrlSet, 24, 80]),
  mixedForm('lip_', [base62Set, 16, 60]),
  // Riot Games, Kolide
  form('RGAPI-', ...uuidParts(hexSet)),
  form('k2sk_v1_', [base62Set, 24]),
  // Proof, StackHawk, redirect.pizza, Docker Swarm (unlocking)
  mixedForm('prf_', [base64UrlSet, 20, 80]),
  mixedForm('hawk.', [base64UrlSet, 20], '.', [base64UrlSet, 20]),
  mixedForm('rpa_', [base62Set, 30]),
  form('SWMKEY-1-', [base64Set, 40, 50]),
  // Bannerbear, Salad, SonarQube Cloud, Notion (refresh), Figma (plans), TruffleHog Enterprise, Pixie, Brave Search, Instagram
  form('bb_pr_', [lowerHexSet, 30]),
  form('bb_ma_', [lowerHexSet, 30]),
  form('salad_cloud_user_', [base62Set, 40, 64]),
  form('salad_cloud_org_', [base62Set, 40, 64]),
  form('sqco_', [base62Set, 59]),
  mixedForm('nrt_', [wordSet, 40, 55]),
  mixedForm('figp_', [paddedBase64UrlSet, 40, 54]),
  form('thog-secret-', [lowerHexSet, 32]),
  form('px-api-', ...uuidParts(lowerHexSet)),
  form('px-dep-', ...uuidParts(lowerHexSet)),
  { ...mixedForm('BSA', [base64UrlSet, 27, 29]), tier: 'medium' },
  mixedForm('IGQV', [base64UrlSet, 50, 250]),
  // Salesforce (refresh), Bitbucket Data Center, Portainer, Proxmox VE
  mixedForm('5AEP861', [charSet('A-Z', 'a-z', '0-9', '_.='), 80, 200]),
  mixedForm('BBDC-', [anyPaddedBase64Set, 40, 50]),
  mixedForm('ptr_', [anyPaddedBase64Set, 43, 44]),
  form(
    'PVEAPIToken=',
    [charSet('A-Z', 'a-z', '0-9', '_.@-'), 3, 60],
    '!',
    [base64UrlSet, 1, 40],
    '=',
    ...uuidParts(hexSet)
  ),
  // Axiom, Context7, Kaggle, Pydantic Logfire, Turbopuffer, Baidu Qianfan, Trigger.dev, Ory
  form('xaat-', ...uuidParts(hexSet)),
  form('xapt-', ...uuidParts(hexSet)),
  form('ctx7sk-', ...uuidParts(hexSet)),
  form('KGAT_', [lowerHexSet, 32]),
  form('pylf_v1_us_', [base62Set, 40, 48]),
  form('pylf_v1_eu_', [base62Set, 40, 48]),
  mixedForm('tpuf_', [base62Set, 32]),
  form('bce-v3/ALTAK-', [base62Set, 18, 24], '/', [lowerHexSet, 40]),
  mixedForm('tr_prod_', [base62Set, 20, 32]),
  mixedForm('tr_dev_', [base62Set, 20, 32]),
  form('ory_pat_', [base62Set, 32]),
  mixedForm('ory_at_', [base64UrlSet, 43], '.', [base64UrlSet, 43]),
  mixedForm('ory_rt_', [base64UrlSet, 43], '.', [base64UrlSet, 43]),
  // Yandex (OAuth, SmartCaptcha, translation), WakaTime (applications), Open VSX, Login with Amazon, eBay, PagerDuty (OAuth)
  mixedForm('y0_Ag', [base64UrlSet, 53, 68]),
  mixedForm('y0__x', [base64UrlSet, 53, 68]),
  form('ysc2_', [base62Set, 40], [lowerHexSet, 8]),
  form('trnsl.1.1.', [digitSet, 8], 'T', [digitSet, 6], 'Z.', [lowerHexSet, 16], '.', [lowerHexSet, 40]),
  form('dict.1.1.', [digitSet, 8], 'T', [digitSet, 6], 'Z.', [lowerHexSet, 16], '.', [lowerHexSet, 40]),
  mixedForm('waka_sec_', [base62Set, 80]),
  mixedForm('waka_tok_', [base62Set, 80]),
  mixedForm('waka_ref_', [base62Set, 80]),
  form('ovsxat_', ...uuidParts(hexSet)),
  form('ovsxp_', ...uuidParts(hexSet)),
  form('amzn1.oa2-cs.v1.', [lowerHexSet, 64]),
  ...['PRD-', 'SBX-'].map((prefix) =>
    form(prefix, [lowerHexSet, 12], '-', [lowerHexSet, 4], '-', [lowerHexSet, 4], '-', [lowerHexSet, 4], '-', [
      lowerHexSet,
      4
    ])
  ),
  form('pdus+_0XBPWQQ_', ...uuidParts(lowerHexSet)),
  // Vercel Blob, Browserbase, Cartesia, HeyGen, Helicone, Letta, Luma, Anyscale, Amp, Braintrust, Hack Club
  mixedForm('vercel_blob_rw_', [base62Set, 16], '_', [base62Set, 28, 34]),
  mixedForm('bb_live_', [base64UrlSet, 27]),
  mixedForm('sk_car_', [base62Set, 20, 24]),
  mixedForm('sk_V2_', [base64UrlSet, 40, 90]),
  form('sk-helicone-', [lowerDigitSet, 7], '-', [lowerDigitSet, 7], '-', [lowerDigitSet, 7], '-', [lowerDigitSet, 7]),
  mixedForm('sk-let-', [anyPaddedBase64Set, 60, 140]),
  form('luma-', ...uuidParts(lowerHexSet), '-', ...uuidParts(lowerHexSet)),
  form('esecret_', [lowerDigitSet, 26]),
  form('sgamp_user_', [base62Set, 26], '_', [lowerHexSet, 64]),
  mixedForm('bt-st-', [base62Set, 40, 60]),
  form('sk-hc-v1-', [lowerHexSet, 64]),
  // Inngest, Depot, Socket, Gitea (OAuth), Private Packagist, Trello, Cal.com, Stytch, Sindri, Porkbun
  ...['prod', 'test', 'branch'].map((name) => form(`signkey-${name}-`, [lowerHexSet, 64])),
  form('depot_project_', [lowerHexSet, 64]),
  mixedForm('depot_org_', [base62Set, 40, 64]),
  mixedForm('sktsec_', [base64UrlSet, 40, 80]),
  form('gto_', [base32Set, 52]),
  ...['ort', 'uut', 'out'].map((name) => form(`packagist_${name}_`, [lowerHexSet, 68])),
  form('ATTA', [lowerHexSet, 64], [upperHexSet, 8]),
  form('cal_live_', [lowerHexSet, 32]),
  mixedForm('secret-live-', [base64UrlSet, 35], '='),
  { ...mixedForm('secret-test-', [base64UrlSet, 35], '='), tier: 'medium' },
  mixedForm('sindri_', [base62Set, 32], '_', [base62Set, 4]),
  form('pk1_', [lowerHexSet, 64]),
  form('sk1_', [lowerHexSet, 64]),
  // Supabase (OAuth), Databricks (OAuth), QuickNode, Appwrite, Tinybird, Xata, Apify (proxy), Volcengine
  form('sbp_v0_', [lowerHexSet, 40]),
  form('dose', [lowerHexSet, 32]),
  form('QN_', [lowerHexSet, 32]),
  form('standard_', [lowerHexSet, 256]),
  mixedForm('p.eyJ', [base64UrlSet, 40, 200], '.', [base64UrlSet, 43]),
  mixedForm('xau_', [base62Set, 33, 60]),
  mixedForm('apify_proxy_', [base62Set, 36]),
  { ...mixedForm('AKLT', [base62Set, 36, 44]), tier: 'medium' },
  // Cursor, Runway, Retell; Scale; GoCardless; Twitch; Checkout.com; Ticket Tailor; IEX
  plainForm('key_', [lowerHexSet, 64]),
  plainForm('key_', [lowerHexSet, 128]),
  plainForm('key_', [lowerHexSet, 28]),
  plainForm('live_auth_', [lowerHexSet, 32]),
  plainForm('live_', [lowerHexSet, 32]),
  plainForm('test_', [lowerHexSet, 32]),
  { ...mixedForm('live_', [base64UrlSet, 40]), tier: 'medium' },
  form('live_', [digitSet, 6, 12], '_', [base62Set, 30]),
  plainForm('sk_', ...uuidParts(lowerHexSet)),
  plainForm('sk_', [digitSet, 3, 8], '_', [digitSet, 3, 8], '_', [lowerHexSet, 32]),
  plainForm('sk_', [lowerHexSet, 32]),
  // Close, Spectral, Recharge, DingTalk (signing)
  mixedForm('api_', [base62Set, 22], '.', [base62Set, 22]),
  form('spu-', [lowerHexSet, 32]),
  form('sk_', [digitSet, 1, 2], 'x', [digitSet, 1, 2], '_', [lowerHexSet, 64]),
  form('sk_test_', [digitSet, 1, 2], 'x', [digitSet, 1, 2], '_', [lowerHexSet, 64]),
  form('SEC', [lowerHexSet, 64]),
  // LinkedIn, Cfx.re, Databento, Checkly, Chromatic, Coralogix
  mixedForm('WPL_AP0.', [base62Set, 16], '.', [anyPaddedBase64Set, 8]),
  mixedForm('WPL_AP1.', [base62Set, 16], '.', [anyPaddedBase64Set, 8]),
  mixedForm('cfxk_', [base62Set, 20, 22], '_', [base62Set, 5, 6]),
  mixedForm('db-', [base62Set, 29]),
  form('cu_', [lowerHexSet, 32]),
  form('chpt_', [lowerHexSet, 15]),
  mixedForm('cxup_', [base62Set, 30])
]
