/** The page of documentation about `POST /api/events`: a guide, and the fields as the schema has them. */
import { z } from 'zod'
import { listVariables } from '../src/config/describe-variables.ts'
import { entriesMax } from '../src/protocol/events/content-keys.ts'
import {
  eventSchema,
  lossKind,
  reservedKinds,
  sensorHeartbeatKind,
  sensorHeartbeatMs,
  toolCallKind,
  toolListMax
} from '../src/protocol/events/event-schema.ts'
import { platforms, providers, sandboxes, surfaces } from '../src/protocol/vocabularies.ts'
import { rowsMax, sensorDays } from '../src/store/store.ts'
import { futureMsMax, pastMsMax } from '../src/service/ingest/workspace-event.ts'
import { row } from './markdown.ts'

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly description?: string
}

function fieldRows(): string[] {
  const { properties = {} } = z.toJSONSchema(eventSchema)
  return Object.entries(properties).map(([name, property]) => {
    const field = property as FieldSchema
    return row([`\`${name}\``, field.type ?? '', ruleOf(field), field.description ?? ''])
  })
}

function ruleOf({ type, enum: values, pattern, format, minimum, maximum, maxLength, maxItems }: FieldSchema): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ')
  if (format === 'date-time') return 'RFC 3339 with an offset'
  if (pattern !== undefined) return `\`${pattern}\``
  if (type === 'string' && maxLength !== undefined) return `at most ${maxLength} characters`
  if (maxItems !== undefined) return `at most ${maxItems} entries`
  return minimum === undefined ? '' : `${minimum} to ${maximum}`
}

const code = (words: Iterable<string>): string => [...words].map((word) => `\`${word}\``).join(', ')

const boundRows = (): string[] =>
  listVariables()
    .filter(({ name, section }) => section === 'Bounds' && name.startsWith('SERVICE_EVENT'))
    .map(({ name, default: value, description }) => row([`\`${name}\``, `\`${value}\``, description]))

/** The page without its notice. */
export function eventsPage(): string {
  return `# Events

Sensors (proxies, sidecars, agents) report what they did with \`POST /api/events\`: metadata, never what was said. An answer
of 202 means that the event is on disk. The examples take the address of the service from \`SLUICE_URL\` and a token with the
scope \`events:write\` from \`SLUICE_TOKEN\`.

\`\`\`sh
curl "$SLUICE_URL/api/events" -H "x-service-workspace-token: $SLUICE_TOKEN" -H 'content-type: application/json' -d '{
  "kind": "${toolCallKind}", "platform": "mcp-proxy", "action": "block", "riskTier": "high",
  "mcpToolName": "read_file", "downstreamServer": "docker", "clientSurface": "claude-code",
  "eventId": "'"$(node -p 'crypto.randomUUID()')"'"
}'
\`\`\`

\`\`\`json
{"accepted":1,"duplicates":0,"rejected":0,"results":[{"index":0,"status":"accepted","eventId":"..."}]}
\`\`\`

## Many at once

An array, \`{"events": [...]}\`, or one event a line (\`application/x-ndjson\`, \`application/jsonl\`), also compressed
(\`content-encoding: gzip\`, \`deflate\`, \`br\`, \`zstd\`). A request is stored in one transaction: what is good in it, all of it or,
with 503, nothing.

\`\`\`sh
gzip -c spool.jsonl | curl "$SLUICE_URL/api/events" -H "x-service-workspace-token: $SLUICE_TOKEN" \\
  -H 'content-type: application/x-ndjson' -H 'content-encoding: gzip' --data-binary @-
\`\`\`

With \`?validate=1\` events are judged and nothing is stored; good ones have the status \`valid\`, and the answer is 200 where all are.

## Answers

${row(['Status', 'Meaning', 'What a sensor does'])}
${row(['---', '---', '---'])}
${row(['202', 'Every event is on disk, now or since an earlier request.', 'Forgets them.'])}
${row(['207', 'Some are on disk, others were rejected.', 'Forgets all of them, and reports what was rejected: it would be again.'])}
${row(['400', 'No event is good, or the body cannot be read.', 'The same.'])}
${row(['401, 403', 'The token is not good, or lacks the scope.', 'Keeps them until it has another token.'])}
${row(['413, 415', 'Too large, too many, or of another type or encoding.', 'Sends smaller batches; mends its headers.'])}
${row(['429, 503', 'Too fast, or the service cannot store now. Nothing was taken.', 'Sends the same again after `retry-after`.'])}

Each event has a result at its \`index\`: \`status\` (\`accepted\`, \`duplicate\`, \`rejected\`), \`eventId\`, for a rejected one \`code\`, \`path\` (a JSON
pointer that starts at the event) and \`message\`, with \`errors\` where there are several faults, and \`warnings\` about what was dropped
or replaced. Codes stand in [errors.md](errors.md). No message repeats a value.

**Sending again.** A sensor that had no answer sends the same events with the same \`eventId\` again. An id is known for 7
days in its workspace, to all tokens of one lineage: a token and those it was rotated into. The first event with an id stays, whatever
a later one with it says. Without an \`eventId\` an event that is sent twice is stored twice.

## Fields

Only \`kind\` must be there. \`null\` counts as absent; of a name that stands twice the last value counts. Numbers are JSON numbers.
The types and names are also those under \`sensorMetadata\` of the stored event.

${row(['Field', 'Type', 'Rule', 'Meaning'])}
${row(['---', '---', '---', '---'])}
${fieldRows().join('\n')}

- Kinds that the service writes itself are refused: ${code(reservedKinds)}. The stored event has \`origin: sensor\`, which no sensor can set.
- A field whose name could hold message text (\`prompt\`, \`messages\`, \`content\`, \`text\`, \`input\`, \`output\`, \`arguments\`, \`result\` and the
  like, in any spelling, at any depth) refuses the event with \`content_not_accepted\`. Any other unknown field is dropped with a warning. An event
  with more than ${entriesMax} keys and list entries, nested ones counted, is refused.
- Free texts hold no control characters. They are scanned, and a secret or a personal datum in one is replaced by its kind.
- The headers \`x-service-client-surface\`, \`x-service-model-provider\`, \`x-service-model-id\` and \`x-request-id\` fill what an event lacks.
- An \`occurredAt\` more than ${pastMsMax / 86_400_000} days before or ${futureMsMax / 60_000} minutes after its arrival is replaced by the time of arrival, with a
  warning, and \`clockSkewMs\` in the metadata says by how much it was ahead (negative: behind).
- A label outside its vocabulary is recorded as \`unknown\` with a warning. Configuration can add names.

${row(['Label', 'Values'])}
${row(['---', '---'])}
${row(['`clientSurface`', code(surfaces)])}
${row(['`modelProvider`', code(providers)])}
${row(['`downstreamServer`', code(sandboxes)])}
${row(['`platform`', `${code(platforms)}, or any name of \`[a-z0-9._/-]{1,64}\``])}

## Kinds with a meaning of their own

- \`${toolCallKind}\`: a decision about a tool call.
- \`${lossKind}\`: a sensor gave events up (its spool was full or damaged, or they were too old); \`dropped\` says how many.
- \`policy_applied\`, \`policy_rejected\`: which policy a sensor enforces, and which it refused.
- \`${sensorHeartbeatKind}\`: a sign of life, sent about every ${sensorHeartbeatMs / 1000} seconds with \`policyState\`, \`policyRevision\`, \`policyAgeMs\`,
  \`spooled\`, \`spoolProblem\`, \`dropped\` and \`sensorVersion\`. It is no event: the service keeps the last one of each \`sensorId\` and token lineage for ${sensorDays}
  days, and \`GET /api/sensors\` (scope \`audit:read\`) lists them, ${rowsMax} at most, those heard of last first. \`isSilent\`: three were missed.

## What the MCP proxy reports

| kind | when | beside the decision's fields |
|---|---|---|
| \`${toolCallKind}\` | once a call: when its answer is there, after 30 s, or when it is refused; a question is a \`block\` of its own with \`ask_pending\` | \`mcpServer\`, \`decisionMs\`, \`durationMs\` |
| \`tool_answer_masked\` | something was masked in an answer that came later, or in the result of a task | |
| \`tool_inventory\` | the tools of a server, or what the policy says of them, are not what they were | \`tools\` in parts of ${toolListMax}, \`toolCount\`, \`inventoryDigest\`, \`mcpServerLabel\` |
| \`tool_drift\` | a definition is not the one that was trusted: \`description_changed\`, \`input_schema_changed\`, \`output_schema_changed\`, \`annotations_changed\`, \`tool_added\`, \`tool_removed\` | \`toolEffect\`, \`digestBefore\`, \`digestAfter\` |

## What the service writes itself

- \`ingress_proxy\`: one for every authenticated model call, however it ended.
- \`recording_gap\`: records that could not be kept while the disk failed or the queue was full; \`from\`, \`to\` (milliseconds since
  1970) and \`count\` say which. Calls recorded and calls in gaps are all calls that were made. A killed process loses up to
  40 ms of the records of its own calls, and nothing that was acknowledged.
- \`ingress_decision\` (in the audit alone): with \`SERVICE_AUDIT_MODE=strict\`, the decision about a call, on disk before the call is
  forwarded. Where it cannot be written the call is answered 503 \`audit_unavailable\`.

## Bounds

${row(['Variable', 'Default', 'Meaning'])}
${row(['---', '---', '---'])}
${boundRows().join('\n')}

## Tokens

\`sluice token rotate ID --overlap 24h\` makes a token of the same lineage, label and scopes; both are good until the overlap ends.
\`sluice token revoke ID\` is felt by every instance within two seconds.
`
}
