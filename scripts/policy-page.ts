/** The documentation page that describes the two policy documents, setting by setting. */
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

This page lists every setting of a policy. To write, test and publish one step by step, read the
[policy guide](policy-guide.md).

A policy consists of two JSON documents: \`redactionProfile\` says what happens to secrets and personal data, and
\`mcpToolPolicy\` says which tools an agent may call. Settings you leave out have their defaults; an unknown key is rejected.

Every published policy gets a revision \`<sequence>-<16 hex>\`. The hex digits are the start of the SHA-256 of the canonical JSON
(sorted keys, no white space) of \`{"mcpToolPolicy": ..., "redactionProfile": ...}\`, so whoever receives a revision can verify it.

Limits per document: ${policyBounds.documentUnitsMax.toLocaleString('en')} characters, ${policyBounds.rulesMax.toLocaleString('en')} rules, \
${policyBounds.customPatternsMax} custom patterns, ${policyBounds.depthMax} levels of nesting. In the tables, a dot \
separates nested settings, and \`[]\` marks the entries of a list.

${section('redactionProfile', 'The redaction profile')}

### How a finding is judged

1. A finding with \`weak\` confidence is ignored. In mode \`observe\`, so are findings of the medium and low tiers.
2. The action comes from \`actions.kinds\`, otherwise from \`actions.groups\`, otherwise from the tier: high blocks, medium masks,
   low is allowed.
3. In watched parts of the request only high-risk findings are acted on. Sealed text (signatures, thinking, IDs, media) is
   never changed.
4. A block becomes a mask unless all of this holds: the finding is \`certain\` or \`strong\`; neither the profile's
   \`blockHighRisk\` nor the server's \`SERVICE_INGRESS_BLOCK_HIGH_RISK\` is off; and, with the preset \`coding-agents\`, it is
   in the newest user text, that is, in what the user wrote since the model last answered.

An example:

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

Among all rules that match, \`deny\` overrides \`ask\`, which overrides \`allow\`; if none matches, \`defaultEffect\` applies. The
order of rules and how specific they are do not matter. A rule matches if its globs, conditions, surfaces and annotations all
match, no exception names the tool, and it has not expired.

Some things cannot be judged: an argument that is missing or of another type, a path that depends on the working directory, a
list in which some items match and some do not, an unknown surface. These match a rule that denies or asks, and never one that
allows.

### Conditions

Each entry of \`when\` is a test of one argument, or a combination of conditions. Several tests in one entry must all hold.

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

- **Lists.** A tool that is denied whatever its arguments is left out of the list (\`listing\`), and the list is then marked private
  for caches.
- **Names.** Rules that deny or ask also match look-alike names: other case, accents, homoglyphs and invisible characters,
  percent-encoding, a prefix before a slash, a colon, a dot or two underscores (\`files__delete_file\`). Rules that allow match
  only the exact name.
- **Refusals** are results with \`isError\`, a sentence for the model (with the rule's \`reason\` and \`refusal.message\`) and, under
  \`_meta["dev.sluice/refusal"]\`, \`action\`, \`code\`, \`ruleId\`, \`revision\`, \`requestId\`, \`retryable\`.
- **\`ask\`** asks the user for consent, if the client supports it: with \`elicitation/create\` in protocol revisions with sessions,
  with \`input_required\` in 2026-07-28. Consent covers one call with exactly these arguments. The events are a \`block\` with
  \`ask_pending\`, then an \`allow\` with \`ask_approved\`, or a \`block\` with \`ask_declined\` or \`ask_unsupported\`.
- **\`scan\`.** The redaction profile applies to arguments and results. A secret in arguments blocks if the profile blocks it; a
  secret in a result is masked. The proxy never restores values. \`scan.arguments\` covers what is given to prompts and typed for
  completions too.
  \`scan.results\` covers everything that a server sends: resources, prompts, log messages, progress, questions and errors too.
- **\`limits\`** apply to each proxy separately. Refused calls do not count.
- **\`pins\`.** A definition that differs from the trusted one is reported as \`tool_drift\`, with the digests before and after. To
  accept it, list its digests under \`pins.tools\`. With \`first-use\`, components that an entry leaves out stay as first seen.
- **\`stale\`** counts from the last time the service confirmed the policy. A proxy that never received a policy refuses every call.
- **\`observe\`** lets every call pass, and events report what would have happened: \`rule_observed\`. Secrets are still masked.

The reason code of a decision (\`reasonCode\` in its event) is \`rule\`, \`default\`, \`look_alike\`, \`ambiguous_arguments\`, \`unknown_server\`,
\`stale_policy\`, \`definition_changed\`, \`definition_unknown\`, \`tool_added\`, \`arguments_too_large\`, \`too_many_calls\`,
\`sensitive_arguments\`, \`result_too_large\`, \`sensitive_result\`, \`unreadable_call\`, \`unreadable_answer\`, \`header_mismatch\`,
\`no_policy\`, or one of the \`ask_...\` codes above.
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
