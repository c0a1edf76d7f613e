/** The page that says how much is found: the figures of the accuracy bench, which are the same in every run. */
import { readFamilies } from '../bench/accuracy/frames.ts'
import { measureFamilies, variantsOfFrame, type FamilyAccuracy } from '../bench/accuracy/measure.ts'
import { row } from './markdown.ts'

/** What `bench:accuracy` printed as masked whole when the families in `-b` came, before anything was mended for them. */
const firstSeen =
  'messages 41 %, outputs of tools 71 %, code 77 %, configuration 83 %, command lines 86 %, personal data 92 %'

/** The same for the families in `-c`, which came when the detectors had been mended for those in `-b`. */
const firstSeenLater =
  'messages 65 %, outputs of tools 86 %, code 88 %, personal data 89 %, configuration 93 %, command lines 95 %'

/** The same for the families in `-d`, on which no detector is mended: the table is to keep saying what new texts are like. */
const firstSeenUnmended =
  'messages 61 %, code 73 %, outputs of tools 92 %, command lines 92 %, personal data 93 %, configuration 95 %'

/** The same for the families in `-e`, which came when the detectors had been mended for all but those in `-d`. */
const firstSeenFifth =
  'messages 60 %, code 83 %, outputs of tools 91 %, configuration 96 %, personal data 97 %, command lines 98 %'

/** The same for the families in `-f`, which came when the detectors had been mended for those in `-e` too. */
const firstSeenLast =
  'code 61 %, messages 68 %, outputs of tools 82 %, configuration 85 %, command lines 95 %, personal data 97 %'

export const accuracyPagePath = 'docs/accuracy.md'

export function accuracyPage(): string {
  const families = measureFamilies(readFamilies())
  const planted = families.filter(({ values }) => values > 0)
  const quiet = families.filter(({ values }) => values === 0)
  const frames = planted.reduce((sum, family) => sum + family.frames, 0)
  return `# How much is found

${frames} frames, as people and tools write them, are each filled with ${variantsOfFrame} made-up values: passwords as people choose them
and as managers make them, keys of services that no rule knows, tokens, numbers of persons with their check digits. What the
standard profile masks or blocks of them:

${row(['Family', 'Frames', 'Values', 'Masked whole', 'In part', 'Not found', 'Masked elsewhere'])}
${row(['---', '--:', '--:', '--:', '--:', '--:', '--:'])}
${planted.map(familyRow).join('\n')}

The detectors were mended on these frames, but for the families that end in \`-d\`: expect of texts that nobody has
looked at yet what the table says of those. Families that end in \`-b\`
were written without a look at the detectors; when they were new, this much of them was found:
${firstSeen}.
Those in \`-c\` were written in the same way when the detectors had been mended for \`-b\`; their first figures:
${firstSeenLater}.
Of the 1,784 quiet texts of that set 16, of two frames, had something masked.
Those in \`-d\` were written in the same way when the detectors had been mended for \`-c\`, and nothing is mended on
them. Their first figures: ${firstSeenUnmended}.
Of the 720 quiet texts of that set none had anything masked.
Those in \`-e\` were written in the same way when the detectors had been mended for all but \`-d\`; their first figures:
${firstSeenFifth}.
Of the 1,200 quiet texts of that set 8, of one frame, had something masked.
Those in \`-f\`, in other languages and programs than any before, were written in the same way when the detectors had
been mended for \`-e\` too; their first figures: ${firstSeenLast}.
Of the 1,208 quiet texts of that set 8, of one frame, had something masked.

Keys in a format of their own are not in the table: [detectors.md](detectors.md) lists them, each with its proof. A value
that was found once is found again wherever it stands later in the same request, also where nothing announces it.

Of ${sum(quiet, 'frames')} frames with nothing secret in them (references, samples, hashes, ids, interface text), filled as often,
${sum(quiet, 'elsewhere')} places are masked in ${sum(quiet, 'frames') * variantsOfFrame} texts.

\`npm run bench:accuracy\` prints the same table; \`-- --misses\` and \`-- --alarms\` show what is behind it, and
\`-- --seed 2\` asks with other values. The frames are files in \`bench/accuracy/frames\`: one more needs no line of code.
For your own texts, [\`sluice scan --jsonl\`](scan.md#as-a-filter) answers line by line.

## What is not found

Frames of which no value was found. Where one of these is how your people write, say it with a
[pattern of your own](policy-guide.md).

${planted.map(lostFrames).filter(Boolean).join('\n\n')}
`
}

function sum(families: readonly FamilyAccuracy[], field: 'frames' | 'elsewhere'): number {
  return families.reduce((total, family) => total + family[field], 0)
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`

function familyRow({ name, frames, values, whole, part, lost, elsewhere }: FamilyAccuracy): string {
  const shares = [whole, part, lost].map((count) => percent(count, values))
  return row([name, String(frames), String(values), ...shares, String(elsewhere)])
}

/** The lines with slots of the frames that nothing was found in. */
function lostFrames({ name, weak }: FamilyAccuracy): string {
  const lines = weak
    .filter(({ missed, of }) => missed === of)
    .flatMap(({ frame }) => frame.split('\n').filter((line) => line.includes('⟪')))
  return lines.length === 0
    ? ''
    : `### ${name}\n\n\`\`\`\`text\n${lines.map((line) => line.trim()).join('\n')}\n\`\`\`\``
}
