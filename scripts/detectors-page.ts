/** The page of documentation that lists what Sluice finds. */
import { builtInDetectors as detectors } from '../src/detection/detectors/index.ts'
import { groups, tiers, type Group } from '../src/detection/findings.ts'
import { documentationDomains } from '../src/detection/values/placeholders.ts'
import { row } from './markdown.ts'

const headings: Readonly<Record<Group, string>> = {
  secret: 'Secrets',
  national_id: 'National IDs',
  financial: 'Financial data',
  pii: 'Personal data',
  contact: 'Contact data',
  network: 'Network data'
}

/** The page without its notice. */
export function detectorsPage(): string {
  const counts = groups.map((group) => {
    const among = detectors.filter((detector) => detector.group === group)
    const byTier = tiersDown.map((tier) => String(among.filter((detector) => detector.tier === tier).length))
    return row([headings[group], `\`${group}\``, ...byTier, String(among.length)])
  })
  return `# What Sluice finds

Sluice detects ${detectors.length} kinds of secrets and personal data. Profiles, events and \`sluice scan\` use the IDs in the tables. A masked value begins
with the placeholder of its kind.

The **tier** says how bad a leak would be. The standard profile blocks a request for a \`high\` finding that is \`certain\` or \`strong\`, masks
every other \`high\` or \`medium\` finding, and allows \`low\` ones. It ignores \`weak\` findings. A single value can get a lower tier than its
kind, if it looks made up or no word around it supports it.

The **confidence** of a finding says how sure the detector is:

- \`certain\`: an embedded checksum or a structural decode matches.
- \`strong\`: a unique prefix with the exact length, or a checksum together with a context word.
- \`medium\`: a checksum over digits only, or a keyword with a plausible value.
- \`weak\`: shape only.

Some values look like a secret and are none. They are **never a finding**, so test with values of your own:

- samples that vendors and standards publish: the test card \`4111 1111 1111 1111\`, the access key of the AWS documentation, the
  token of jwt.io, the IBAN of the standard's example. Only the exact value counts;
- e-mail addresses at ${documentationDomains.map((domain) => `\`${domain}\``).join(', ')}, and addresses such as \`git@github.com\` that name no person;
- references and gaps to fill in: \`\${DB_PASSWORD}\`, \`process.env.TOKEN\`, \`<your key>\`, \`changeme\`;
- what is random but no secret: UUIDs, git hashes, integrity hashes of lock files, images in base64.

Two kinds are not in the tables. \`known_credential\` finds the credentials of the program that scans by their values. Of the service these
are the keys of its upstreams, the passwords of its database and its proxy, what it sends to collectors, its master key; of a sidecar and a
sensor of the SDK its token and the passwords of its proxy; of an MCP proxy also what its servers get in headers, addresses, arguments and
variables. None knows what only another's environment holds, and \`sluice policy test\` knows none. \`deny_word\` finds the words that your policy denies.

When you try a text in the dashboard or with \`sluice policy test\`, the result says which values are known samples.

${row(['Group', 'Id', ...tiersDown, 'Kinds'])}
${row(['---', '---', ...tiersDown.map(() => '--:'), '--:'])}
${counts.join('\n')}

${groups.map(section).join('\n\n')}
`
}

const tiersDown = tiers.toReversed()

function section(group: Group): string {
  const rows = detectors
    .filter((detector) => detector.group === group)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, title, tier, label, source }) =>
      row([`\`${id}\``, escaped(title), tier, `\`${label}\``, escaped(source)])
    )
  return [
    `## ${headings[group]}`,
    '',
    row(['ID', 'What it is', 'Tier', 'Placeholder', 'Source of the facts']),
    row(['---', '---', '---', '---', '---']),
    ...rows
  ].join('\n')
}

/** Text that stands as it is in a page. */
function escaped(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_')
}
