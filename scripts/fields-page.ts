/** The documentation page that says how a text is treated in each field of the vendors' APIs. */
import { dialectNames, type DialectName } from '../src/dialects/dialect.ts'
import { row } from './markdown.ts'
import { bodyFields, type BodyField } from './vendor-fields/fields.ts'
import { fold } from './vendor-fields/fold.ts'
import { judge, type Held, type Judgement } from './vendor-fields/judgement.ts'

const headings: Readonly<Record<DialectName, string>> = {
  'chat-completions': '`/chat/completions`',
  responses: '`/responses` and `/responses/compact`',
  messages: '`/messages` and `/messages/count_tokens`',
  embeddings: '`/embeddings`'
}

const heldWords: Readonly<Record<Held, string>> = {
  id: 'id',
  seal: 'sealed',
  opaque: 'sealed',
  signed: 'signed',
  media: 'media',
  link: 'link',
  file: 'file',
  archive: 'file',
  json: 'JSON'
}

/** The page without its notice. */
export function fieldsPage(): string {
  return `# What becomes of each field

This page lists every field of a request that can hold text according to the published types of the vendors' SDKs, including betas, and
how Sluice treats it. A high-risk secret blocks the request in any of these fields (or is masked if blocking is off). For everything else:

- **Masked**: everything that the profile masks is masked.
- **Watched**: medium-risk findings are counted and forwarded. To mask them here too, set \`scopes\` in the profile
  ([policy.md](policy.md)).

A field in no type is watched at the top level of a body; deeper, it counts as part of the text around it.

The list is generated from the types. Tests send a secret and an e-mail address in each field, in several spellings of JSON, through the
service (\`npm run vendor-fields\`). If an SDK adds a field, they fail until somebody classifies it.

The word after a field says how a value of that form is treated; any other value in the field is ordinary text:

- *id*: an ID or name issued by the vendor or defined elsewhere in the request; left unchanged.
- *sealed*: encrypted, a signature, or a token to be sent back; left unchanged.
- *signed*: covered by the signature next to it; left unchanged if there is one.
- *media*: images and audio are left unchanged; base64-encoded text is decoded, masked and encoded again.
- *link*: a link is text; a data URI is treated as media.
- *file*: like media, of any type.
- *JSON*: the strings inside are masked one by one.

\`*\` is a name chosen by the client. Fields with a fixed vocabulary (\`type\`, \`role\`, \`effort\`) are not listed; they always pass.

${dialectNames.map(section).join('\n\n')}
`
}

interface Group extends Pick<Judgement, 'scope' | 'why'> {
  /** Fields by block. */
  readonly blocks: Map<string, Set<string>>
}

function section(dialect: DialectName): string {
  const groups = new Map<string, Group>()
  for (const field of bodyFields()) if (field.dialect === dialect && field.kind !== 'word') add(groups, field)
  const inOrder = [...groups.values()].toSorted((a, b) => (a.scope + a.why < b.scope + b.why ? -1 : 1))
  const parts = inOrder.map(({ scope, why, blocks }) => {
    // The compiler returns the variants of a union in no defined order.
    const rows = [...blocks]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([block, fields]) => row([block && `\`${block.replace('[][', '[')}\``, [...fields].toSorted().join(', ')]))
    const title = `**${scope === 'masked' ? 'Masked' : 'Watched'}**: ${why}.`
    return [title, '', row(['Block', 'Fields']), row(['---', '---']), ...rows].join('\n')
  })
  return [`## ${headings[dialect]}`, ...parts].join('\n\n')
}

function add(groups: Map<string, Group>, field: BodyField): void {
  const judgement = judge(field)
  if (judgement === undefined) throw new Error(`Nobody has judged ${field.dialect} ${field.path}.`)
  const { scope, why, held } = judgement
  const group = groups.get(scope + why) ?? { scope, why, blocks: new Map<string, Set<string>>() }
  groups.set(scope + why, group)
  const { block, field: name } = fold(field.path)
  const fields = group.blocks.get(block) ?? new Set()
  group.blocks.set(block, fields.add(`\`${name}\`${held === undefined ? '' : ` (*${heldWords[held]}*)`}`))
}
