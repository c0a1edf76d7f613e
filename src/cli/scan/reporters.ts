/** The output formats of a scan: for people, and JSON. SARIF has a file of its own. */
import { styleText } from 'node:util'
import { version } from '../../config/version.ts'
import { printable } from './excerpt.ts'
import type { Output } from './output.ts'
import type { LocatedFinding, Reporter } from './report.ts'

type Style = Parameters<typeof styleText>[0]

/** Two lines for each finding: position and kind, then the masked line. */
export function humanReporter(output: Output, stream: NodeJS.WritableStream): Reporter {
  // The runtime lets FORCE_COLOR override NO_COLOR; here NO_COLOR is final.
  const isPlain = (process.env['NO_COLOR'] ?? '') !== ''
  const paint = (style: Style, text: string): string => (isPlain ? text : styleText(style, text, { stream }))
  const tierStyle = { high: 'red', medium: 'yellow', low: 'dim', none: 'dim' } as const
  return {
    async file(findings) {
      for (const { file, line, column, title, tier, confidence, action, excerpt } of findings) {
        const place = `${printable(file)}:${line}:${column}`
        const risk = paint(tierStyle[tier], `${tier}/${confidence}`)
        await output.write(`${paint('bold', place)}  ${title}  ${risk}  ${action}\n    ${excerpt}\n`)
      }
    },
    end: () => output.flush()
  }
}

/** One JSON object; findings are written as they come, so that any number of them fits in memory. */
export function jsonReporter(output: Output): Reporter {
  let separator = ''
  const head = `{"version":1,"tool":${JSON.stringify({ name: 'sluice', version: version() })},"findings":[`
  let opening = head
  return {
    async file(findings) {
      for (const finding of findings) {
        await output.write(`${opening}${separator}\n${JSON.stringify(jsonFinding(finding))}`)
        opening = ''
        separator = ','
      }
    },
    async end(summary) {
      await output.write(`${opening}\n],"summary":${JSON.stringify(summary)}}\n`)
      await output.flush()
    }
  }
}

function jsonFinding(finding: LocatedFinding) {
  const { file, line, column, endLine, endColumn, kind, title, group, tier, confidence, action, excerpt } = finding
  const { start, end } = finding
  return { file, line, column, endLine, endColumn, start, end, kind, title, group, tier, confidence, action, excerpt }
}
