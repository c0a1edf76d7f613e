/** Google and Google Cloud. Private keys of service accounts are found as PEM. */
import { base64UrlSet } from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import { digitJudge, keyDetector, matchForms, type KeyForm } from '../../keys/fixed-key.ts'
import { filler } from '../../sample-text.ts'

const prefix = {
  api: 'AI' + 'za',
  client: 'GOC' + 'SPX-',
  access: 'ya' + '29.',
  refresh: '1/' + '/0',
  gemini: 'AQ.' + 'Ab8RN6'
}
const apiForm: KeyForm = { prefix: prefix.api, set: base64UrlSet, min: 35, max: 35 }
const matchApi = matchForms([apiForm])
/**
 * Browser keys (Firebase, Maps) are meant to be published, so a key's tier depends on what is said of it. These words
 * name services that bill each call.
 */
const serverWords = [
  'gemini',
  'generativelanguage',
  'genai',
  'vertex',
  'google_api_key',
  'google_ai',
  'secret',
  'server'
]

export const googleDetectors: readonly Detector[] = [
  {
    ...keyDetector(
      {
        id: 'google_api_key',
        label: 'GOOGLE_API_KEY',
        title: 'Google API key',
        hits: () => [
          prefix.api + filler(35),
          `key=${prefix.api}${filler(35, undefined, 3)}&v=1`,
          `GEMINI_API_KEY=${prefix.api}${filler(35)}`
        ],
        misses: () => [prefix.api + filler(34), prefix.api + filler(36), 'x' + prefix.api + filler(35)],
        source: 'Google Cloud documentation, "Manage API keys": 39 characters that begin with AIza.'
      },
      [apiForm]
    ),
    context: serverWords,
    match(text, at, context) {
      const match = matchApi(text, at)
      return match === undefined || context.near(at, 40) ? match : { ...match, tier: 'medium' }
    }
  },
  keyDetector(
    {
      id: 'google_oauth_client_secret',
      label: 'GOOGLE_CLIENT_SECRET',
      title: 'Google OAuth client secret',
      hits: () => [prefix.client + filler(28)],
      misses: () => [prefix.client + filler(20), prefix.client + '...'],
      source: 'Form of client_secret files of the Google Cloud console.'
    },
    [{ prefix: prefix.client, set: base64UrlSet, min: 28, max: 28 }]
  ),
  keyDetector(
    {
      id: 'google_oauth_access_token',
      label: 'GOOGLE_ACCESS_TOKEN',
      title: 'Google OAuth access token',
      hits: () => [`Bearer ${prefix.access}a0${filler(160)}`],
      misses: () => [prefix.access + 'a0...', prefix.access + 'access_token_of_the_user_account'],
      source: 'Google identity documentation, "Token types": opaque, begins with ya29.'
    },
    [{ prefix: prefix.access, set: base64UrlSet, min: 20, max: 2048, judge: digitJudge }]
  ),
  keyDetector(
    {
      id: 'google_oauth_refresh_token',
      label: 'GOOGLE_REFRESH_TOKEN',
      title: 'Google OAuth refresh token',
      hits: () => [`"refresh_token": "${prefix.refresh}${filler(96)}"`],
      misses: () => [prefix.refresh + filler(30), 'http:/' + prefix.refresh + 'a'],
      source: 'Google identity documentation, "Token types": at most 512 bytes; begins with 1//0.'
    },
    [{ prefix: prefix.refresh, set: base64UrlSet, min: 80, max: 512, judge: digitJudge }]
  ),
  keyDetector(
    {
      id: 'google_gemini_key_v2',
      label: 'GEMINI_API_KEY',
      title: 'Google Gemini API key',
      hits: () => [prefix.gemini + filler(44)],
      misses: () => [prefix.gemini + filler(12), 'x' + prefix.gemini + filler(44)],
      source: 'Form of keys that Google AI Studio issues since 2025. Not documented.'
    },
    [{ prefix: prefix.gemini, set: base64UrlSet, min: 44, max: 44 }]
  )
]
