import { autocompletion } from '@codemirror/autocomplete'
import { json, jsonLanguage } from '@codemirror/lang-json'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, hoverTooltip } from '@codemirror/view'
import { basicSetup } from 'codemirror'
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import type { PolicyLintFinding } from '../../../../../src/protocol/api/policy-schema.ts'
import { cspNonce } from '../../../nonce.ts'
import { completePolicy } from './complete.ts'
import { diagnosticsOf } from './diagnostics.ts'
import { editorLook } from './editor-look.ts'
import { pathTo, placeOf, treeOf } from './json-path.ts'
import { meaningAt } from './schema-at.ts'

export interface EditorHandle {
  /** Scrolls to the position of a JSON pointer. */
  show(pointer: string): void
}

interface Props {
  readonly text: string
  readonly isReadOnly: boolean
  readonly findings: readonly PolicyLintFinding[]
  readonly onChange: (text: string) => void
  readonly ref: Ref<EditorHandle>
}

/** Shows the description of the setting under the mouse pointer. */
const meanings = hoverTooltip((view, at) => {
  const node = treeOf(view.state, at).resolveInner(at, 1)
  if (node.name !== 'PropertyName') return null
  const text = meaningAt(pathTo(view.state, node))
  if (text === undefined) return null
  return {
    pos: node.from,
    end: node.to,
    create: () => {
      const dom = document.createElement('div')
      dom.className = 'cm-meaning'
      dom.textContent = text
      return { dom }
    }
  }
})

const extensions = [
  basicSetup,
  json(),
  jsonLanguage.data.of({ autocomplete: completePolicy }),
  autocompletion({ icons: false }),
  lintGutter(),
  meanings,
  editorLook,
  EditorView.lineWrapping,
  EditorView.cspNonce.of(cspNonce),
  EditorView.contentAttributes.of({ 'aria-label': 'Policy as JSON', tabindex: '0' })
]

/** The policy as JSON, with completion, descriptions and marks. */
export function PolicyEditor({ text, isReadOnly, findings, onChange, ref }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useRef(onChange)
  useEffect(() => {
    changed.current = onChange
  }, [onChange])
  // The initial text of the editor; later ones are passed to it below.
  const first = useRef(text)
  useEffect(() => {
    if (place.current === null) return undefined
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          ...extensions,
          EditorState.readOnly.of(isReadOnly),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed.current(state.doc.toString())
          })
        ]
      })
    })
    view.current = made
    return () => {
      first.current = made.state.doc.toString()
      made.destroy()
      view.current = null
    }
  }, [isReadOnly])
  useEffect(() => {
    const { current } = view
    if (current === null || current.state.doc.toString() === text) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }, [text])
  useEffect(() => {
    const { current } = view
    if (current) current.dispatch(setDiagnostics(current.state, diagnosticsOf(current, text, findings)))
  }, [findings, text])
  useImperativeHandle(ref, () => ({
    show(pointer) {
      const { current } = view
      if (current === null) return
      const { from, to } = placeOf(current.state, pointer)
      current.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true })
      current.focus()
    }
  }))
  return <div className="editor-frame" ref={place} />
}
