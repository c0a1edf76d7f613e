/** What a sensor reads of its environment. */
import { hostname } from 'node:os'
import { builtInVocabularies, resolveLabel, unknownLabel, type Vocabularies } from '../protocol/vocabularies.ts'

/** As the schema of events has it. */
const sensorIdLengthMax = 128

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The sandbox behind a proxy, as every event names it: `mock` where `SERVICE_MCP_PROXY_MOCK` is exactly `1`, whatever
 * else is set; else `SERVICE_DOWNSTREAM_SERVER`; `unknown` where that is unset or no known name.
 */
export function downstreamServerOf(env: Environment, { sandboxes }: Vocabularies = vocabulariesOf(env)): string {
  if (env['SERVICE_MCP_PROXY_MOCK'] === '1') return 'mock'
  return resolveLabel(env['SERVICE_DOWNSTREAM_SERVER'] ?? unknownLabel, sandboxes).label
}

/** What a sensor calls itself: `SERVICE_SENSOR_ID`, or the name of its machine. */
export function sensorIdOf(env: Environment): string {
  return (env['SERVICE_SENSOR_ID'] || hostname()).slice(0, sensorIdLengthMax)
}

/** The labels that the service knows, with the names that the same variables add there. */
export function vocabulariesOf(env: Environment): Vocabularies {
  const added = (name: string): string[] => (env[name] ?? '').split(',').flatMap((text) => text.trim() || [])
  return {
    surfaces: new Set([...builtInVocabularies.surfaces, ...added('SERVICE_EXTRA_SURFACES')]),
    providers: new Set([...builtInVocabularies.providers, ...added('SERVICE_EXTRA_PROVIDERS')]),
    sandboxes: new Set([...builtInVocabularies.sandboxes, ...added('SERVICE_EXTRA_SANDBOXES')])
  }
}
