/** What a sensor reads from its environment. */
import { hostname } from 'node:os'
import { builtInVocabularies, resolveLabel, unknownLabel, type Vocabularies } from '../protocol/vocabularies.ts'

/** The limit in the schema of events. */
const sensorIdLengthMax = 128

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The sandbox behind a proxy, as every event names it: `mock` if `SERVICE_MCP_PROXY_MOCK` is exactly `1`, whatever else
 * is set; otherwise `SERVICE_DOWNSTREAM_SERVER`, or `unknown` if that is unset or not a known name.
 */
export function downstreamServerOf(env: Environment, { sandboxes }: Vocabularies = vocabulariesOf(env)): string {
  if (env['SERVICE_MCP_PROXY_MOCK'] === '1') return 'mock'
  return resolveLabel(env['SERVICE_DOWNSTREAM_SERVER'] ?? unknownLabel, sandboxes).label
}

/** The sensor's id: `SERVICE_SENSOR_ID`, or the host name. */
export function sensorIdOf(env: Environment): string {
  return (env['SERVICE_SENSOR_ID'] || hostname()).slice(0, sensorIdLengthMax)
}

/** The labels that the service knows, plus the names that the same variables add there. */
export function vocabulariesOf(env: Environment): Vocabularies {
  const added = (name: string): string[] => (env[name] ?? '').split(',').flatMap((text) => text.trim() || [])
  return {
    surfaces: new Set([...builtInVocabularies.surfaces, ...added('SERVICE_EXTRA_SURFACES')]),
    providers: new Set([...builtInVocabularies.providers, ...added('SERVICE_EXTRA_PROVIDERS')]),
    sandboxes: new Set([...builtInVocabularies.sandboxes, ...added('SERVICE_EXTRA_SANDBOXES')])
  }
}
