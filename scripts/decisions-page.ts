/** The index of the decisions: what each says in one sentence, and whether a later one has changed it. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { row } from './markdown.ts'
import { root } from './run.ts'

/** A record: its file's name and its text. */
export interface DecisionRecord {
  readonly file: string
  readonly text: string
}

export const decisionsPagePath = 'docs/decisions/README.md'

/** All records, in the order of their numbers. */
export function readDecisions(): readonly DecisionRecord[] {
  const folder = join(root, 'docs/decisions')
  return readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .sort()
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
}

/** The index as a page; a record that is not written as the others are is named in an error. */
export function decisionsPage(records: readonly DecisionRecord[]): string {
  const files = new Set(records.map(({ file }) => file))
  const numbers = new Set<number>()
  const rows = records.map((record) => {
    const { number, title, sentence, state } = partsOf(record)
    if (numbers.has(number)) throw new Error(`${record.file}: another record has its number`)
    numbers.add(number)
    for (const [, named = ''] of state.matchAll(/\]\(([^)]*)\)/g)) {
      if (!files.has(named)) throw new Error(`${record.file}: its state names a record that is not there`)
    }
    return row([String(number), `[${title}](${record.file})`, sentence, state])
  })
  return `# Decisions

What was decided where it was not obvious, and why. A record that no longer holds as it stands says so below its title, in
a line that begins with \`**State.**\`; the others are in force. Numbers are given ahead, and some were not used.

${row(['No.', 'Decision', 'In a sentence', 'State'])}
${row(['---', '---', '---', '---'])}
${rows.join('\n')}
`
}

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
  // What stands in a span of code ends no sentence.
  const prose = paragraph.replaceAll(/`[^`]*`/g, (code) => `\`${'_'.repeat(code.length - 2)}\``)
  const sentence = paragraph.slice(0, /^.+?[.:?](?=\s+["'(*[`A-Z\d]|$)/.exec(prose)?.[0].length)
  const state = /^\*\*State\.\*\* (.+)\n/.exec(text.slice(head[0].length))?.[1] ?? 'in force'
  return { number: Number(head[1]), title: head[2] ?? '', sentence: sentence.replace(/:$/, '.'), state }
}
