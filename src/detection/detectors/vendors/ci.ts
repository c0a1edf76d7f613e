/** Continuous integration, review and delivery: CircleCI, Buildkite, Travis CI, Jenkins, TeamCity, SonarQube, Snyk. */
import {
  base62Set,
  base64UrlSet,
  charSet,
  dottedNameSet,
  hexSet,
  lowerDigitSet,
  lowerHexSet,
  uuidSet,
  wordSet
} from '../../text/chars.ts'
import { contextKeyDetector, keyOrContextDetector, spellings, uuidJudge } from '../../keys/context-key.ts'
import { generatedJudge, looksGenerated } from '../../keys/generated.ts'
import type { Detector } from '../../detector.ts'
import { keyDetector, looksRandom } from '../../keys/fixed-key.ts'
import { filler, fillerUuid, hexLetters, lowerDigitLetters } from '../../sample-text.ts'

const teamcityPrefix = ['eyJ0eXAiOiAi', 'VENWMiJ9.'].join('')
const buildkiteKinds = ['bkua_', 'bkaa_', 'bkct_', 'bkpat_', 'bkar_', 'bkpt_', 'bkpi_', 'bkaj_']

const builders: readonly Detector[] = [
  keyOrContextDetector(
    {
      id: 'circleci_token',
      label: 'CIRCLECI_TOKEN',
      title: 'CircleCI token',
      hits: () => [
        `CCIPAT_${filler(22)}_${filler(40, hexLetters)}`,
        `CCIPRJ_${filler(22)}_${filler(40, hexLetters)}`,
        `CIRCLECI_API_TOKEN: ${filler(40, hexLetters)}`
      ],
      misses: () => [filler(40, hexLetters), `CIRCLE_SHA1=${filler(40, hexLetters)}`, 'CCIPAT_name'],
      source: 'betterleaks rule circleci-personal-token: CCIPAT_, 22 and 40 characters; 40 hexadecimal digits before.'
    },
    ['CCIPAT_', 'CCIPRJ_'].map((prefix) => ({ prefix, set: wordSet, min: 60, max: 66 })),
    [{ names: ['circleci', 'circle_ci', 'circle_token', 'circle-token', 'circle_api'], set: hexSet, min: 40, max: 40 }]
  ),
  keyDetector(
    {
      id: 'buildkite_token',
      label: 'BUILDKITE_TOKEN',
      title: 'Buildkite token',
      hits: () => ['bkua_' + filler(40, hexLetters), 'bkct_' + filler(53), 'bkpat_' + filler(40)],
      misses: () => ['bkua_' + filler(20), 'bkua_name'],
      source:
        'betterleaks and noseyparker rules for Buildkite: bkua_ and 40 characters; more prefixes in its documentation.'
    },
    buildkiteKinds.map((prefix) => ({ prefix, set: base62Set, min: 36, max: 80, judge: generatedJudge }))
  ),
  contextKeyDetector(
    {
      id: 'travis_token',
      label: 'TRAVIS_TOKEN',
      title: 'Travis CI token',
      tier: 'medium',
      hits: () => [`TRAVIS_TOKEN=${filler(22)}`, `travisci_token: "${filler(22)}"`],
      misses: () => [filler(22), `TRAVIS_BUILD_ID=${filler(22)}`],
      source: 'gitleaks rule travisci-access-token: 22 letters and digits beside the name.'
    },
    { names: ['travis', 'travisci', 'travis_ci'], set: base64UrlSet, min: 22, max: 22 }
  ),
  contextKeyDetector(
    {
      id: 'jenkins_token',
      label: 'JENKINS_TOKEN',
      title: 'Jenkins token',
      tier: 'medium',
      hits: () => [`JENKINS_API_TOKEN=${filler(34, hexLetters)}`, `jenkins-crumb token: ${filler(32, hexLetters)}`],
      misses: () => [filler(32, hexLetters), `jenkins.war md5 ${filler(32, hexLetters)}`],
      source: 'noseyparker rule for Jenkins: 32 to 36 hexadecimal digits beside the name.'
    },
    { names: ['jenkins'], set: lowerHexSet, min: 32, max: 36 }
  ),
  keyDetector(
    {
      id: 'teamcity_token',
      label: 'TEAMCITY_TOKEN',
      title: 'TeamCity access token',
      hits: () => [teamcityPrefix + filler(30) + '.' + filler(50)],
      misses: () => [teamcityPrefix, teamcityPrefix.slice(0, 12) + filler(40)],
      source: 'noseyparker rule for TeamCity: a header {"typ": "TCV2"} in base64 and two more parts.'
    },
    [{ prefix: teamcityPrefix, set: charSet('A-Z', 'a-z', '0-9', '_-.='), min: 40, max: 400 }]
  ),
  contextKeyDetector(
    {
      id: 'droneci_token',
      label: 'DRONE_TOKEN',
      title: 'Drone CI token',
      hits: () => [`DRONECI_TOKEN=${filler(32, lowerDigitLetters)}`, `DRONE_TOKEN: ${filler(32)}`],
      misses: () => [filler(32), `drone_commit = ${filler(32, hexLetters)}`],
      source: 'gitleaks rule droneci-access-token: 32 letters and digits beside the name.'
    },
    { names: ['droneci', 'drone'], set: base62Set, min: 32, max: 32 }
  ),
  keyDetector(
    {
      id: 'harness_token',
      label: 'HARNESS_TOKEN',
      title: 'Harness token',
      hits: () => ['pat', 'sat'].map((kind) => `${kind}.${filler(22)}.${filler(24)}.${filler(20)}`),
      misses: () => ['pat.name.of.thing', `pat.${filler(22)}`, `spat.${filler(22)}.${filler(24)}.${filler(20)}`],
      source: 'gitleaks rule harness-api-key: pat or sat with parts of 22, 24 and 20 characters.'
    },
    ['pat.', 'sat.'].map((prefix) => ({
      prefix,
      set: dottedNameSet,
      min: 68,
      max: 68,
      judge: (body) => (body[22] === '.' && body[47] === '.' ? generatedJudge(body) : undefined)
    }))
  ),
  keyDetector(
    {
      id: 'infracost_token',
      label: 'INFRACOST_API_KEY',
      title: 'Infracost API key',
      hits: () => ['ico-' + filler(32)],
      misses: () => ['ico-' + filler(20), 'unico-' + filler(32), `video_box.ico-${filler(32, hexLetters)}.png`],
      source: 'gitleaks rule infracost-api-token: ico- and 32 letters and digits.'
    },
    // Icon files have a digest there in their names.
    [
      {
        prefix: 'ico-',
        set: base62Set,
        min: 32,
        max: 32,
        judge: (body) => (looksRandom(body, 0, 32) ? 'strong' : undefined)
      }
    ]
  ),
  keyDetector(
    {
      id: 'prefect_token',
      label: 'PREFECT_API_KEY',
      title: 'Prefect API key',
      hits: () => ['pnu_' + filler(36, lowerDigitLetters), 'pnb_' + filler(36)],
      misses: () => ['pnu_' + filler(20), 'pnu_name'],
      source: 'gitleaks rule prefect-api-token: pnu_ and 36 letters and digits.'
    },
    ['pnu_', 'pnb_'].map((prefix) => ({ prefix, set: base62Set, min: 36, max: 36 }))
  ),
  keyDetector(
    {
      id: 'settlemint_token',
      label: 'SETTLEMINT_TOKEN',
      title: 'SettleMint access token',
      hits: () => ['aat', 'pat', 'sat'].map((kind) => `sm_${kind}_${filler(16)}`),
      misses: () => ['sm_aat_' + filler(10), 'sm_pat_name', 'sm_sat_solver_of_all'],
      source: 'gitleaks rules for SettleMint: sm_aat_, sm_pat_ or sm_sat_ and 16 letters and digits.'
    },
    ['sm_aat_', 'sm_pat_', 'sm_sat_'].map((prefix) => ({ prefix, set: base62Set, min: 16, max: 16 }))
  )
]

const reviewers: readonly Detector[] = [
  keyOrContextDetector(
    {
      id: 'sonar_token',
      label: 'SONAR_TOKEN',
      title: 'SonarQube token',
      hits: () => [
        ...['squ_', 'sqp_', 'sqa_'].map((prefix) => prefix + filler(40, hexLetters)),
        `SONAR_LOGIN=${filler(40, hexLetters)}`,
        `-Dsonar.login=${filler(40, hexLetters)}`
      ],
      misses: () => [filler(40, hexLetters), `sonar_scanner_commit=${filler(40, hexLetters)}`, 'squ_name'],
      source:
        'betterleaks rule sonar-api-token: squ_, sqp_ or sqa_ and 40 hexadecimal digits; 40 beside the name before.'
    },
    ['squ_', 'sqp_', 'sqa_'].map((prefix) => ({ prefix, set: base62Set, min: 40, max: 40 })),
    [{ names: ['sonar', 'dsonar', 'sonarqube', 'sonarcloud'], set: base62Set, min: 40, max: 40 }]
  ),
  contextKeyDetector(
    {
      id: 'snyk_token',
      label: 'SNYK_TOKEN',
      title: 'Snyk token',
      tier: 'medium',
      hits: () => [`SNYK_TOKEN=${fillerUuid()}`, `"snyk": {"api": "${fillerUuid()}"}`],
      misses: () => [fillerUuid(), `snyk_project_id = ${fillerUuid()}`],
      source: 'betterleaks rule snyk-api-token: a UUID beside the name.'
    },
    { names: ['snyk'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }
  ),
  contextKeyDetector(
    {
      id: 'codecov_token',
      label: 'CODECOV_TOKEN',
      title: 'Codecov token',
      tier: 'medium',
      hits: () => [`CODECOV_TOKEN=${fillerUuid()}`, `codecovToken: ${filler(32, lowerDigitLetters)}`],
      misses: () => [fillerUuid(), filler(32), `codecov.io/gh/a/b?commit=${filler(32, hexLetters)}`],
      source: 'gitleaks rule codecov-access-token: 32 letters and digits beside the name; today a UUID.'
    },
    { names: ['codecov'], set: lowerDigitSet, min: 32, max: 32 },
    { names: ['codecov'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }
  ),
  contextKeyDetector(
    {
      id: 'cypress_record_key',
      label: 'CYPRESS_KEY',
      title: 'Cypress record key',
      tier: 'medium',
      hits: () => [`CYPRESS_RECORD_KEY=${fillerUuid()}`, `npx cypress run --record --key ${fillerUuid()}`],
      misses: () => [fillerUuid(), `cypress_run_id = ${fillerUuid()}`],
      source: 'Cypress documentation, "Record keys": a UUID, by --key or CYPRESS_RECORD_KEY.'
    },
    { names: ['cypress'], set: uuidSet, min: 36, max: 36, judge: uuidJudge }
  ),
  keyDetector(
    {
      id: 'sourcegraph_token',
      label: 'SOURCEGRAPH_TOKEN',
      title: 'Sourcegraph access token',
      hits: () => [
        'sgp_' + filler(40, hexLetters),
        `sgp_local_${filler(40, hexLetters)}`,
        `sgp_${filler(16, hexLetters)}_${filler(40, hexLetters)}`,
        'slk_' + filler(64, hexLetters),
        'sgd_' + filler(64, hexLetters)
      ],
      misses: () => ['sgp_' + filler(20, hexLetters), 'sgp_local_name', 'slk_' + filler(40, hexLetters)],
      source:
        'gitleaks rule sourcegraph-access-token: sgp_, perhaps an instance, 40 hexadecimal digits; slk_ and 64. Sourcegraph documentation, "Sourcegraph Secret Formats": sgd_, sgs_ and slk_ with 64.'
    },
    [
      {
        prefix: 'sgp_',
        set: wordSet,
        min: 40,
        max: 64,
        judge: (body) => (looksGenerated(body.slice(body.lastIndexOf('_') + 1)) ? 'strong' : undefined)
      },
      { prefix: 'slk_', set: lowerHexSet, min: 64, max: 64 },
      { prefix: 'sgd_', set: lowerHexSet, min: 64, max: 64 },
      { prefix: 'sgs_', set: lowerHexSet, min: 64, max: 64 }
    ]
  ),
  keyDetector(
    {
      id: 'readme_token',
      label: 'README_TOKEN',
      title: 'ReadMe API key',
      hits: () => ['rdme_' + filler(70, lowerDigitLetters)],
      misses: () => ['rdme_' + filler(30), 'rdme_name'],
      source: 'gitleaks rule readme-api-token: rdme_ and 70 letters and digits.'
    },
    [{ prefix: 'rdme_', set: base62Set, min: 68, max: 72 }]
  ),
  keyDetector(
    {
      id: 'mergify_key',
      label: 'MERGIFY_KEY',
      title: 'Mergify application key',
      hits: () => ['mergify_application_key_' + filler(64)],
      misses: () => ['mergify_application_key_name', 'mergify_application_key'],
      source: 'betterleaks rule mergify-application-key: the prefix and 64 letters and digits.'
    },
    [{ prefix: 'mergify_application_key_', set: base62Set, min: 60, max: 68 }]
  ),
  contextKeyDetector(
    {
      id: 'code_review_token',
      label: 'CODE_REVIEW_TOKEN',
      title: 'token of a code review service (Codacy, Code Climate, Coveralls, Codemagic, Scrutinizer)',
      hits: () => [
        `CODACY_API_TOKEN=${filler(20)}`,
        `CODECLIMATE_API_KEY=${filler(40, hexLetters)}`,
        `CC_TEST_REPORTER_ID_TOKEN=${filler(64, hexLetters)}`
      ],
      misses: () => [filler(20), filler(40, hexLetters), `codeclimate commit ${filler(40, hexLetters)}`],
      source: 'kingfisher rules for Codacy, Code Climate, Coveralls, Codemagic and Scrutinizer.'
    },
    { names: ['codacy'], set: base62Set, min: 20, max: 20 },
    { names: spellings('code climate'), set: lowerHexSet, min: 40, max: 40 },
    { names: ['cc_test_reporter_id'], set: lowerHexSet, min: 64, max: 64, bare: true },
    { names: ['coveralls'], set: base64UrlSet, min: 33, max: 37 },
    { names: ['codemagic'], set: base64UrlSet, min: 40, max: 60 },
    { names: ['scrutinizer'], set: lowerHexSet, min: 64, max: 64 }
  )
]

export const ciDetectors: readonly Detector[] = [...builders, ...reviewers]
