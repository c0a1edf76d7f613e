/** The page of documentation that describes the two policy documents, setting by setting. */
import { policyBounds } from '../src/policy/bounds.ts'
import { jsonSchemaOf, type DocumentName, type JsonSchema } from '../src/policy/policy-schemas.ts'
import { row } from './markdown.ts'

interface Setting {
  readonly path: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** The page without its notice. */
export function policyPage(): string {
  return `# The workspace policy

A policy is two documents: \`redactionProfile\` says what is done about secrets and personal data, \`mcpToolPolicy\` which
tools an agent may call. Both are JSON; what is left out has its default, and an unknown key is refused. Every published
policy is a revision \`<sequence>-<16 hex>\`: the hex is the beginning of the SHA-256 of the canonical JSON (sorted keys, no
white space) of \`{"mcpToolPolicy": ..., "redactionProfile": ...}\`, so whoever receives a revision can verify it.

A document may have ${policyBounds.documentUnitsMax.toLocaleString('en')} characters, ${policyBounds.rulesMax.toLocaleString('en')} rules, \
${policyBounds.customPatternsMax} patterns of its own and ${policyBounds.depthMax} levels. Paths below name \
settings inside one another with dots, and entries of lists with \`[]\`.

${section('redactionProfile', 'The redaction profile')}

### How a find is judged

1. A \`weak\` find leads to nothing. In mode \`observe\` neither does one of the medium or low tier.
2. \`actions.kinds\` names an action, else \`actions.groups\` does, else the tier: high blocks, medium masks, low is allowed.
3. Outside of masked text only high-risk finds act. Sealed text (signatures, thinking, ids, media) is never changed.
4. A block holds for finds that are \`certain\` or \`strong\`, where neither \`blockHighRisk\` of the profile nor
   \`SERVICE_INGRESS_BLOCK_HIGH_RISK\` of the server is off, and with the preset \`coding-agents\` only in the newest user
   text: the last text that a person wrote since the model last spoke. Everywhere else it is a mask.

\`\`\`json
{
  "version": 1,
  "preset": "coding-agents",
  "actions": { "groups": { "network": "mask" }, "kinds": { "phone_number": "allow" } },
  "custom": [
    {
      "id": "ticket",
      "title": "ticket number",
      "pattern": "TICK-[0-9]{4,6}",
      "tests": { "match": ["see TICK-1234"], "noMatch": ["TICK-1"] }
    }
  ],
  "deny": ["Project Bluebird"],
  "allow": { "emailDomains": ["corp.example"] }
}
\`\`\`

${section('mcpToolPolicy', 'The tool policy')}

### How a call is judged

Of all rules that match, \`deny\` wins over \`ask\` over \`allow\`; without any, \`defaultEffect\` holds. The order of rules and
how closely they fit play no part. A rule matches where its globs, its conditions, its surfaces and its annotations do,
no exception names the tool, and it has not ended.

What cannot be judged (an argument that is missing or of another type, a path that hangs on the working directory, a
list of which some items fit and some do not, a surface that is not known) matches a rule that denies or asks, and never
one that allows.

### Conditions

An entry of \`when\` is a test of one argument, or a combination of conditions. Several tests in one entry must all hold.

${tableOf(settingsOf(definition('mcpToolPolicy', 'Condition'), '', 1))}

\`\`\`json
{
  "version": 1,
  "defaultEffect": "ask",
  "servers": [{ "id": "files", "command": ["npx", "-y", "@modelcontextprotocol/server-filesystem", "**"] }],
  "rules": [
    { "id": "read", "effect": "allow", "server": "files", "tool": ["read_*", "list_*"],
      "when": [{ "argument": "/path", "pathWithin": "/srv/app" }] },
    { "id": "no-keys", "effect": "deny", "tool": "*", "reason": "Key files are off limits.",
      "when": [{ "argument": "/path", "matches": ".*[.](pem|key)" }] }
  ]
}
\`\`\`

### What the MCP proxy does with it

- **Lists.** A tool that is denied whatever its arguments is left out (\`listing\`), and the list is then marked private for caches.
- **Names.** Rules that deny or ask hold for look-alikes too: other case, accents, look-alike and invisible letters,
  percent-encoding, what stands before a slash. Rules that allow hold for the exact name.
- **Refusals** are results with \`isError\`, a sentence for the model (with the rule's \`reason\` and \`refusal.message\`) and, under
  \`_meta["dev.sluice/refusal"]\`, \`action\`, \`code\`, \`ruleId\`, \`revision\`, \`requestId\`, \`retryable\`.
- **\`ask\`** asks the person at the client, where the client can: with \`elicitation/create\` in revisions with sessions, with
  \`input_required\` in 2026-07-28. A consent holds for one call with exactly these arguments. The events are a \`block\` with
  \`ask_pending\`, then an \`allow\` with \`ask_approved\`, or a \`block\` with \`ask_declined\` or \`ask_unsupported\`.
- **\`scan\`.** Arguments and results are masked as the redaction profile says; a secret in arguments blocks where the profile blocks,
  one in a result is masked. Nothing is restored in the proxy.
- **\`limits\`** hold for each proxy by itself. Refused calls do not count.
- **\`pins\`.** A definition that is not the one that was trusted is reported as \`tool_drift\`, with the digest before and after. To
  accept it, list its digests under \`pins.tools\`.
- **\`stale\`** counts from the moment at which the service last confirmed the policy. A proxy that never had one refuses every call.
- **\`observe\`** lets every call pass, and events say what would have been: \`rule_observed\`. Secrets are masked all the same.

The code of a decision (\`reasonCode\` of its event) is \`rule\`, \`default\`, \`look_alike\`, \`ambiguous_arguments\`, \`unknown_server\`,
\`stale_policy\`, \`definition_changed\`, \`definition_unknown\`, \`tool_added\`, \`arguments_too_large\`, \`too_many_calls\`,
\`sensitive_arguments\`, \`result_too_large\`, \`sensitive_result\`, \`unreadable_call\`, \`unreadable_answer\`, \`header_mismatch\`,
\`no_policy\`, or one of \`ask\`.
`
}

function section(name: DocumentName, heading: string): string {
  const schema = jsonSchemaOf(name)
  return `## ${heading}\n\n${tableOf(settingsOf(schema, '', 6))}`
}

function definition(name: DocumentName, id: string): JsonSchema {
  const found = jsonSchemaOf(name).$defs?.[id]
  if (found === undefined) throw new Error(`The schema of ${name} has no ${id}.`)
  return found
}

/** The settings of an object, each followed by those inside it. */
function settingsOf(schema: JsonSchema, base: string, levels: number): Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = base + name
    const isRequired = schema.required?.includes(name) ?? false
    const below = levels > 1 ? [settingsOf(inner, `${path}.`, levels - 1)] : []
    const items = levels > 1 && inner.items ? [settingsOf(inner.items, `${path}[].`, levels - 1)] : []
    return [{ path, schema: inner, isRequired }, ...below.flat(), ...items.flat()]
  })
}

function tableOf(settings: readonly Setting[]): string {
  const rows = settings.map(({ path, schema, isRequired }) => {
    const value = isRequired ? 'required' : defaultOf(schema)
    return row([`\`${path}\``, takes(schema), value, schema.description ?? ''])
  })
  return [row(['Setting', 'Takes', 'Default', 'Meaning']), row(['---', '---', '---', '---']), ...rows].join('\n')
}

function defaultOf(schema: JsonSchema): string {
  const value = schema.default
  const isPlain = typeof value !== 'object' || value === null || Array.isArray(value)
  return value === undefined || !isPlain ? '' : `\`${JSON.stringify(value)}\``
}

function takes(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((one) => `\`${String(one)}\``).join(', ')
  if (schema.$ref) return schema.$ref.replace(/^.*\//, '').toLowerCase()
  if (schema.anyOf) return [...new Set(schema.anyOf.map(takes))].join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? takes(schema.items) : 'values'}`
  if (schema.type === 'object') {
    return typeof schema.additionalProperties === 'object'
      ? `object of ${takes(schema.additionalProperties)}`
      : 'object'
  }
  if (schema.type === 'string' && schema.format) return schema.format
  return schema.type === 'integer' ? 'whole number' : (schema.type ?? 'value')
}
