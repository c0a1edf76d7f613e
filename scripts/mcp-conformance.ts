/**
 * `npm run check:mcp-conformance`: the conformance suite of MCP against a full server and a full client of the
 * reference SDK, directly and through the proxy with the policy of a new workspace. Both lists of findings must be
 * equal, for both revisions and in both directions. `--short` only checks the servers.
 */
import { parseArgs } from 'node:util'
import { differences, runConformance, type Findings } from '../test/support/mcp/conformance.ts'
import { startFixtureHttp } from '../test/support/mcp/fixture-http.ts'
import { startGatedRelay } from '../test/support/mcp/gated-relay.ts'
import { fixture } from '../test/support/mcp/line-client.ts'

const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const revisions = ['2025-11-25', '2026-07-28']
const clientScenarios: readonly (readonly [scenario: string, revision: string])[] = [
  ['initialize', '2025-11-25'],
  ['tools_call', '2025-11-25'],
  ['elicitation-sep1034-client-defaults', '2025-11-25'],
  ['sse-retry', '2025-11-25'],
  ['tools_call', '2026-07-28'],
  ['request-metadata', '2026-07-28'],
  ['sep-2322-client-request-state', '2026-07-28'],
  ['http-standard-headers', '2026-07-28'],
  ['http-custom-headers', '2026-07-28'],
  ['http-invalid-tool-headers', '2026-07-28'],
  ['json-schema-ref-no-deref', '2026-07-28'],
  ['json-schema-2020-12-preservation', '2026-07-28'],
  ...['metadata-default', 'scope-from-www-authenticate'].map((name) => [`auth/${name}`, '2025-11-25'] as const),
  ...[
    'metadata-default',
    'metadata-var2',
    'metadata-var3',
    'basic-cimd',
    'scope-from-scopes-supported',
    'scope-step-up',
    'scope-retry-limit',
    'token-endpoint-auth-basic',
    'token-endpoint-auth-none',
    'pre-registration',
    'offline-access-scope',
    'authorization-server-migration',
    'iss-supported',
    'iss-wrong-issuer',
    'metadata-issuer-mismatch'
  ].map((name) => [`auth/${name}`, '2026-07-28'] as const)
]
/** A client behind the proxy requests a token for the URL that it uses, which is the proxy's. */
const withoutResource = (findings: Findings): Findings =>
  findings.filter((line) => !line.includes(': resource-parameter-matches-prm '))

/** @returns whether the two lists are equal and not empty */
function report(what: string, direct: Findings, proxied: Findings): boolean {
  const found = differences(direct, proxied)
  const good = direct.filter((line) => line.endsWith('SUCCESS')).length
  const isSame = found.length === 0 && good > 0
  console.log(`${isSame ? 'same' : 'DIFFERS'}  ${what}: ${direct.length} findings, ${good} of them successes`)
  for (const line of found) console.log(`  ${line}`)
  return isSame
}

async function compareServers(revision: string): Promise<boolean> {
  await using server = await startFixtureHttp()
  await using relay = await startGatedRelay({ url: server.url, listen: '0' })
  const words = ['--requirements', revision]
  const direct = await runConformance(['server', '--url', server.url, ...words])
  const proxied = await runConformance(['server', '--url', relay.url, ...words])
  return report(`server, ${revision}`, direct, proxied)
}

async function compareClients(scenario: string, revision: string): Promise<boolean> {
  const run = (words: string) => {
    const command = `${process.execPath} ${fixture('conformance-client')} ${words}`.trim()
    return runConformance([
      'client',
      '--command',
      command,
      '--scenario',
      scenario,
      '--spec-version',
      revision,
      '--force'
    ])
  }
  const [direct, proxied] = [await run(''), await run('--proxied')]
  return report(`client, ${revision}, ${scenario}`, withoutResource(direct), withoutResource(proxied))
}

const outcomes: boolean[] = []
for (const revision of revisions) outcomes.push(await compareServers(revision))
if (!options.short)
  for (const [scenario, revision] of clientScenarios) outcomes.push(await compareClients(scenario, revision))
process.exitCode = outcomes.every(Boolean) ? 0 : 1
