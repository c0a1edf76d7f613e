/** The readers of token counts of one dialect. */
import type { Dialect } from '../dialect.ts'
import { jsonUsageReader } from './json.ts'
import { streamUsageReader } from './stream.ts'
import type { UsageFields } from './usage.ts'

/** Makes the readers for answers that have their counts in these places. */
export const usageReaders =
  (fields: UsageFields): Dialect['createUsageReader'] =>
  (streamed) =>
    streamed ? streamUsageReader(fields) : jsonUsageReader(fields)
