/** Loads OpenTelemetry if the standard variables ask for it, and none of it otherwise. */
import type { Logger } from 'pino'
import { readOtel } from '../../config/otel.ts'
import type { Environment } from '../../config/reader.ts'
import type { Vocabularies } from '../../protocol/vocabularies.ts'
import type { Telemetry } from '../tracing.ts'

interface LoadOptions {
  readonly serviceName: string
  readonly vocabularies: Vocabularies
  /** Whether attributes and metrics of the GenAI conventions are written. Default: true. */
  readonly genAi?: boolean
  readonly log: Logger
}

/** @param env the process's variables, since the exporters read endpoints and headers from there themselves */
export async function loadTelemetry(env: Environment, options: LoadOptions): Promise<Telemetry | undefined> {
  const { otel, warnings } = readOtel(env)
  for (const warning of warnings) options.log.warn(warning)
  if (!otel) return undefined
  const { serviceName, vocabularies, genAi = true, log } = options
  const [{ startSdk }, { createTelemetry }] = await Promise.all([import('./sdk.ts'), import('./telemetry.ts')])
  return createTelemetry(startSdk(otel, { serviceName, env, log }), { vocabularies, genAi })
}
