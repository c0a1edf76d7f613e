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

/** The same for the families in `-g`, which came when the detectors had been mended for those in `-f` too. */
const firstSeenSeventh =
  'messages 84 %, outputs of tools 89 %, code 93 %, configuration 93 %, command lines 95 %, personal data 95 %'

/** The same for the families in `-h`, which came when the detectors had been mended for those in `-g` too. */
const firstSeenEighth =
  'messages 72 %, code 86 %, command lines 92 %, outputs of tools 93 %, configuration 93 %, personal data 99 %'

/** The same for the families in `-i`, which came when the detectors had been mended for those in `-h` too. */
const firstSeenNinth =
  'messages 68 %, configuration 81 %, code 84 %, command lines 89 %, outputs of tools 91 %, personal data 96 %'

export const accuracyPagePath = 'docs/accuracy.md'

export function accuracyPage(): string {
  const families = measureFamilies(readFamilies())
  const planted = families.filter(({ values }) => values > 0)
  const quiet = families.filter(({ values }) => values === 0)
  const frames = planted.reduce((sum, family) => sum + family.frames, 0)
  return `# How much is found

This page measures recall and false positives of the detectors on texts that contain passwords, unknown keys, tokens and personal numbers.
Each of ${frames} text templates (*frames*), as people and tools write them, is filled with ${variantsOfFrame} made-up values: passwords as people choose
them and as password managers generate them, keys of services that no rule knows, tokens, personal numbers with valid check digits. Of
these values, the standard profile masks or blocks:

${row(['Family', 'Frames', 'Values', 'Masked whole', 'In part', 'Not found', 'Masked elsewhere'])}
${row(['---', '--:', '--:', '--:', '--:', '--:', '--:'])}
${planted.map(familyRow).join('\n')}

**How to read the table.** The detectors were improved on these frames, except on the families that end in \`-d\`. For texts like your own,
which nobody has tuned the detectors for, expect the figures of the \`-d\` families.

Eight sets of frames were written without looking at the detectors. This much of each was masked whole when the set was new, before any
detector was improved for it:

- \`-b\`: ${firstSeen}.
- \`-c\`, written after the detectors were improved for \`-b\`: ${firstSeenLater}. Of the 1,784 texts of that set
  without a secret, 16 (from two frames) had something masked.
- \`-d\`, written after the detectors were improved for \`-c\`, and never used to improve them: ${firstSeenUnmended}. Of the 720 texts of that
  set without a secret, none had anything masked.
- \`-e\`, written after the detectors were improved for all but \`-d\`: ${firstSeenFifth}. Of the 1,200 texts of that set without a secret,
  8 (from one frame) had something masked.
- \`-f\`, in other languages and for other programs than any before, written after the detectors were improved for \`-e\` too:
  ${firstSeenLast}. Of the 1,208 texts of that set without a secret, 8 (from one frame) had something masked.
- \`-g\`, written after the detectors were improved for \`-f\` too: ${firstSeenSeventh}.
- \`-h\`, in the words and formats of 2026 (sessions of coding agents, fallbacks in code, lists of bytes, passwords named in other
  languages), written after the detectors were improved for \`-g\` too: ${firstSeenEighth}. Of the 1,120 texts of that set without a secret,
  8 (from one frame) had something masked.
- \`-i\`, in people's own words in many languages, in tests, fixtures and calls of clients, and in instruction files of agents, written
  after the detectors were improved for \`-h\` too: ${firstSeenNinth}. Of the 1,184 texts of that set without a secret,
  8 (from one frame) had something masked.

**False positives.** ${sum(quiet, 'frames')} frames contain nothing secret (references, samples, hashes, IDs, interface text). Filled as often,
they make ${sum(quiet, 'frames') * variantsOfFrame} texts, in which ${sum(quiet, 'elsewhere')} places are masked.

Keys with a recognisable format are not in the table: [detectors.md](detectors.md) lists them, each with its proof. Once a value is found,
it is also found wherever it occurs later in the same request, even without context.

To reproduce the table, run \`npm run bench:accuracy\`; \`-- --misses\` and \`-- --alarms\` show the details, and \`-- --seed 2\` uses other values.
The frames are files in \`bench/accuracy/frames\`; adding one needs no code. To measure your own texts, use
[\`sluice scan --jsonl\`](scan.md#as-a-filter).

## Wrapped, split and encoded secrets

A secret is masked to its end even if a line break, a quoted reply, a diff or line numbers cut it, if a program joins it from several
strings, or if it is escaped or encoded. \`npm run bench:wrappings\` writes the detectors' own examples in each of these ways and counts
how many are masked whole, in part and not at all. A part of a secret can stay readable:

- in a hex dump that does not begin at offset 0;
- if a key is printed in short pieces, one per line, below its name;
- if a short password, or a key of fixed length, is cut in two and neither half has 24 characters: then often neither half is found;
- if it is split over two content parts, messages or fields ([decision 147](decisions/0147-parts-of-a-message-are-read-one-by-one.md)).

## What is not found

These are the frames in which no value was found. If your people write like this, add a [custom pattern](policy-guide.md).

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
