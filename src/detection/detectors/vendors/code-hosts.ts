/** Code hosts and package registries: GitHub, GitLab, npm. */
import { base62Set, base64UrlSet, leftClear, lowerDigitSet, rightClear, runEnd, wordSet } from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { digitJudge, guarded, keyDetector, matchForms, type KeyForm } from '../../keys/fixed-key.ts'
import { filler } from '../../sample-text.ts'
import { base36Crc32, endsInBase36Crc32, endsInBase62Crc32, withBase62Crc32 } from '../../validators/crc32.ts'

/** A wrong checksum means a typo or a sample in documentation: masked all the same, and never a reason to block. */
const byChecksum = (body: string): Confidence => (endsInBase62Crc32(body) ? 'certain' : 'medium')

const gh = (letter: string) => ['gh', letter, '_'].join('')
const githubSource =
  'GitHub Blog, "Behind GitHub\'s new authentication token formats": base62 body, CRC-32 in the last six characters.'

const github: readonly Detector[] = [
  keyDetector(
    {
      id: 'github_pat_classic',
      label: 'GITHUB_TOKEN',
      title: 'GitHub personal access token',
      hits: () => [
        gh('p') + withBase62Crc32(filler(30)),
        gh('p') + filler(36),
        `token=${gh('p')}${withBase62Crc32(filler(30, undefined, 3))}`
      ],
      misses: () => [gh('p') + filler(35), gh('p') + filler(37), 'my' + gh('p') + filler(36), gh('p') + 'token'],
      source: githubSource
    },
    [{ prefix: gh('p'), set: base62Set, min: 36, max: 36, judge: byChecksum }]
  ),
  keyDetector(
    {
      id: 'github_oauth_app_user_refresh',
      label: 'GITHUB_TOKEN',
      title: 'GitHub OAuth, app or refresh token',
      hits: () =>
        ['o', 'u', 's']
          .map((letter) => gh(letter) + withBase62Crc32(filler(30)))
          .concat(gh('r') + withBase62Crc32(filler(70))),
      misses: () => [gh('o') + filler(20), gh('r') + 'refresh'],
      source: githubSource
    },
    ['o', 'u', 's', 'r'].map((letter) => ({ prefix: gh(letter), set: base62Set, min: 36, max: 255, judge: byChecksum }))
  ),
  keyDetector(
    {
      id: 'github_fine_grained_pat',
      label: 'GITHUB_TOKEN',
      title: 'GitHub fine-grained personal access token',
      hits: () => [['github', 'pat', filler(22), filler(59)].join('_')],
      misses: () => ['github_pat_' + filler(22), 'github_pat_' + filler(83)],
      source: 'GitHub secret scanning: github_pat_, 22 characters, an underscore, 59 characters.'
    },
    [
      {
        prefix: 'github_pat_',
        set: wordSet,
        min: 82,
        max: 82,
        judge: (body) => (body[22] === '_' ? 'strong' : 'medium')
      }
    ]
  )
]

const patPrefix = 'gl' + 'pat-'

const gitlabPat: Detector = {
  id: 'gitlab_pat',
  label: 'GITLAB_TOKEN',
  lengthMin: 26,
  title: 'GitLab personal access token',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: patPrefix }],
  match(text, at) {
    if (!leftClear(text, at, base64UrlSet)) return undefined
    const from = at + patPrefix.length
    const body = runEnd(text, from, base64UrlSet, 301)
    if (body - from === 20) return guarded(text, { start: at, end: body, confidence: 'strong' })
    if (body - from < 20 || body - from > 300) return undefined
    return guarded(text, routable(text, at, body) ?? { start: at, end: body, confidence: 'medium' })
  },
  hits: () => [
    patPrefix + filler(20),
    patPrefix + filler(20) + '.',
    `${patPrefix}${filler(30)}.01.${filler(9, 'abcdefghijk0123')}`,
    `${patPrefix}${filler(27)}.0z${filler(7, 'abcdefghijk0123')}`,
    routableSample(patPrefix)
  ],
  misses: () => [patPrefix + '...', patPrefix + filler(12), 'x' + patPrefix + filler(20)],
  source:
    'GitLab documentation, "Token overview"; gitleaks rules gitlab-pat and gitlab-pat-routable; the generator of routable tokens in GitLab.'
}

/**
 * A routable token is certain if its checksum is right: the CRC-32 of everything before it, prefix included, in seven
 * base36 digits. One with a wrong checksum is a typo or was made up.
 */
function routable(text: string, start: number, bodyEnd: number): Match | undefined {
  const end = routableEnd(text, bodyEnd)
  if (end === bodyEnd) return undefined
  return { start, end, confidence: endsInBase36Crc32(text.slice(start, end)) ? 'certain' : 'medium' }
}

function routableSample(prefix: string): string {
  const body = `${prefix}${filler(32)}.01.0w`
  return body + base36Crc32(body)
}

/**
 * Where a routable token ends behind the dot at `dot`: two characters of length, perhaps a dot, and a checksum of seven
 * or nine.
 */
function routableEnd(text: string, dot: number): number {
  if (text.charCodeAt(dot) !== 46) return dot
  const first = runEnd(text, dot + 1, lowerDigitSet, 10)
  if (first - dot === 10 && rightClear(text, first, wordSet)) return first
  if (first - dot !== 3 || text.charCodeAt(first) !== 46) return dot
  const second = runEnd(text, first + 1, lowerDigitSet, 10)
  return (second - first === 10 || second - first === 8) && rightClear(text, second, wordSet) ? second : dot
}

const otherPrefixes = [
  'gldt-',
  'glrtr-',
  'glwt-',
  'glrt-',
  'glcbt-',
  'glptt-',
  'glft-',
  'glsoat-',
  'gloas-',
  'glffct-',
  'glimt-',
  'glagent-'
]
const gitlabForms: KeyForm[] = [
  ...otherPrefixes.map((prefix) => ({ prefix, set: base64UrlSet, min: 20, max: 320, judge: digitJudge })),
  { prefix: 'GR1348941', set: base64UrlSet, min: 20, max: 20 }
]

const matchGitlab = matchForms(gitlabForms)

const npmForms: KeyForm[] = [{ prefix: 'npm' + '_', set: base62Set, min: 36, max: 36, judge: byChecksum }]

export const codeHostDetectors: readonly Detector[] = [
  ...github,
  gitlabPat,
  {
    ...keyDetector(
      {
        id: 'gitlab_other',
        label: 'GITLAB_TOKEN',
        title: 'GitLab token',
        hits: () => [
          'gldt-' + filler(20),
          'GR1348941' + filler(20),
          'glptt-' + filler(40),
          routableSample('glrt-t1_'),
          routableSample('gldt-')
        ],
        misses: () => ['glft-my-feature-branch-name-here', 'glrt-short'],
        source: 'GitLab documentation, "Token overview": prefixes; its generator of routable tokens.'
      },
      gitlabForms
    ),
    match(text, at) {
      const match = matchGitlab(text, at)
      return match && (routable(text, match.start, match.end) ?? match)
    }
  },
  keyDetector(
    {
      id: 'npm_token',
      label: 'NPM_TOKEN',
      title: 'npm access token',
      hits: () => ['npm' + '_' + withBase62Crc32(filler(30)), '//registry/:_authToken=npm' + '_' + filler(36)],
      misses: () => ['npm_config_registry', 'npm' + '_' + filler(30)],
      source: 'GitHub Blog, "Announcing npm\'s new access token format": CRC-32 as in GitHub tokens.'
    },
    npmForms
  )
]
