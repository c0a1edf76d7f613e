/** With what the answers of a workspace are restored, and what each request adds. */
import { randomUUID } from 'node:crypto'
import type { Scanner } from '../../detection/findings.ts'
import { compileGlob } from '../../policy/glob.ts'
import type { CompiledProfile } from '../../policy/redaction/decide.ts'
import { RestoreTable, type RestorableValues } from '../../policy/restore/restore.ts'
import type { RestorePlan } from './text.ts'

/** Compiled once per policy revision. */
export interface RestoreRules {
  /** Whether placeholders of this workspace may begin with this label. */
  isLabel(label: string): boolean
  mayRestoreTool(name: string): boolean
  /** Whether any tool edits files; if not, values of the high tier are not kept at all. */
  readonly hasEditors: boolean
  /** Whether this tool edits files on the agent's machine. */
  editsFiles(name: string): boolean
}

/** The rules of a profile, or `undefined` if it does not restore. */
export function compileRestore(profile: CompiledProfile, scanner: Scanner): RestoreRules | undefined {
  if (!profile.restore.enabled) return undefined
  const labels = new Set([...scanner.kinds.values()].map(({ label }) => label))
  const tools = profile.restore.tools.map((glob) => compileGlob(glob))
  const editors = profile.restore.files.map((glob) => compileGlob(glob))
  return {
    isLabel: (label) => labels.has(label),
    mayRestoreTool: (name) => tools.some((tool) => tool.matches(name)),
    hasEditors: editors.length > 0,
    editsFiles: (name) => editors.some((tool) => tool.matches(name))
  }
}

/**
 * @param restorable what was masked in the request
 * @param isJson whether the text of the answer is JSON
 */
export function createRestorePlan(
  rules: RestoreRules | undefined,
  restorable: RestorableValues | undefined,
  isJson = false
): RestorePlan | undefined {
  if (rules === undefined || restorable === undefined) return undefined
  const isLabel = (label: string): boolean => rules.isLabel(label)
  return {
    table: new RestoreTable(restorable, isLabel),
    editTable: rules.hasEditors ? new RestoreTable(restorable, isLabel, true) : undefined,
    mayRestoreTool: (name) => rules.mayRestoreTool(name),
    editsFiles: (name) => rules.editsFiles(name),
    repeatMark: rules.hasEditors ? `[${randomUUID()}: this edit gives its old text twice] ` : '',
    isJson
  }
}
