/** The faults in a draft's text, as marks at their positions. */
import { jsonParseLinter } from '@codemirror/lang-json'
import type { Diagnostic } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import type { PolicyLintFinding } from '../../../../../src/protocol/api/policy-schema.ts'
import { readText } from '../documents.ts'
import { placeOf } from './json-path.ts'

const parseLint = jsonParseLinter()

/**
 * @param text that the view shows
 * @param findings of the service about this exact text; empty while they are loading
 */
export function diagnosticsOf(view: EditorView, text: string, findings: readonly PolicyLintFinding[]): Diagnostic[] {
  const syntax = parseLint(view)
  if (syntax.length > 0) return syntax
  const read = readText(text)
  if ('problem' in read)
    return [{ from: 0, to: Math.min(1, view.state.doc.length), severity: 'error', message: read.problem }]
  return findings.map(({ severity, path, code, message }) => ({
    ...placeOf(view.state, path),
    severity,
    message,
    source: code
  }))
}
