/** The output of the demo for people. */
import type { RecordedCall } from './audit.ts'
import type { Check, Comparison } from './judge.ts'
import type { Outcome } from './send.ts'
import type { Step } from './steps.ts'
import { sideBySide, table, wrap, type Marked, type Terminal } from './terminal.ts'

export function printOpening(terminal: Terminal): void {
  terminal.print(
    '',
    `  ${terminal.paint('bold', 'Sluice demo')}  client ─▶ Sluice ─▶ model API`,
    ...paragraph(
      terminal,
      'The clients are the official SDKs of both vendors. The model API is an echo on this machine: it answers with ' +
        'what it received. All names, keys and numbers are made up.'
    )
  )
}

function paragraph(terminal: Terminal, text: string): string[] {
  return wrap(text, terminal.width - 2).map(([start, end]) => `  ${text.slice(start, end)}`)
}

export function printHeading(terminal: Terminal, step: Step, number: number, sdk: string): void {
  const route = step.api === 'messages' ? 'POST /messages' : 'POST /chat/completions'
  const title = `${number}  ${step.title}`
  const facts = `${route} · ${sdk}`
  const room = terminal.width - 2 - title.length - facts.length
  const gap = room >= 2 ? ' '.repeat(room) : '\n  '
  terminal.print('', `  ${terminal.paint('bold', title)}${gap}${terminal.paint('dim', facts)}`)
  terminal.print(`  ${terminal.paint('dim', '─'.repeat(terminal.width - 2))}`)
}

const plain = (text: string): Marked => ({ text, marks: [] })
/** A turn prefixed with its role, and its marks shifted accordingly. */
function labelled(role: string, { text, marks }: Marked): Marked {
  const label = `${role}: `
  return { text: label + text, marks: marks.map(([start, end]) => [start + label.length, end + label.length]) }
}

export function printComparison(terminal: Terminal, compared: Comparison, reached: boolean): void {
  terminal.print(...sideBySide(terminal, plain('THE CLIENT SENT'), plain('THE UPSTREAM RECEIVED')))
  compared.pairs.forEach((pair, i) => {
    const right = reached ? labelled(pair.role, pair.received) : plain(i === 0 ? '(nothing: the call was blocked)' : '')
    terminal.print(...sideBySide(terminal, labelled(pair.role, pair.sent), right))
  })
}

export function printAnswer(terminal: Terminal, outcome: Outcome): void {
  const { refusal } = outcome
  const label = refusal ? terminal.paint('red', 'refused') : terminal.paint('cyan', 'answer')
  const text = refusal ? `${refusal.status} ${refusal.code}. ${refusal.message}` : outcome.answer
  const lines = wrap(text, terminal.width - 11).map(([start, end]) => text.slice(start, end))
  terminal.print(
    '',
    `  ${label}${refusal ? '  ' : '   '}${lines[0] ?? ''}`,
    ...lines.slice(1).map((line) => `           ${line}`)
  )
}

/** Passing checks in one paragraph, failed ones on a line each. */
export function printChecks(terminal: Terminal, checks: readonly Check[]): void {
  const passed = checks.filter((check) => check.ok).map((check) => `✓ ${check.says}`)
  const joined = passed.join('  ').replaceAll(/(?<=\S) (?=\S)/g, '\u00a0')
  const lines = wrap(joined, terminal.width - 2).map(([start, end]) =>
    joined.slice(start, end).replaceAll('\u00a0', ' ')
  )
  for (const line of lines) terminal.print(`  ${terminal.paint('green', line.trim())}`)
  for (const { ok, says } of checks) if (!ok) terminal.print(`  ${terminal.paint('red', `✗ ${says}`)}`)
}

const cell = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '-')

function kindsOf(counts: unknown): string {
  const entries = Object.entries((counts ?? {}) as Record<string, unknown>)
  return entries.map(([kind, count]) => (count === 1 ? kind : `${kind} ×${cell(count)}`)).join(', ') || '-'
}

/** The recorded events, one row per call: metadata and nothing of the contents. */
export function printEvents(terminal: Terminal, calls: readonly RecordedCall[]): void {
  terminal.print('', `  ${terminal.paint('bold', 'What was recorded')}  looked up by request ID`)
  terminal.print(`  ${terminal.paint('dim', '─'.repeat(terminal.width - 2))}`)
  const heading = ['request', 'model', 'action', 'risk', 'masked', 'tokens', 'found']
  const rows = calls.map(({ requestId, detail }) => [
    `…${requestId.slice(-8)}`,
    cell(detail['modelId']),
    cell(detail['action']),
    cell(detail['riskTier']),
    cell(detail['entitiesMasked']),
    detail['inputTokens'] === undefined ? '-' : `${cell(detail['inputTokens'])} + ${cell(detail['outputTokens'])}`,
    kindsOf(detail['entityCounts'])
  ])
  terminal.print(...table(terminal, [heading, ...rows]))
}

/** How to continue by hand. */
export function printInvitation(terminal: Terminal, url: string, token: string, mail: string): void {
  const body = JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: `Write to ${mail}` }] })
  terminal.print(
    '',
    `  ${terminal.paint('bold', 'Now you')}  everything stays up until Ctrl-C`,
    `  ${terminal.paint('dim', '─'.repeat(terminal.width - 2))}`,
    `  base URL   ${url}/api/ingress/v1`,
    `  token      ${token}`,
    '',
    `curl -s ${url}/api/ingress/v1/chat/completions \\`,
    `  -H 'authorization: Bearer ${token}' -H 'content-type: application/json' \\`,
    `  -d '${body}'`,
    ''
  )
}
