/** What the pieces of the implementation share. */
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

/** What the GenAI mapping reads of a record. */
export function genAiCall({ route, modelProvider, modelId, responseModel, usage }: CallRecord): GenAiCall {
  return { route, modelProvider, modelId, responseModel, ...usage }
}
