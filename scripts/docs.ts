/** Writes the generated pages of the documentation from the tables in the sources. A test compares the two. */
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

Everything is set by environment variables. An empty text counts as unset. A secret can be given itself or, as
\`<NAME>_FILE\`, by the path of a file that holds it; white space around it is ignored. The service reports every fault
at once, by name and rule, and does not start with any. Names that look like a misspelt variable are warned about.

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

The service's own endpoints answer \`application/problem+json\` (RFC 9457) with \`code\`, \`requestId\`, \`retryable\` and,
where single places are wrong, \`errors\` with a JSON pointer each. Ingress routes answer in the form of their vendor, so
that its SDKs raise their own errors: the code stands in \`error.code\` (chat-completions) or in
\`error.details.error_code\` (messages). A message names kinds and places and never a value. Where the same request would
be refused again, the answer carries \`x-should-retry: false\`.

${row(['Status', 'Code', 'Message', 'Try again', 'What to do'])}
${row(['---', '---', '---', '---', '---'])}
${rows.join('\n')}
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, content] of renderPages()) writeFileSync(join(root, path), content)
}
