/** Colours of the editor: pairs for light and dark, chosen by the page's colour scheme. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--mantine-color-text)' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'light-dark(#f5f7f9, #161c23)',
    color: 'light-dark(#57636e, #a3b0bc)',
    borderRight: '1px solid var(--line)'
  },
  '.cm-activeLine': { backgroundColor: 'light-dark(#f3f8fa66, #22303a66)' },
  '.cm-activeLineGutter': { backgroundColor: 'light-dark(#e7eef2, #222c35)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    maxWidth: '420px'
  },
  '.cm-tooltip-hover .cm-meaning': { padding: '6px 10px', fontSize: '13px' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', fontSize: '13px', whiteSpace: 'normal' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'light-dark(#0f6b7b, #197f90)',
    color: '#fff'
  },
  '.cm-panels': { backgroundColor: 'light-dark(#f5f7f9, #161c23)', color: 'var(--mantine-color-text)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'light-dark(#cbe7ec, #1d4c57) !important'
  },
  '.cm-matchingBracket': { backgroundColor: 'light-dark(#d3eaee, #1d4c57) !important' },
  '.cm-foldPlaceholder': { backgroundColor: 'transparent', color: 'inherit', borderColor: 'var(--line-strong)' }
})

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'light-dark(#0f5c6e, #7fd0dc)' },
  { tag: tags.string, color: 'light-dark(#7a3e00, #f0b97a)' },
  { tag: tags.number, color: 'light-dark(#1d5fc4, #82b4ff)' },
  { tag: [tags.bool, tags.null], color: 'light-dark(#9c1f4a, #ff9ab8)' },
  { tag: tags.invalid, color: 'light-dark(#b4400e, #ff9a6b)' }
])

export const editorLook = [look, syntaxHighlighting(colours)]
