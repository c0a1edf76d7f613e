/** Converts between positions in the text of a policy and its settings. */
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode, Tree } from '@lezer/common'

export type Path = readonly (string | number)[]

/** The longest time to wait for the text to be parsed as far as needed; a megabyte takes a quarter of it. */
const parseMsMax = 1000

/**
 * The syntax tree of a text, parsed at least up to a position: in a long text, the editor itself parses only what is
 * visible at first.
 */
export const treeOf = (state: EditorState, upTo: number): Tree =>
  ensureSyntaxTree(state, upTo, parseMsMax) ?? syntaxTree(state)

const valueNames = new Set(['True', 'False', 'Null', 'Number', 'String', 'Object', 'Array'])

const textIn = (state: EditorState, { from, to }: SyntaxNode): string => state.doc.sliceString(from, to)

/** The name in a `PropertyName` node; its raw text if it is incomplete. */
export function nameIn(state: EditorState, node: SyntaxNode): string {
  const text = textIn(state, node)
  try {
    return String(JSON.parse(text))
  } catch {
    return text.replaceAll('"', '')
  }
}

/** The path to a node, outermost first. */
export function pathTo(state: EditorState, node: SyntaxNode): Path {
  const path: (string | number)[] = []
  for (let inner = node; inner.parent !== null; inner = inner.parent) {
    if (inner.parent.name === 'Array') path.unshift(indexIn(inner))
    else if (inner.name === 'Property') {
      const name = inner.getChild('PropertyName')
      if (name) path.unshift(nameIn(state, name))
    }
  }
  return path
}

/** The index of a node in its list. */
function indexIn(node: SyntaxNode): number {
  let index = 0
  for (let before = node.prevSibling; before !== null; before = before.prevSibling)
    if (valueNames.has(before.name)) index++
  return index
}

/**
 * The position of a JSON pointer. If it names something that does not exist, the position of the innermost existing
 * value around it.
 * @returns the range of the setting's name if there is one, otherwise of its value; half-open
 */
export function placeOf(state: EditorState, pointer: string): { readonly from: number; readonly to: number } {
  let value = treeOf(state, state.doc.length).topNode.firstChild
  let shown: SyntaxNode | null = value
  for (const step of stepsOf(pointer)) {
    const found = value && childAt(state, value, step)
    if (!found) break
    shown = found.shown
    value = found.value
  }
  if (shown === null) return { from: 0, to: state.doc.length }
  // A whole document is not marked.
  const isLarge = shown.name === 'Object' || shown.name === 'Array'
  return { from: shown.from, to: isLarge ? Math.min(shown.to, shown.from + 1) : shown.to }
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

function childAt(
  state: EditorState,
  value: SyntaxNode,
  step: string
): { readonly shown: SyntaxNode; readonly value: SyntaxNode | null } | undefined {
  if (value.name === 'Array') {
    let index = Number(step)
    for (let item = value.firstChild; item !== null; item = item.nextSibling) {
      if (valueNames.has(item.name) && index-- === 0) return { shown: item, value: item }
    }
    return undefined
  }
  for (const property of value.getChildren('Property')) {
    const name = property.getChild('PropertyName')
    if (!name || nameIn(state, name) !== step) continue
    const last = property.lastChild
    return { shown: name, value: last && valueNames.has(last.name) ? last : null }
  }
  return undefined
}
