/** What the parts of the OpenTelemetry implementation share. */
import type { Logger, Tracer } from '@opentelemetry/api'
import type { GenAiCall } from '../../protocol/gen-ai.ts'
import type { Vocabularies } from '../../protocol/vocabularies.ts'
import type { CallRecord } from '../report.ts'
import type { Instruments } from './instruments.ts'

export interface TelemetryParts {
  readonly tracer: Tracer
  readonly logger: Logger
  readonly instruments: Instruments
  readonly vocabularies: Vocabularies
  /** Whether attributes and metrics of the GenAI conventions are written. */
  readonly genAi: boolean
}

/** The input of the GenAI mapping, from a call's record. */
export function genAiCall({ route, modelProvider, modelId, responseModel, usage }: CallRecord): GenAiCall {
  return { route, modelProvider, modelId, responseModel, ...usage }
}
