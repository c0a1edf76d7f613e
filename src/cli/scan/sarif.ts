/** SARIF 2.1.0, which code hosts and editors read. */
import { createHash } from 'node:crypto'
import { isAbsolute, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Kind, Tier } from '../../detection/findings.ts'
import { version } from '../../config/version.ts'
import type { Output } from './output.ts'
import type { LocatedFinding, Reporter, Summary } from './report.ts'

const levels: Readonly<Record<Tier, 'error' | 'warning' | 'note'>> = {
  high: 'error',
  medium: 'warning',
  low: 'note',
  none: 'note'
}
/** The severity scale of code hosts: 7.0 and more is high, 4.0 and more is medium. */
const severities: Readonly<Record<Tier, string>> = { high: '8.0', medium: '5.0', low: '2.0', none: '0.0' }

/** One run with all kinds as its rules. A result names kind and position and never holds the value or the line. */
export function sarifReporter(output: Output, kinds: ReadonlyMap<string, Kind>): Reporter {
  const ruleIndex = new Map([...kinds.keys()].map((id, index) => [id, index]))
  const fingerprint = createFingerprints()
  const driver = { name: 'Sluice', semanticVersion: version(), rules: [...kinds.values()].map(rule) }
  let opening =
    '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":' +
    `${JSON.stringify({ driver })},"columnKind":"utf16CodeUnits","results":[`
  let separator = ''
  return {
    async file(findings) {
      for (const finding of findings) {
        const result = resultOf(finding, ruleIndex.get(finding.kind) ?? -1, fingerprint(finding))
        await output.write(`${opening}${separator}\n${JSON.stringify(result)}`)
        opening = ''
        separator = ','
      }
    },
    async end(summary) {
      await output.write(`${opening}\n],"invocations":[${JSON.stringify(invocation(summary))}]}]}\n`)
      await output.flush()
    }
  }
}

const falseAlarm = 'Where it is no such value, put a comment with sluice:allow on its line.'
const help: Readonly<Record<'secret' | 'other', string>> = {
  secret:
    'Take the value out of the file. Whoever could read the file, or any version of it, may have it: revoke it where ' +
    `it was issued, and use a new one from outside of the file. ${falseAlarm}`,
  other: `Take the value out of the file, or put made-up data in its place. ${falseAlarm}`
}

/** Without a name: the id is already readable, and the standard demands that the two differ. */
function rule({ id, title, group, tier }: Kind) {
  return {
    id,
    shortDescription: { text: title },
    // Code hosts demand this and the next, and show both beside a finding.
    fullDescription: { text: `A value in the form of this kind: ${title} (${tier} risk, ${group}).` },
    help: { text: help[group === 'secret' ? 'secret' : 'other'] },
    defaultConfiguration: { level: levels[tier] },
    properties: { tags: ['security', group], 'security-severity': severities[tier] }
  }
}

function resultOf(finding: LocatedFinding, ruleIndex: number, fingerprint: string) {
  const { kind, title, tier, confidence, action, file, line, column, endLine, endColumn, start, end } = finding
  return {
    ruleId: kind,
    ruleIndex,
    level: levels[tier],
    message: { text: `${title} (${tier} risk, ${confidence})` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: {
            startLine: line,
            startColumn: column,
            endLine,
            endColumn,
            charOffset: start,
            charLength: end - start
          }
        }
      }
    ],
    partialFingerprints: { 'sluice/v1': fingerprint },
    properties: { tier, confidence, action }
  }
}

function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href
  return file.split(sep).map(encodeURIComponent).join('/')
}

/** Identifies findings over time by kind, file and masked line; a digest of the value would reveal a weak one. */
function createFingerprints(): (finding: LocatedFinding) => string {
  const seen = new Map<string, number>()
  return ({ kind, file, excerpt }) => {
    const digest = createHash('sha256')
      .update(JSON.stringify([kind, file, excerpt]))
      .digest('hex')
      .slice(0, 32)
    const count = (seen.get(digest) ?? 0) + 1
    seen.set(digest, count)
    return `${digest}:${count}`
  }
}

function invocation(summary: Summary) {
  return {
    executionSuccessful: summary.failed === 0,
    properties: { ...summary }
  }
}
