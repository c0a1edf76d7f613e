/** The tool policy: which tools of which servers an agent may call, and with what. The document. */
import { z } from 'zod'
import { tiers } from '../../detection/findings.ts'
import { policyBounds } from '../bounds.ts'
import { globSchema } from '../glob.ts'
import { whenSchema } from './condition.ts'
import { utcTimeSchema } from '../utc-time.ts'

/** What a rule leads to, strictest first. */
export const effects = ['deny', 'ask', 'allow'] as const
export type Effect = (typeof effects)[number]

/** What a server says of a tool (MCP `ToolAnnotations`). Hints: nothing makes them true. */
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
      .describe('The name by which rules know the server.'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(listedUnitsMax)
      .optional()
      .describe('Its address. Query and final slash do not count.'),
    command: z
      .array(globSchema)
      .min(1)
      .max(globsMax)
      .optional()
      .describe('The command line that starts it, one glob a word; a last word `**` stands for any further ones.')
  })
  .refine((one) => (one.url === undefined) !== (one.command === undefined), 'must have either a `url` or a `command`')
  .describe('A server is known by its address or command, never by what it calls itself.')

const rule = z.strictObject({
  id: name.describe('Unique; decisions, events and differences name the rule by it.'),
  effect: effect.describe('What the rule leads to. Of all rules that match, `deny` wins over `ask` over `allow`.'),
  server: globs.default('*').describe('Servers by id; `unknown` is every server that is not listed.'),
  tool: globs.default('*').describe('Tools by name.'),
  except: z
    .array(
      z.strictObject({
        server: globs.default('*').describe('Servers by id.'),
        tool: globs.default('*').describe('Tools by name.')
      })
    )
    .max(globsMax)
    .default([])
    .describe('Tools that the rule leaves out.'),
  when: whenSchema.describe('Conditions on the arguments, all of which must hold.'),
  surface: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(globsMax)
    .optional()
    .describe(
      'Client surfaces. A surface that is not known matches a rule that denies or asks, never one that allows.'
    ),
  annotations: z
    .strictObject({
      readOnlyHint: z.boolean().optional().describe('The tool changes nothing.'),
      destructiveHint: z.boolean().optional().describe('The tool may delete or overwrite.'),
      idempotentHint: z.boolean().optional().describe('Calling it twice does what calling it once does.'),
      openWorldHint: z.boolean().optional().describe('The tool reaches beyond its own system.')
    })
    .optional()
    .describe(
      'What the server says of the tool. A missing hint matches a rule that denies or asks, never one that allows.'
    ),
  reason: z.string().min(1).max(300).optional().describe('A sentence for the agent and for the audit.'),
  riskTier: z.enum(tiers).optional().describe('Tier that events of this rule carry.'),
  expiresAt: utcTimeSchema.optional().describe('When the rule ends, in UTC: `2027-01-31T00:00:00Z`.')
})

const pin = z.strictObject({
  server: name.describe('Id of the server.'),
  tool: z.string().min(1).max(200).describe('Name of the tool.'),
  description: sha256.optional().describe('SHA-256 of the description, its UTF-8 in NFC.'),
  inputSchema: sha256
    .optional()
    .describe('SHA-256 of the canonical JSON of the schema of the arguments, texts in NFC.'),
  outputSchema: sha256.optional().describe('SHA-256 of the canonical JSON of the schema of the result, texts in NFC.'),
  annotations: sha256.optional().describe('SHA-256 of the canonical JSON of the annotations, texts in NFC.')
})

/** The document as it is published and streamed. Unknown keys are refused. */
export const toolPolicySchema = z.strictObject({
  version: z.literal(1).describe('Version of this document format.'),
  mode: z
    .enum(['enforce', 'observe'])
    .default('enforce')
    .describe('`observe` reports what would have been denied or asked, and lets every call pass.'),
  defaultEffect: effect.default('allow').describe('What a call leads to that no rule matches.'),
  servers: z.array(server).max(serversMax).default([]).describe('Servers that rules can name.'),
  unknownServer: z
    .enum(['judge', 'ask', 'deny'])
    .default('judge')
    .describe(
      'Calls to servers that are not listed: judged by the rules as server `unknown`, or at least asked or denied.'
    ),
  rules: z.array(rule).max(rulesMax).default([]).describe('Order and specificity do not matter.'),
  limits: z
    .strictObject({
      argumentBytesMax: z.int().min(1).max(1_073_741_824).optional().describe('Largest arguments of a call, in bytes.'),
      resultBytesMax: z.int().min(1).max(1_073_741_824).optional().describe('Largest result of a call, in bytes.'),
      callsPerMinuteMax: z.int().min(1).max(1_000_000).optional().describe('Most calls a minute to one server.'),
      toolCallsPerMinuteMax: z.int().min(1).max(1_000_000).optional().describe('Most calls a minute of one tool.')
    })
    .prefault({})
    .describe('Bounds of tool calls.'),
  pins: z
    .strictObject({
      mode: z
        .enum(['off', 'first-use', 'strict'])
        .default('off')
        .describe('`first-use` trusts a definition when it is first seen; `strict` trusts those of `tools` alone.'),
      onChange: effect
        .default('deny')
        .describe(
          'What a call to a tool leads to at least whose definition changed, or with `strict` is not listed. `allow` reports the change and trusts it.'
        ),
      onNew: effect
        .default('allow')
        .describe('With `first-use`: what a call to a tool leads to at least that came after the first list.'),
      tools: z.array(pin).max(listedMax).default([]).describe('Definitions that are trusted.')
    })
    .prefault({})
    .describe('Digests of tool definitions: a server that changes what a tool says of itself is noticed.'),
  scan: z
    .strictObject({
      arguments: z.boolean().default(true).describe('Whether arguments are masked by the redaction profile.'),
      results: z.boolean().default(true).describe('Whether results are masked by the redaction profile.')
    })
    .prefault({})
    .describe('What of a tool call is scanned.'),
  listing: z
    .enum(['filter', 'all'])
    .default('filter')
    .describe('Whether tools that are denied whatever their arguments are left out of the list that the agent sees.'),
  refusal: z
    .strictObject({
      message: z.string().min(1).max(500).optional().describe('A sentence that is added to every refusal: whom to ask.')
    })
    .prefault({})
    .describe('What an agent reads that was refused.'),
  stale: z
    .strictObject({
      afterSeconds: z
        .int()
        .min(60)
        .max(31_536_000)
        .default(86_400)
        .describe('Age of a policy that could not be renewed.'),
      effect: z
        .enum(['keep', 'ask', 'deny'])
        .default('keep')
        .describe('What then holds: the last policy, or at least this.')
    })
    .prefault({})
    .describe('What a sensor does that has lost the service.')
})

export type ToolPolicy = z.output<typeof toolPolicySchema>
export type ToolRule = ToolPolicy['rules'][number]
export type ToolServer = ToolPolicy['servers'][number]

/** The tool policy that a fresh workspace starts with: everything is allowed and reported. */
export const standardToolPolicy: ToolPolicy = toolPolicySchema.parse({ version: 1 })
