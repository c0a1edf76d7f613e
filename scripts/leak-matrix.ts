/**
 * `node scripts/leak-matrix.ts`: plants values of every group of kinds at every place of every route, streamed or not,
 * compressed or not, with restore off and on, and counts what arrived upstream and which placeholders reached the
 * client. Ends with status 1 if either count is not zero. `--short` skips three of the encodings.
 */
import { parseArgs } from 'node:util'
import { printTable } from '../bench/one-core.ts'
import { planted, runMatrix, type Row } from './leak-matrix/run-matrix.ts'

const { values: options } = parseArgs({ options: { short: { type: 'boolean', default: false } } })

const rows = await runMatrix(options)
const columns = ['requests', 'failed', 'planted', 'leaked', 'restorable', 'restored', 'placeholdersLeft'] as const
type Counts = Pick<Row, (typeof columns)[number]>
const cells = (counts: Counts): string[] => columns.map((column) => String(counts[column]))
const sum = Object.fromEntries(
  columns.map((column) => [column, rows.reduce((total, row) => total + row[column], 0)])
) as unknown as Counts

console.log(`${planted.length} values: ${planted.map(({ kind, tier }) => `${kind} (${tier})`).join(', ')}\n`)
printTable([
  ['route, place', 'requests', 'failed', 'planted', 'arrived', 'restorable', 'restored', 'placeholders left'],
  ...rows.map((row) => [`${row.route}, ${row.place}`, ...cells(row)]),
  ['all', ...cells(sum)]
])
const faults = new Set(rows.flatMap((row) => [...row.faults]))
if (faults.size > 0) console.log(`Not as it should be: ${[...faults].join(', ')}`)
console.log(
  `Planted values that arrived upstream: ${sum.leaked}. Placeholders that reached the client: ${sum.placeholdersLeft}.`
)
process.exitCode = sum.leaked + sum.placeholdersLeft + sum.failed === 0 && sum.restored === sum.restorable ? 0 : 1
