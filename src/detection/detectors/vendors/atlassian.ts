/** Atlassian (Jira, Confluence, Bitbucket) and Gitea. */
import {
  base62Set,
  base64UrlSet,
  countOf,
  hexSet,
  lowerDigitSet,
  lowerHexSet,
  paddedBase64UrlSet
} from '../../text/chars.ts'
import { contextKeyDetector, keyOrContextDetector } from '../../keys/context-key.ts'
import { generatedJudge, looksGenerated } from '../../keys/generated.ts'
import type { Detector } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { keyDetector, type KeyForm } from '../../keys/fixed-key.ts'
import { filler, hexLetters, lowerDigitLetters } from '../../sample-text.ts'
import { crc32 } from '../../validators/crc32.ts'

const apiPrefix = 'ATA' + 'TT3'
const accessPrefix = 'ATC' + 'TT3'

/** Whether the eight hexadecimal digits behind the `=` are the CRC-32 of everything before it, prefix included. */
function endsInHexCrc32(token: string): boolean {
  const sign = token.lastIndexOf('=')
  return sign === token.length - 9 && hexOf(crc32(token.slice(0, sign))) === token.slice(sign + 1).toUpperCase()
}

function hexOf(value: number): string {
  return value.toString(16).toUpperCase().padStart(8, '0')
}

const signed = (body: string) => `${body}=${hexOf(crc32(body))}`
const form = (prefix: string): KeyForm => ({
  prefix,
  set: paddedBase64UrlSet,
  min: 60,
  max: 250,
  judge: (body): Confidence => (endsInHexCrc32(prefix + body) ? 'certain' : 'medium')
})

const hexUnitsMax = 22

/** Refuses account ids, which are as long as a token but nearly all hexadecimal. */
function judgeToken(value: string): Confidence | undefined {
  return countOf(value, 0, value.length, hexSet) > hexUnitsMax || !looksGenerated(value) ? undefined : 'medium'
}

export const atlassianDetectors: readonly Detector[] = [
  keyDetector(
    {
      id: 'atlassian_api_token',
      label: 'ATLASSIAN_TOKEN',
      title: 'Atlassian API token',
      hits: () => [signed(apiPrefix + filler(177)), `${apiPrefix}${filler(177)}=0A1B2C3D`],
      misses: () => [apiPrefix + filler(20), 'x' + signed(apiPrefix + filler(177))],
      source:
        'Validator of the Datadog Sensitive Data Scanner: CRC-32 in eight hexadecimal digits behind an equals sign.'
    },
    [form(apiPrefix)]
  ),
  keyOrContextDetector(
    {
      id: 'atlassian_access_token',
      label: 'ATLASSIAN_TOKEN',
      title: 'Atlassian access token',
      hits: () => [signed(accessPrefix + filler(177)), `jira_api_token = ${filler(24, lowerDigitLetters)}`],
      misses: () => [
        accessPrefix + filler(20),
        filler(24),
        `jira_issue = ${filler(24)}`,
        `https://acme.atlassian.net/rest/api/3/user?accountId=${filler(23, hexLetters)}g`
      ],
      source:
        'TruffleHog detectors for Atlassian: ATCTT3, checksum as in API tokens; gitleaks: 24 characters beside the name.'
    },
    [form(accessPrefix)],
    [{ names: ['atlassian', 'confluence', 'jira'], set: base62Set, min: 24, max: 24, judge: judgeToken }]
  ),
  keyOrContextDetector(
    {
      id: 'bitbucket_app_password',
      label: 'BITBUCKET_PASSWORD',
      title: 'Bitbucket app password or OAuth secret',
      hits: () => ['ATBB' + filler(32), `bitbucket_secret=${filler(32, lowerDigitLetters)}`],
      misses: () => [filler(32), 'ATBB' + filler(12), `bitbucket commit ${filler(40, hexLetters)}`],
      source: 'TruffleHog and CredSweeper rules: ATBB and 32 to 40 characters; gitleaks: 32 to 64 beside the name.'
    },
    [{ prefix: 'ATBB', set: paddedBase64UrlSet, min: 28, max: 60, judge: generatedJudge }],
    [
      { names: ['bitbucket'], set: lowerDigitSet, min: 32, max: 32 },
      { names: ['bitbucket'], set: base64UrlSet, min: 43, max: 64 }
    ]
  ),
  contextKeyDetector(
    {
      id: 'gitea_token',
      label: 'GITEA_TOKEN',
      title: 'Gitea access token',
      hits: () => [`GITEA_TOKEN=${filler(40, hexLetters)}`, `forgejo token: ${filler(40, hexLetters)}`],
      misses: () => [filler(40, hexLetters), `gitea commit ${filler(40, hexLetters)}`],
      source: 'betterleaks rule gitea-access-token: 40 hexadecimal digits beside the name.'
    },
    { names: ['gitea', 'forgejo', 'codeberg'], set: lowerHexSet, min: 40, max: 40 }
  ),
  contextKeyDetector(
    {
      id: 'github_client_secret',
      label: 'GITHUB_CLIENT_SECRET',
      title: 'secret of a GitHub OAuth app',
      hits: () => [`GITHUB_CLIENT_SECRET=${filler(40, hexLetters)}`, `github_secret: "${filler(40, hexLetters)}"`],
      misses: () => [`github token ${filler(20, hexLetters)}`, `GITHUB_SHA=${filler(40, hexLetters)}`, filler(40)],
      source: 'noseyparker and kingfisher rules for GitHub OAuth: 40 hexadecimal digits beside the name.'
    },
    {
      names: ['github_client_secret', 'github_secret', 'github_oauth_secret', 'githubclientsecret', 'githubsecret'],
      set: hexSet,
      min: 40,
      max: 40
    },
    {
      names: ['github_token', 'github_key', 'github_api', 'githubtoken', 'gh_token'],
      set: lowerHexSet,
      min: 40,
      max: 40
    }
  )
]
