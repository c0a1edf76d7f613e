/** The page of documentation that says what becomes of a text at each field of the vendors' APIs. */
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

Every place at which the published types of the vendors' SDKs let a text stand in a request, betas among them. A secret of high
risk blocks the request at each of them (or is masked where blocking is off). **Masked**: everything that the profile masks is
masked. **Watched**: a find of medium risk passes and is counted; the \`scopes\` of a profile can mask there too
([policy.md](policy.md)). A field that no type names is watched at the top of a body, and is text of its surroundings further in.

The list is written from the types, and tests send a secret and an address at each place, in several spellings of JSON, through
the service: \`npm run vendor-fields\`. A field that is new in an SDK fails them until it is judged.

Behind a name stands what its value is left alone or read as, where it looks like it; anything else there is ordinary text:

- *id*: an id or a name given out by the vendor or defined elsewhere in the request. It stays.
- *sealed*: encrypted, a signature, or a token to be sent back. It stays.
- *signed*: the signature beside it covers it. With one it stays.
- *media*: pictures and sound stay; base64 of a text is decoded, masked and encoded again.
- *link*: a link is text; a data URI is read as media.
- *file*: as media, of any type.
- *JSON*: the strings inside are masked one by one.

\`*\` is a name of the client's own. Words that the vendor lists (\`type\`, \`role\`, \`effort\`) are left out; they always pass.

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
    // The compiler does not say in which order it gives the variants of a union.
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
