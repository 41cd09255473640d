/**
 * The look of editors: colours from the design tokens, the nonce of the content security policy, a gutter of 44 pixels.
 */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-method)', fontWeight: '600' },
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.atom, color: 'var(--code-atom)' },
  { tag: tags.typeName, color: 'var(--code-atom)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.punctuation, color: 'var(--code-punct)' },
  { tag: tags.operator, color: 'var(--code-punct)' },
  { tag: tags.url, color: 'var(--ink)' },
])

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--text-sm)', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '21px', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 16px 0 2px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-3)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '34px', padding: '0 4px 0 8px', fontSize: 'var(--text-xs)' },
  '.cm-foldGutter .cm-gutterElement': { width: '14px', padding: '0', color: 'var(--ink-3)', cursor: 'pointer' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 22%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--accent)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--sunken)',
    border: '1px solid var(--line)',
    color: 'var(--ink-2)',
    borderRadius: '3px',
    padding: '0 5px',
    margin: '0 2px',
    fontSize: 'var(--text-xs)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-3)',
    boxShadow: 'var(--shadow-2)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '300px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '20px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600', color: 'var(--accent)' },
  '.cm-completionDetail': { color: 'var(--ink-2)', fontStyle: 'normal', fontFamily: 'var(--font-ui)' },
  '.cm-tooltip .cm-completionInfo': { fontFamily: 'var(--font-ui)', padding: '6px 10px', maxWidth: '320px' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
})

/** The extensions that every editor has. */
export function codeTheme(): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  return [EditorView.cspNonce.of(nonce), theme, syntaxHighlighting(colours)]
}
