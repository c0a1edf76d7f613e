/** Generates documentation pages from the tables in the sources. A test compares the two. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listVariables } from '../src/config/describe-variables.ts'
import { sections } from '../src/config/variables.ts'
import { errorCatalogue, errorMessage, type CatalogueEntry, type ErrorCode } from '../src/protocol/error-catalogue.ts'
import { accuracyPage, accuracyPagePath } from './accuracy-page.ts'
import { alertRulesFile, alertRulesPath } from './alert-rules.ts'
import { apiPage, apiPagePath } from './api-page.ts'
import { decisionsPage, decisionsPagePath, readDecisions } from './decisions-page.ts'
import { detectorsPage } from './detectors-page.ts'
import { eventsPage } from './events-page.ts'
import { fieldsPage } from './fields-page.ts'
import { row } from './markdown.ts'
import { policyPage } from './policy-page.ts'
import { metricsPage } from './metrics-page.ts'
import { openTelemetryPage } from './opentelemetry-page.ts'
import { root } from './run.ts'

const notice = '<!-- Written by `npm run docs` from the sources. Changes made here are lost. -->'

/** The generated pages: path from the root, and content. */
export function renderPages(): ReadonlyMap<string, string> {
  return new Map([
    [
      alertRulesPath,
      `# Written by \`npm run docs\` from the sources. Changes made here are lost.\n${alertRulesFile()}`
    ],
    [accuracyPagePath, `${notice}\n\n${accuracyPage()}`],
    [apiPagePath, apiPage()],
    ['docs/configuration.md', configurationPage()],
    [decisionsPagePath, `${notice}\n\n${decisionsPage(readDecisions())}`],
    ['docs/detectors.md', `${notice}\n\n${detectorsPage()}`],
    ['docs/errors.md', errorsPage()],
    ['docs/policy.md', `${notice}\n\n${policyPage()}`],
    ['docs/fields.md', `${notice}\n\n${fieldsPage()}`],
    ['docs/events.md', `${notice}\n\n${eventsPage()}`],
    ['docs/metrics.md', `${notice}\n\n${metricsPage()}`],
    ['docs/opentelemetry.md', `${notice}\n\n${openTelemetryPage()}`]
  ])
}

function configurationPage(): string {
  const described = listVariables()
  const tables = sections.map((section) => {
    const rows = described
      .filter((variable) => variable.section === section)
      .map(({ name, takes, default: value, description, fileForm }) =>
        row([
          `\`${name}\`${fileForm ? ` or \`${fileForm}\`` : ''}`,
          takes,
          value === '' ? '' : `\`${value}\``,
          description
        ])
      )
    return [
      `## ${section}`,
      '',
      row(['Variable', 'Takes', 'Default', 'Meaning']),
      row(['---', '---', '---', '---']),
      ...rows
    ].join('\n')
  })
  return `${notice}

# Configuration

All settings of the service are environment variables. This page lists them; \`npx sluice serve --help\` prints the same list. The
[sidecar](sidecar.md) and the [MCP proxy](mcp-proxy.md) have variables of their own.

To start, set \`UPSTREAM_CHAT_API_KEY\`, \`UPSTREAM_MESSAGES_API_KEY\` or both. Everything else has a default.

- An empty value counts as unset.
- Give a secret directly, or set \`<NAME>_FILE\` to the path of a file that contains it. White space around it is ignored.
- If a setting is invalid, the service does not start. It reports all faults at once, each by name and rule.
- It warns about names that look like a misspelt variable.
- Numbers are decimal digits without a unit; times are in milliseconds. A switch is \`true\` or \`false\`. Lists are comma-separated.
- Values are used literally: do not put quotes around them, or write \`~\` for a home directory, which only shells expand.

${tables.join('\n\n')}
`
}

function errorsPage(): string {
  const rows = Object.entries<CatalogueEntry>(errorCatalogue).map(([code, entry]) =>
    row([
      String(entry.status),
      `\`${code}\``,
      errorMessage(code as ErrorCode),
      entry.retryable ? `yes${entry.retryAfterS === undefined ? '' : `, after ${entry.retryAfterS} s`}` : 'no',
      entry.remedy
    ])
  )
  return `${notice}

# Errors

Every error that Sluice returns has a code. Look it up here to see what to do.

- **Ingress routes** answer in their vendor's error format, so that its SDKs raise their own errors. The code is in \`error.code\`
  (chat-completions) or \`error.details.error_code\` (messages).
- **All other endpoints** answer \`application/problem+json\` (RFC 9457) with \`code\`, \`requestId\`, \`retryable\` and, if individual
  fields are wrong, \`errors\` with a JSON pointer for each.
- A message names kinds and places, never a value.
- If retrying the same request is pointless, the answer carries \`x-should-retry: false\`.
- An error of the upstream passes as it is. If its text repeats the API key of the call, or cannot be read (compressed in an unknown way,
  or more than 256 KiB of it), a text of ours with the code \`upstream_failed\` takes its place; status, \`retry-after\` and the
  headers of limits remain the upstream's. A 401, and a 403 that repeats the key, are about the service's own key: they become
  \`upstream_credentials\`.

${row(['Status', 'Code', 'Message', 'Retry', 'What to do'])}
${row(['---', '---', '---', '---', '---'])}
${rows.join('\n')}
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, content] of renderPages()) writeFileSync(join(root, path), content)
}
