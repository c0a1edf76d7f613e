/** Registries of packages and images: PyPI, RubyGems, crates.io, NuGet, Docker Hub, Artifactory, Clojars. */
import {
  base62Set,
  base64UrlSet,
  charSet,
  countOf,
  hexSet,
  leftClear,
  lowerDigitSet,
  lowerHexSet,
  rightClear,
  runEnd,
  uuidSet
} from '../../text/chars.ts'
import { contextKeyDetector, keyOrContextDetector, uuidJudge } from '../../keys/context-key.ts'
import { generatedJudge, looksGenerated } from '../../keys/generated.ts'
import type { Detector } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { guarded, keyDetector } from '../../keys/fixed-key.ts'
import { filler, fillerUuid, hexLetters, lowerDigitLetters } from '../../sample-text.ts'

/** Macaroons whose location is pypi.org or test.pypi.org. */
const pypiPrefixes = ['pypi-' + 'AgEIcHlwaS5vcmc', 'pypi-' + 'AgENdGVzdC5weXBpLm9yZ']
const cratesPrefix = 'c' + 'io'
const jfrogNames = ['jfrog', 'artifactory', 'bintray', 'xray']
/** 64 hexadecimal digits next to a file in a repository are its SHA-256. */
const notDigest = (value: string): Confidence | undefined =>
  countOf(value, 0, value.length, hexSet) < value.length && looksGenerated(value) ? 'medium' : undefined

export const registryDetectors: readonly Detector[] = [
  keyDetector(
    {
      id: 'pypi_token',
      label: 'PYPI_TOKEN',
      title: 'PyPI upload token',
      hits: () => pypiPrefixes.map((prefix) => prefix + filler(150)),
      misses: () => [pypiPrefixes[0] + filler(12), 'pypi-publish', 'pypi-' + filler(60)],
      source: 'gitleaks rule pypi-upload-token: a macaroon, its location in base64 behind pypi-.'
    },
    pypiPrefixes.map((prefix) => ({ prefix, set: base64UrlSet, min: 50, max: 1000 }))
  ),
  keyDetector(
    {
      id: 'rubygems_key',
      label: 'RUBYGEMS_API_KEY',
      title: 'RubyGems API key',
      hits: () => ['rubygems_' + filler(48, hexLetters)],
      misses: () => ['rubygems_' + filler(47, hexLetters), 'rubygems_version'],
      source: 'gitleaks rule rubygems-api-token: rubygems_ and 48 hexadecimal digits.'
    },
    [{ prefix: 'rubygems_', set: lowerHexSet, min: 48, max: 48 }]
  ),
  {
    id: 'crates_io_token',
    label: 'CRATES_IO_TOKEN',
    lengthMin: 35,
    title: 'crates.io API token',
    group: 'secret',
    tier: 'high',
    anchors: [{ literal: cratesPrefix }],
    context: ['crates', 'cargo', 'crate'],
    match(text, at, context) {
      if (!leftClear(text, at, base64UrlSet)) return undefined
      const end = runEnd(text, at + 3, base62Set, 33)
      if (end - at !== 35 || !rightClear(text, end, base64UrlSet) || !looksGenerated(text.slice(at + 3, end)))
        return undefined
      return guarded(text, { start: at, end, confidence: context.near(at, 60) ? 'strong' : 'medium' })
    },
    hits: () => [`CARGO_REGISTRY_TOKEN=${cratesPrefix}${filler(32)}`, `Bearer: ${cratesPrefix}${filler(32)}`],
    misses: () => [cratesPrefix + filler(31), 'a' + cratesPrefix + filler(32), 'ciorganizationalunitsofthecountry'],
    source: 'noseyparker and betterleaks rules for crates.io: cio and 32 letters and digits.'
  },
  keyOrContextDetector(
    {
      id: 'nuget_key',
      label: 'NUGET_API_KEY',
      title: 'NuGet API key',
      hits: () => ['oy2' + filler(43, lowerDigitLetters), `nuget key ${filler(46, lowerDigitLetters)}`],
      misses: () => ['oy2' + filler(42, lowerDigitLetters), 'boy2' + filler(43, lowerDigitLetters), filler(46)],
      source: 'microsoft/security-utilities and noseyparker rules for NuGet: oy2 and 43 letters and digits.'
    },
    [{ prefix: 'oy2', set: lowerDigitSet, min: 43, max: 43, judge: generatedJudge }],
    [{ names: ['nuget'], set: lowerDigitSet, min: 46, max: 50 }]
  ),
  keyDetector(
    {
      id: 'dockerhub_pat',
      label: 'DOCKER_TOKEN',
      title: 'Docker Hub access token',
      hits: () => ['dckr_pat_' + filler(27), 'dckr_oat_' + filler(32)],
      misses: () => ['dckr_pat_' + filler(20), 'dckr_pat_...'],
      source: 'betterleaks rule dockerhub-personal-access-token: dckr_pat_ and 27 characters, dckr_oat_ and 32.'
    },
    [
      { prefix: 'dckr_pat_', set: base64UrlSet, min: 27, max: 36 },
      { prefix: 'dckr_oat_', set: base64UrlSet, min: 32, max: 36 }
    ]
  ),
  keyDetector(
    {
      id: 'docker_swarm_token',
      label: 'DOCKER_SWARM_TOKEN',
      title: 'Docker Swarm join token',
      hits: () => [`SWMTKN-1-${filler(50, lowerDigitLetters)}-${filler(25, lowerDigitLetters)}`],
      misses: () => ['SWMTKN-1-...', `SWMTKN-1-${filler(50, lowerDigitLetters)}`],
      source: 'Docker documentation, "Join nodes to a swarm": SWMTKN-1-, 50 and 25 characters.'
    },
    [{ prefix: 'SWMTKN-1-', set: charSet('a-z', '0-9', '-'), min: 70, max: 80 }]
  ),
  keyOrContextDetector(
    {
      id: 'artifactory_key',
      label: 'ARTIFACTORY_KEY',
      title: 'JFrog Artifactory key or token',
      hits: () => [
        'AKCp' + filler(69),
        'cmVmd' + filler(59),
        `JFROG_TOKEN=${filler(64, lowerDigitLetters)}`,
        `imagePullSecretJfrog.password=${filler(73, lowerDigitLetters)}`
      ],
      misses: () => ['AKCp' + filler(20), filler(64, lowerDigitLetters), `jfrog sha256:${filler(64, hexLetters)}`],
      source:
        'betterleaks and gitleaks rules for JFrog: AKCp and 69, cmVmd and 59; 64 or 73 characters beside the name.'
    },
    [
      { prefix: 'AKCp', set: base62Set, min: 66, max: 72, judge: generatedJudge, boundary: base64UrlSet },
      { prefix: 'cmVmd', set: base62Set, min: 59, max: 59, judge: generatedJudge, boundary: base64UrlSet }
    ],
    [
      { names: jfrogNames, set: base62Set, min: 73, max: 73 },
      { names: jfrogNames, set: base62Set, min: 64, max: 64, bare: true, judge: notDigest }
    ]
  ),
  keyDetector(
    {
      id: 'clojars_token',
      label: 'CLOJARS_TOKEN',
      title: 'Clojars deploy token',
      hits: () => ['CLOJARS_' + filler(60, lowerDigitLetters)],
      misses: () => ['CLOJARS_' + filler(20), 'CLOJARS_USERNAME'],
      source: 'gitleaks rule clojars-api-token: CLOJARS_ and 60 letters and digits.'
    },
    [{ prefix: 'CLOJARS_', set: base62Set, min: 60, max: 60 }]
  ),
  contextKeyDetector(
    {
      id: 'npm_legacy_token',
      label: 'NPM_TOKEN',
      title: 'npm access token in its old form',
      hits: () => [`NPM_TOKEN="${fillerUuid()}"`, `//packages.acme.dev/:_authToken=${fillerUuid()}`],
      misses: () => [fillerUuid(), `npm_request_id=${fillerUuid()}`],
      source: 'npm documentation, "About access tokens": tokens were UUIDs until 2021.'
    },
    {
      names: ['npm_token', 'npm_auth', 'npmjs', 'npm_api', ':_authtoken'],
      set: uuidSet,
      min: 36,
      max: 36,
      judge: uuidJudge
    }
  ),
  contextKeyDetector(
    {
      id: 'packagecloud_token',
      label: 'PACKAGE_HOST_TOKEN',
      title: 'token of a host of packages (packagecloud, Cloudsmith, Vagrant Cloud)',
      hits: () => [`PACKAGECLOUD_TOKEN=${filler(48, hexLetters)}`, `CLOUDSMITH_API_KEY=${filler(40, hexLetters)}`],
      misses: () => [filler(48, hexLetters), `cloudsmith commit ${filler(40, hexLetters)}`],
      source: 'kingfisher rules for packagecloud, Cloudsmith and Vagrant Cloud.'
    },
    { names: ['packagecloud'], set: lowerHexSet, min: 48, max: 48 },
    { names: ['cloudsmith'], set: lowerHexSet, min: 40, max: 40, bare: true },
    {
      names: ['vagrant', 'vagrantcloud', 'vagrant_cloud', 'atlas_token'],
      set: charSet('A-Z', 'a-z', '0-9', '.'),
      min: 80,
      max: 100,
      judge: (value) => (value.includes('.atlasv1.') ? 'strong' : undefined)
    }
  )
]
