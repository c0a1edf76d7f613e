/**
 * Lists which test files share a process, so that their imports are loaded once and the code is warm after the first
 * file. A file in no group has a process of its own: because it is slow by itself, or because it changes state of the
 * whole process.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

const e2e = (...names: readonly string[]): string[] => names.map((name) => `test/e2e/${name}.test.ts`)

const dashboard = (...names: readonly string[]): string[] => names.map((name) => `test/dashboard/${name}.test.ts`)

/** Path patterns, by the name of the file in this folder that runs them. */
const patterns = {
  detection: ['src/detection/**/*.test.ts'],
  dialects: ['src/dialects/**/*.test.ts'],
  policy: ['src/policy/**/*.test.ts'],
  protocol: ['src/protocol/**/*.test.ts'],
  ingress: ['src/{ingress,upstream,telemetry}/**/*.test.ts'],
  sensor: ['src/{sensor,sdk,policy-stream}/**/*.test.ts'],
  service: ['src/service/**/*.test.ts'],
  small: [
    '{src/{cli,config,timing},demo,scripts,dashboard/src}/**/*.test.ts',
    'src/store/{change-watch,audit/chain,postgres/arrays}.test.ts',
    'bench/{bodies,child,raw-http,measure,events-report,report,top-costs,core-load}.test.ts',
    'test/{docs,interop}.test.ts'
  ],
  calls: e2e(
    'bytes',
    'conversations',
    'cut-off',
    'encodings',
    'bad-input',
    'routes',
    'tokens',
    'transport',
    'upstream-urls'
  ),
  'odd-calls': e2e(
    'odd-upstream',
    'switches',
    'not-a-proxy',
    'leak-matrix',
    'vendor-fields',
    'networks',
    'abandon',
    'fair-shares'
  ),
  sdks: e2e('sdk-*', 'restore*', 'cache-stable', 'doc-examples'),
  events: e2e('events', 'events-{strict,batch,rotation}', 'query', 'audit', 'metrics'),
  policies: e2e('policy-{api,drafts,guide,limits,presets,sensors}'),
  people: e2e('administration', 'admin-cli', 'audit-backup', 'oidc', 'route-access', 'sign-in'),
  sidecars: e2e('sidecar', 'sidecar-{baseline,check,socket,states}', 'sensors', 'untrusted-service'),
  mcp: e2e('mcp-{bridges,command,error-words,gate,http,list-changes,login,stdio}'),
  commands: e2e('command-line', 'policy-cli', 'scan', 'hangup'),
  observed: e2e('canary', 'opentelemetry', 'trace-context', 'regressions'),
  'dashboard-views': dashboard('pages', 'managing', 'audit-page', 'large-fleet', 'dialogues', 'bundle'),
  'dashboard-work': dashboard('first-run', 'governing', 'interruptions', 'policy-page', 'sign-in', 'story')
} satisfies Record<string, readonly string[]>

/**
 * These change the clock or a function of Node for everything in the process, or share a module that sets hooks on
 * import: the second file of a process would run without them.
 */
const alone = new Set([
  'dashboard/src/components/chart-words.test.ts',
  'src/cli/give-back-memory.test.ts',
  'src/ingress/body/read-body.test.ts',
  'src/sensor/heartbeat.test.ts',
  'src/sensor/mcp-proxy/servers/child-downstream.test.ts',
  'src/service/tokens/cache.test.ts',
  'src/service/tokens/tokens.test.ts',
  'src/service/upkeep/audit-sealer.test.ts',
  'src/service/upkeep/maintenance.test.ts',
  'src/service/upkeep/steady-clock.test.ts'
])

export type Group = keyof typeof patterns

/** The names of all groups. */
export const groups = Object.keys(patterns) as readonly Group[]

/** @returns the files of a group as paths in the checkout, in alphabetical order */
export function filesOf(group: Group): string[] {
  return globSync(patterns[group], { cwd: root })
    .filter((path) => !alone.has(path))
    .toSorted()
}

/** @returns the path of the file that runs a group */
export const pathOf = (group: Group): string => `test/together/${group}.test.ts`
