/**
 * `node bench/accuracy.ts` measures, for values in the frames that people and tools write around them, how many are
 * masked whole, in part, and not at all; and what is masked in texts without a secret. The values are generated from a
 * seed.
 * - `--seed N` generates other values.
 * - `--misses` shows the frames in which values are lost.
 * - `--alarms` shows what was masked by mistake.
 */
import { parseArgs } from 'node:util'
import { readFamilies } from './accuracy/frames.ts'
import { measureFamilies } from './accuracy/measure.ts'
import { printTable } from './one-core.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    misses: { type: 'boolean', default: false },
    alarms: { type: 'boolean', default: false }
  }
})

const measured = measureFamilies(readFamilies(), Number(options.seed))
const percent = (part: number, all: number): string => (all === 0 ? '' : `${((100 * part) / all).toFixed(1)} %`)
printTable([
  ['family', 'frames', 'values', 'whole', 'in part', 'lost', 'masked elsewhere'],
  ...measured.map(({ name, frames, values, whole, part, lost, elsewhere }) => [
    name,
    String(frames),
    String(values),
    percent(whole, values),
    percent(part, values),
    percent(lost, values),
    String(elsewhere)
  ])
])
for (const { name, weak, alarms } of measured) {
  if (options.misses)
    for (const { frame, missed, of } of weak)
      console.log(`\n${name}: ${missed} of ${of}\n  ${frame.replaceAll('\n', '\n  ')}`)
  if (options.alarms)
    for (const { text, kind } of alarms) console.log(`\n${name}: ${kind}\n  ${text.replaceAll('\n', '\n  ')}`)
}
