/** The documentation page about `POST /api/events`: a guide, and the fields of the schema. */
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
    .filter(({ name, section }) => section === 'Limits' && name.startsWith('SERVICE_EVENT'))
    .map(({ name, default: value, description }) => row([`\`${name}\``, `\`${value}\``, description]))

/** The page without its notice. */
export function eventsPage(): string {
  return `# Events

Sensors (proxies, sidecars, agents) report what they did with \`POST /api/events\`: metadata, never what was said. A 202 means that the
event is on disk. The examples read the address of the service from \`SLUICE_URL\` and a token with the scope \`events:write\` from
\`SLUICE_TOKEN\`. On Node.js, [\`sluice/sensor\`](write-a-sensor.md) does the sending, the retries and the spooling for you.

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

## Batches

Send an array, \`{"events": [...]}\`, or one event per line (\`application/x-ndjson\`, \`application/jsonl\`), compressed if you like
(\`content-encoding: gzip\`, \`deflate\`, \`br\`, \`zstd\`). A request is one transaction: all of its valid events are stored or, with a 503,
none.

\`\`\`sh
gzip -c spool.jsonl | curl "$SLUICE_URL/api/events" -H "x-service-workspace-token: $SLUICE_TOKEN" \\
  -H 'content-type: application/x-ndjson' -H 'content-encoding: gzip' --data-binary @-
\`\`\`

With \`?validate=1\`, events are validated but not stored. Valid ones have the status \`valid\`, and the answer is 200 if all are.

## Answers

${row(['Status', 'Meaning', 'What your sensor should do'])}
${row(['---', '---', '---'])}
${row(['202', 'Every event is on disk, from this or an earlier request.', 'Delete them.'])}
${row(['207', 'Some are on disk, others were rejected.', 'Delete all of them, and report the rejected ones: they would be rejected again.'])}
${row(['400', 'No event is valid, or the body cannot be read.', 'The same.'])}
${row(['401, 403', 'The token is not valid, or lacks the scope.', 'Keep them until you have another token.'])}
${row(['413, 415', 'Too large, too many, or of the wrong type or encoding.', 'Send smaller batches; correct the headers.'])}
${row(['429, 503', 'Too fast, or the service cannot store now. Nothing was stored.', 'Send the same events again after `retry-after`.'])}

Each event has a result at its \`index\`: \`status\` (\`accepted\`, \`duplicate\`, \`rejected\`) and \`eventId\`. A rejected one also has \`code\`,
\`path\` (a JSON pointer that starts at the event) and \`message\`, with \`errors\` if there are several faults. \`warnings\` say what was dropped
or replaced. [errors.md](errors.md) lists the codes. No message repeats a value.

**Retries.** If you got no answer, send the same events again with the same \`eventId\`. The service remembers an ID for 7 days per
workspace and token lineage (a token and those it was rotated into). The first event with an ID is kept, whatever a later one says. An
event without an \`eventId\` that is sent twice is stored twice.

## Fields

Only \`kind\` is required. \`null\` counts as absent; if a name occurs twice, the last value counts. Numbers are JSON numbers. The stored event
has the same names and types under \`sensorMetadata\`.

${row(['Field', 'Type', 'Rule', 'Meaning'])}
${row(['---', '---', '---', '---'])}
${fieldRows().join('\n')}

- Kinds that the service writes itself are rejected: ${code(reservedKinds)}. The stored event has \`origin: sensor\`, which a sensor cannot set.
- A field whose name suggests message text (\`prompt\`, \`messages\`, \`content\`, \`text\`, \`input\`, \`output\`, \`arguments\`, \`result\` and the like, in
  any spelling, at any depth) causes the event to be rejected with \`content_not_accepted\`. Any other unknown field is dropped with a warning. An
  event with more than ${entriesMax} keys and list entries, including nested ones, is rejected.
- Free text must not contain control characters. It is scanned, and a secret or personal data in it is replaced by its kind.
- The headers \`x-service-client-surface\`, \`x-service-model-provider\`, \`x-service-model-id\` and \`x-request-id\` supply fields that an event lacks.
- An \`occurredAt\` more than ${pastMsMax / 86_400_000} days before or ${futureMsMax / 60_000} minutes after the arrival is replaced by the time of arrival, with a
  warning. \`clockSkewMs\` in the metadata says by how much it was ahead (negative: behind).
- A label outside its vocabulary is recorded as \`unknown\`, with a warning. You can add names in the [configuration](configuration.md#vocabularies).

${row(['Label', 'Values'])}
${row(['---', '---'])}
${row(['`clientSurface`', code(surfaces)])}
${row(['`modelProvider`', code(providers)])}
${row(['`downstreamServer`', code(sandboxes)])}
${row(['`platform`', `${code(platforms)}, or any name of \`[a-z0-9._/-]{1,64}\``])}

## Special kinds

- \`${toolCallKind}\`: a decision about a tool call.
- \`${lossKind}\`: a sensor lost events (its spool was full or damaged, or they were too old); \`dropped\` says how many.
- \`policy_applied\`, \`policy_rejected\`: the policy that a sensor enforces, or the one it rejected.
- \`${sensorHeartbeatKind}\`: a heartbeat, sent about every ${sensorHeartbeatMs / 1000} seconds with \`policyState\`, \`policyRevision\`, \`policyAgeMs\`, \`spooled\`,
  \`spoolProblem\`, \`dropped\` and \`sensorVersion\`. It is not stored as an event: the service keeps the last one per \`sensorId\` and token lineage
  for ${sensorDays} days. \`GET /api/sensors\` (scope \`audit:read\`) lists at most ${rowsMax} of them, the most recent first; beyond that, those of each token lineage in turn. \`isSilent\` means that three
  heartbeats were missed.

## What the MCP proxy reports

| kind | when | additional fields |
|---|---|---|
| \`${toolCallKind}\` | once per call: when its answer arrives, after 30 s, or when it is refused; asking for consent is a separate \`block\` with \`ask_pending\` | \`mcpServer\`, \`decisionMs\`, \`durationMs\` |
| \`tool_answer_masked\` | something was masked in an answer that came later, in the result of a task (\`task_result\`), in another answer (\`server_answer\`), in a notification (\`server_notice\`) or in a request from a server (\`server_request\`) | \`mcpServer\` |
| \`client_words_enforcement\` | something was masked, or blocked, in what a client gives to a prompt (\`prompt_arguments\`), types for a completion (\`completion_arguments\`), lets its model answer to a server (\`model_answer\`), or fills into a form of a server (\`form_answer\`) | \`mcpServer\` |
| \`tool_inventory\` | a server's tools, or what the policy says about them, have changed | \`tools\` in parts of ${toolListMax}, \`toolCount\`, \`inventoryDigest\`, \`mcpServerLabel\` |
| \`tool_drift\` | a definition differs from the trusted one: \`title_changed\`, \`description_changed\`, \`input_schema_changed\`, \`output_schema_changed\`, \`annotations_changed\`, \`tool_added\`, \`tool_removed\` | \`toolEffect\`, \`digestBefore\`, \`digestAfter\` |

## What the service writes itself

- \`ingress_proxy\`: one for every authenticated model call, however it ended.
- \`recording_gap\`: records that could not be kept because the disk failed or the queue was full. \`from\`, \`to\` (milliseconds since 1970) and
  \`count\` say which. Recorded calls plus calls in gaps are all calls that were made. A killed process loses at most 40 ms of the records of
  its own calls, and nothing that was acknowledged.
- \`ingress_decision\` (in the audit only): with \`SERVICE_AUDIT_MODE=strict\`, the decision about a call, on disk before the call is forwarded.
  If it cannot be written, the call gets a 503 \`audit_unavailable\`.

## Limits

${row(['Variable', 'Default', 'Meaning'])}
${row(['---', '---', '---'])}
${boundRows().join('\n')}

## Tokens

\`sluice token rotate ID --overlap 24h\` makes a token of the same lineage, with the same label and scopes; both are valid until the overlap
ends. \`sluice token revoke ID\` takes effect on every instance within two seconds.
`
}
