/** The index of the decisions by topic: what each says in one sentence, and whether a later one has changed it. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { topics, type Topic } from './decision-topics.ts'
import { row } from './markdown.ts'
import { root } from './run.ts'

/** A record: its file's name and its text. */
interface DecisionRecord {
  readonly file: string
  readonly text: string
}

export const decisionsPagePath = 'docs/decisions/README.md'

/** What records call things, where the field has no word for it or uses it otherwise. */
const terms: readonly (readonly [term: string, meaning: string])[] = [
  [
    'kind, tier, confidence',
    'What a detector finds, how bad its leak would be (`high`, `medium`, `low`, `none`), and how sure one finding is (`certain`, `strong`, `medium`, `weak`). See [detectors.md](../detectors.md).'
  ],
  [
    'anchor, matcher, guard',
    'What makes the scanner look at a place (a literal, a run of digits, a symbol); the code that reads around an anchor and decides; a cheap check of the neighbours of an anchor that comes before its matcher.'
  ],
  [
    'rarity',
    'How unlike ordinary text a value is, in bits per character, by a model of character trigrams. Records use it where others use entropy.'
  ],
  ['code unit', 'A UTF-16 code unit, in which texts are measured.'],
  ['frame', 'The text that a person or a tool writes around a value.'],
  ['scope', 'What a finding may do at a place of a request: masked, watched or sealed ([2](0002-scopes.md)).'],
  [
    'newest user text',
    'What a person has just written, as opposed to history, tool results and documents ([12](0012-newest-user-text.md)).'
  ],
  ['placeholder, restore', 'What stands in place of a masked value; putting the value back into the answer.'],
  [
    'profile, tool policy, revision',
    'The two documents of a policy, for texts and for calls of tools, and one publication of both.'
  ],
  [
    'sensor',
    'What enforces policy away from the service and sends it events: the sidecar, the MCP proxy, programs that use the SDK.'
  ],
  ['spool', 'The queue of events that a sensor keeps on its disk.'],
  ['gate', 'The part of the MCP proxy that judges messages.'],
  [
    'root',
    'The signature over the newest rows of all audit chains of a workspace ([40](0040-audit-chains-and-roots.md)).'
  ],
  [
    'load, alternating',
    'How figures were measured: the load average of a shared machine meanwhile; old and new state in turn, on the same machine.'
  ]
]

/** All records, in the order of their numbers. */
export function readDecisions(): readonly DecisionRecord[] {
  const folder = join(root, 'docs/decisions')
  return readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .sort()
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
}

/** The index as a page; a record that is not written as the others are is named in an error. */
export function decisionsPage(records: readonly DecisionRecord[], byTopic: readonly Topic[] = topics): string {
  const files = new Set(records.map(({ file }) => file))
  const rows = new Map<number, string>()
  for (const record of records) {
    const { number, title, sentence, state } = partsOf(record)
    if (rows.has(number)) throw new Error(`${record.file}: another record has its number`)
    for (const [, named = ''] of state.matchAll(/\]\(([^)]*)\)/g)) {
      if (!files.has(named)) throw new Error(`${record.file}: its state names a record that is not there`)
    }
    rows.set(number, row([String(number), `[${title}](${record.file})`, sentence, state]))
  }
  const sections = sectionsOf([...rows.keys()], byTopic)
  return `# Decisions

Design decisions that the code does not explain by itself, and why they were made. A record whose decision has changed since
says so below its title, in a line that begins with \`**State.**\`, which stands in the last column here; all others are in
force. Numbers are assigned in advance, so there are gaps.

Most records have the same parts, each only where there is something to say: the title states the decision, then come **Question**,
**Decision**, **Why**, **Measured**, **Cost**, **Limits** (what it does not cover) and **Rejected** (what was tried or weighed
instead). The first sentence of the decision stands in the table below.

## Terms

${row(['Term', 'Meaning'])}
${row(['---', '---'])}
${terms.map((term) => row([...term])).join('\n')}

## Records by topic

${sections.map(({ title, folders }) => `- [${title}](#${anchorOf(title)})${folders === '' ? '' : `: ${folders}`}`).join('\n')}

${sections.map(({ title, numbers }) => [`### ${title}`, '', ...tableHead, ...numbers.map((number) => rows.get(number))].join('\n')).join('\n\n')}
`
}

const tableHead = [row(['No.', 'Decision', 'In a sentence', 'Changed since']), row(['---', '---', '---', '---'])]

/** The topics with the numbers of records that exist, and what is in none of them. */
function sectionsOf(numbers: readonly number[], byTopic: readonly Topic[]): readonly Topic[] {
  const left = new Set(numbers)
  const sections = byTopic.map((topic) => ({
    ...topic,
    numbers: topic.numbers.filter((number) => left.delete(number))
  }))
  const others = { title: 'Others', folders: '', numbers: [...left] }
  return [...sections, others].filter((section) => section.numbers.length > 0)
}

/** The anchor that is given to a heading where the page is shown. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')

function partsOf({ file, text }: DecisionRecord) {
  const head = /^# (\d+)\. (.+)\n\n/.exec(text)
  if (head === null || Number(file.slice(0, 4)) !== Number(head[1])) {
    throw new Error(`${file}: must begin with "# ", the number of its file, ". " and a title`)
  }
  // The first paragraph of the decision, or the first point of its list, up to the end of its first sentence.
  const paragraph = /\*\*Decision\.\*\*\s+(?:- )?([\s\S]*?)(?:\n\n|\n- |\n?$)/
    .exec(text)?.[1]
    ?.replaceAll(/\s*\n\s*/g, ' ')
  if (!paragraph) throw new Error(`${file}: must hold a paragraph that begins with "**Decision.**"`)
  // A period inside a code span ends no sentence.
  const prose = paragraph.replaceAll(/`[^`]*`/g, (code) => `\`${'_'.repeat(code.length - 2)}\``)
  const sentence = paragraph.slice(0, /^.+?[.:?](?=\s+["'(*[`A-Z\d]|$)/.exec(prose)?.[0].length)
  const state = /^\*\*State\.\*\* (.+)\n/.exec(text.slice(head[0].length))?.[1] ?? ''
  return { number: Number(head[1]), title: head[2] ?? '', sentence: sentence.replace(/:$/, '.'), state }
}
