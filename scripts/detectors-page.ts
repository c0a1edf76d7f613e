/** The page of documentation that lists what Sluice finds. */
import type { Detector } from '../src/detection/detector.ts'
import { builtInDetectors } from '../src/detection/detectors/index.ts'
import { groups, tiers, type Group } from '../src/detection/findings.ts'
import { row } from './markdown.ts'

const headings: Readonly<Record<Group, string>> = {
  secret: 'Secrets',
  national_id: 'National ids',
  financial: 'Financial data',
  pii: 'Personal data',
  contact: 'Contact data',
  network: 'Network data'
}

/** The page without its notice. */
export function detectorsPage(detectors: readonly Detector[] = builtInDetectors): string {
  const counts = groups.map((group) => {
    const among = detectors.filter((detector) => detector.group === group)
    const byTier = tiersDown.map((tier) => String(among.filter((detector) => detector.tier === tier).length))
    return row([headings[group], `\`${group}\``, ...byTier, String(among.length)])
  })
  return `# What Sluice finds

${detectors.length} kinds. The tier says how bad a leak would be: the standard profile blocks a request for a \`high\` finding that is
\`certain\` or \`strong\`, masks every other \`high\` or \`medium\` one, and leaves \`low\` ones alone. A \`weak\` finding leads to
nothing. A kind can say less than its tier of a single value: one that reads as made up, or that no word around it
supports.

- \`certain\`: an embedded checksum or a structural decode agrees.
- \`strong\`: a unique prefix with the exact length, or a checksum together with a context word.
- \`medium\`: a checksum over digits alone, or a keyword with a likely value.
- \`weak\`: shape only.

The id is what profiles, events and \`sluice scan\` name. The placeholder is how a masked value begins.

${row(['Group', 'Id', ...tiersDown, 'Kinds'])}
${row(['---', '---', ...tiersDown.map(() => '--:'), '--:'])}
${counts.join('\n')}

${groups.map((group) => section(group, detectors)).join('\n\n')}
`
}

const tiersDown = tiers.toReversed()

function section(group: Group, detectors: readonly Detector[]): string {
  const rows = detectors
    .filter((detector) => detector.group === group)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, title, tier, label, source }) =>
      row([`\`${id}\``, escaped(title), tier, `\`${label}\``, escaped(source)])
    )
  return [
    `## ${headings[group]}`,
    '',
    row(['Id', 'What it is', 'Tier', 'Placeholder', 'Source of the facts']),
    row(['---', '---', '---', '---', '---']),
    ...rows
  ].join('\n')
}

/** Text that stands as it is in a page. */
function escaped(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_')
}
