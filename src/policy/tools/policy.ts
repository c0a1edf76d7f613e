/** The tool policy document: which tools of which servers an agent may call, and with what arguments. */
import { z } from 'zod'
import { tiers } from '../../detection/findings.ts'
import { policyBounds } from '../bounds.ts'
import { globSchema } from '../glob.ts'
import { whenSchema } from './condition.ts'
import { utcTimeSchema } from '../utc-time.ts'

/** Effects of a rule, strictest first. */
export const effects = ['deny', 'ask', 'allow'] as const
export type Effect = (typeof effects)[number]

/** What a server says about a tool (MCP `ToolAnnotations`). These are hints: nothing makes them true. */
export const annotationNames = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
export type ToolAnnotations = Partial<Record<(typeof annotationNames)[number], boolean>>

const { rulesMax, serversMax, globsMax, listedUnitsMax, listedMax } = policyBounds

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
const effect = z.enum(effects)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const globs = z.union([globSchema, z.array(globSchema).min(1).max(globsMax)])

const server = z
  .strictObject({
    id: name
      .refine((id) => id !== 'unknown', 'is the name of servers that are not listed')
      .describe('The name that rules use for the server.'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(listedUnitsMax)
      .optional()
      .describe('Its address. The query and a trailing slash are ignored.'),
    command: z
      .array(globSchema)
      .min(1)
      .max(globsMax)
      .optional()
      .describe('The command line that starts it, one glob per word; a final `**` matches any further words.')
  })
  .refine((one) => (one.url === undefined) !== (one.command === undefined), 'must have either a `url` or a `command`')
  .describe('A server is identified by its address or command, never by the name it reports.')

const rule = z.strictObject({
  id: name.describe('Unique ID of the rule, as decisions, events and diffs show it.'),
  effect: effect.describe(
    'Effect of the rule. Among all rules that match, `deny` overrides `ask`, which overrides `allow`.'
  ),
  server: globs.default('*').describe('Servers by ID; `unknown` means every server that is not listed.'),
  tool: globs.default('*').describe('Tools by name.'),
  except: z
    .array(
      z.strictObject({
        server: globs.default('*').describe('Servers by ID.'),
        tool: globs.default('*').describe('Tools by name.')
      })
    )
    .max(globsMax)
    .default([])
    .describe('Tools that the rule does not apply to.'),
  when: whenSchema.describe('Conditions on the arguments. All must hold.'),
  surface: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(globsMax)
    .optional()
    .describe('Client surfaces. An unknown surface matches a rule that denies or asks, never one that allows.'),
  annotations: z
    .strictObject({
      readOnlyHint: z.boolean().optional().describe('The tool changes nothing.'),
      destructiveHint: z.boolean().optional().describe('The tool may delete or overwrite.'),
      idempotentHint: z.boolean().optional().describe('Calling it twice has the same effect as calling it once.'),
      openWorldHint: z.boolean().optional().describe('The tool reaches beyond its own system.')
    })
    .optional()
    .describe(
      'What the server declares about the tool. A missing hint matches a rule that denies or asks, never one that allows.'
    ),
  reason: z.string().min(1).max(300).optional().describe('A sentence shown to the agent and recorded in the audit.'),
  riskTier: z.enum(tiers).optional().describe('Risk tier of the events that this rule causes.'),
  expiresAt: utcTimeSchema.optional().describe('When the rule expires, in UTC: `2027-01-31T00:00:00Z`.')
})

const pin = z.strictObject({
  server: name.describe('Id of the server.'),
  tool: z.string().min(1).max(200).describe('Name of the tool.'),
  title: sha256.optional().describe('SHA-256 of the title (UTF-8, NFC).'),
  description: sha256.optional().describe('SHA-256 of the description (UTF-8, NFC).'),
  inputSchema: sha256.optional().describe('SHA-256 of the canonical JSON of the input schema (texts in NFC).'),
  outputSchema: sha256.optional().describe('SHA-256 of the canonical JSON of the output schema (texts in NFC).'),
  annotations: sha256.optional().describe('SHA-256 of the canonical JSON of the annotations (texts in NFC).')
})

/** The document as it is published and streamed. Unknown keys are refused. */
export const toolPolicySchema = z.strictObject({
  version: z.literal(1).describe('Version of this document format.'),
  mode: z
    .enum(['enforce', 'observe'])
    .default('enforce')
    .describe('`observe` lets every call pass and reports what would have been denied or asked.'),
  defaultEffect: effect.default('allow').describe('Effect for a call that no rule matches.'),
  servers: z.array(server).max(serversMax).default([]).describe('Servers that rules can refer to.'),
  unknownServer: z
    .enum(['judge', 'ask', 'deny'])
    .default('judge')
    .describe(
      'Calls to servers that are not listed. `judge`: the rules apply, with the server ID `unknown`. `ask`, `deny`: the effect is at least this.'
    ),
  rules: z
    .array(rule)
    .max(rulesMax)
    .default([])
    .describe('Rules. Their order and how specific they are do not matter.'),
  limits: z
    .strictObject({
      argumentBytesMax: z.int().min(1).max(1_073_741_824).optional().describe('Largest arguments of a call, in bytes.'),
      resultBytesMax: z.int().min(1).max(1_073_741_824).optional().describe('Largest result of a call, in bytes.'),
      callsPerMinuteMax: z.int().min(1).max(1_000_000).optional().describe('Most calls per minute to one server.'),
      toolCallsPerMinuteMax: z.int().min(1).max(1_000_000).optional().describe('Most calls per minute to one tool.')
    })
    .prefault({})
    .describe('Limits of tool calls.'),
  pins: z
    .strictObject({
      mode: z
        .enum(['off', 'first-use', 'strict'])
        .default('off')
        .describe(
          '`first-use` trusts a definition when it is first seen; `strict` trusts only those listed in `tools`.'
        ),
      onChange: effect
        .default('deny')
        .describe(
          'Minimum effect for calls to a tool whose definition changed or, with `strict`, is not listed. `allow` reports the change and trusts it.'
        ),
      onNew: effect
        .default('allow')
        .describe('With `first-use`: minimum effect for calls to a tool that was not in the first list.'),
      tools: z.array(pin).max(listedMax).default([]).describe('Trusted definitions.')
    })
    .prefault({})
    .describe('Pinned digests of tool definitions: reveal a server that changes how it describes a tool.'),
  scan: z
    .strictObject({
      arguments: z
        .boolean()
        .default(true)
        .describe(
          'Whether the redaction profile applies to arguments of tools and prompts, to what is typed for a completion, and to what a model answers to a server.'
        ),
      results: z
        .boolean()
        .default(true)
        .describe('Whether the redaction profile applies to results and to everything else that a server sends.')
    })
    .prefault({})
    .describe('Which parts of a tool call are scanned.'),
  listing: z
    .enum(['filter', 'all'])
    .default('filter')
    .describe(
      '`filter` hides tools that are denied whatever their arguments from the list that the agent sees; `all` shows every tool.'
    ),
  refusal: z
    .strictObject({
      message: z.string().min(1).max(500).optional().describe('A sentence added to every refusal, such as whom to ask.')
    })
    .prefault({})
    .describe('What an agent reads when a call is refused.'),
  stale: z
    .strictObject({
      afterSeconds: z
        .int()
        .min(60)
        .max(31_536_000)
        .default(86_400)
        .describe('Age in seconds from which a policy that could not be renewed counts as stale.'),
      effect: z
        .enum(['keep', 'ask', 'deny'])
        .default('keep')
        .describe('`keep` goes on with the last policy. `ask`, `deny`: the effect is at least this.')
    })
    .prefault({})
    .describe('What a sensor does when it cannot reach the service.')
})

export type ToolPolicy = z.output<typeof toolPolicySchema>
export type ToolRule = ToolPolicy['rules'][number]
export type ToolServer = ToolPolicy['servers'][number]

/** The tool policy of a new workspace: everything is allowed and reported. */
export const standardToolPolicy: ToolPolicy = toolPolicySchema.parse({ version: 1 })
