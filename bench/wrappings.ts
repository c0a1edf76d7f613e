/**
 * `node bench/wrappings.ts` puts the secrets of the detectors' own hits into the ways of writing that occur in
 * practice, and counts how many are masked whole, in part, and not at all. In part is the worst: the text looks safe.
 * - `--parts`, `--missed` show the texts behind the figures, with what is masked in brackets.
 * - `--only NAME` runs only wrappings whose name contains it.
 * - `--kinds` counts by kind.
 */
import { parseArgs } from 'node:util'
import { printTable } from './one-core.ts'
import { measure, samplesOf, wrappings, type Cell } from './wrappings/measure.ts'

const { values: options } = parseArgs({
  options: {
    parts: { type: 'boolean', default: false },
    missed: { type: 'boolean', default: false },
    kinds: { type: 'boolean', default: false },
    only: { type: 'string', default: '' }
  }
})

interface Counts {
  whole: number
  part: number
  missed: number
}

const chosen = Object.fromEntries(Object.entries(wrappings).filter(([name]) => name.includes(options.only)))
const samples = samplesOf()
const counts = new Map<string, Counts>()
const all: Counts = { whole: 0, part: 0, missed: 0 }
for (const cell of measure(samples, chosen)) {
  const name = options.kinds ? cell.kind : cell.wrapping
  const own = counts.get(name) ?? { whole: 0, part: 0, missed: 0 }
  counts.set(name, own)
  own[cell.outcome]++
  all[cell.outcome]++
  if ((cell.outcome === 'part' && options.parts) || (cell.outcome === 'missed' && options.missed)) show(cell)
}
const row = (name: string, { whole, part, missed }: Counts): string[] => [name, whole, part, missed].map(String)
printTable([
  [options.kinds ? 'kind' : 'wrapping', 'whole', 'in part', 'missed'],
  ...[...counts].map(([name, own]) => row(name, own)),
  row('all', all)
])

function show({ wrapping, kind, outcome, text, spans }: Cell): void {
  let out = ''
  let at = 0
  for (const { start, end, kind: found } of spans) {
    out += `${text.slice(at, start)}⟦${text.slice(start, end)}⟧${found === kind ? '' : `(${found})`}`
    at = end
  }
  console.log(`${outcome} | ${wrapping} | ${kind} | ${JSON.stringify(out + text.slice(at))}`)
}
