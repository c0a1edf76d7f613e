/**
 * Links that grant access to whoever has them: to reset a password, accept an invitation, or sign in without a
 * password.
 */
import { NameIndex } from '../../text/name-index.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { filler, fillerUuid, hexLetters } from '../../sample-text.ts'
import {
  base64UrlSet,
  charSet,
  codeAt,
  countOf,
  digitSet,
  inSet,
  letterSet,
  lowerHexSet,
  runEnd,
  runStart
} from '../../text/chars.ts'
import { isUuid } from '../../values/non-secret-formats.ts'
import { isDummyValue } from '../../values/generic-value.ts'
import { rarity } from '../../values/rarity.ts'

/** Parts of the path of such a link. */
const purposes = ['reset', 'password', 'invite', 'invitation', 'activate', 'activation', 'magic', 'verify', 'confirm']
const parameters = ['?code=', '&code=', '?key=', '&key=', '?t=', '&t=', '?hash=', '&hash=']
const segments = ['/reset/', '/reset-password/', '/password-reset/', '/password/reset/', '/activate/', '/magic-link/']
const index = new NameIndex([...parameters, ...segments].map((literal) => [literal, true]))

const pathSet = charSet('A-Z', 'a-z', '0-9', '_-./:%?&=')
const pathUnitsMax = 120
const unitsMin = 24
const unitsMax = 256
const digitsMin = 3
const generatedBits = 7
const hexBits = 5

/** Whether the path before `at` shows the purpose of the link. */
function showsPurpose(text: string, at: number): boolean {
  const path = text.slice(runStart(text, at, pathSet, pathUnitsMax), at).toLowerCase()
  return path.includes('/') && purposes.some((word) => path.includes(word))
}

function tokenOf(text: string, at: number): Match | undefined {
  const mark = index.at(text, at)?.[0]
  if (mark === undefined) return undefined
  const start = at + mark.length
  const end = runEnd(text, start, base64UrlSet, unitsMax)
  if (end - start < unitsMin || inSet(pathEndSet, codeAt(text, end)) || isUuid(text, start, end)) return undefined
  if (countOf(text, start, end, digitSet) < digitsMin || countOf(text, start, end, letterSet) < digitsMin)
    return undefined
  const isHex = countOf(text, start, end, lowerHexSet) === end - start
  if (rarity(text, start, end) < (isHex ? hexBits : generatedBits) || isDummyValue(text, start, end)) return undefined
  if (mark.startsWith('/')) return text.startsWith('.', end) ? undefined : found(start, end)
  return showsPurpose(text, at) ? found(start, end) : undefined
}
/** A longer path, or a file name. */
const pathEndSet = charSet('/.{$<')

function found(start: number, end: number): Match {
  return contextMatch(start, end)
}

export const oneTimeLinkDetectors: readonly Detector[] = [
  {
    id: 'one_time_link',
    label: 'LINK_TOKEN',
    title: 'token in a link that signs in or sets a password',
    group: 'secret',
    tier: 'medium',
    lengthMin: 30,
    anchors: [...parameters, ...segments].map((literal) => ({ literal })),
    match: tokenOf,
    hits: () => [
      `"GET /reset-password?code=${filler(40, hexLetters)} HTTP/2.0" 200`,
      `https://shop.acme.dev/password/reset/${filler(64, hexLetters)}?email=x`,
      `https://app.acme.dev/invite/accept?team=ops&key=${filler(32)}`,
      `Open https://app.acme.dev/magic-link/${filler(43)} to sign in`
    ],
    misses: () => [
      `GET /items?code=${filler(40, hexLetters)}`,
      '/reset-password?code=required',
      `/invite?code=${fillerUuid()}`,
      '/reset-password/reset-password-form-component',
      `/reset/${filler(40, hexLetters)}.js`,
      '/password/reset/{token}'
    ],
    source:
      'The routes of Laravel, Devise, Auth.js and Supabase for new passwords and links to sign in. From memory, not confirmed.'
  }
]
