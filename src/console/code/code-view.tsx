/** A read-only text: JSON with colours and folding. Only the visible lines are in the page. */
import { foldGutter, foldKeymap } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { bracketFolding, foldDeep } from './folding.ts'
import { jsonLanguage } from './languages.ts'
import { codeTheme } from './theme.ts'

interface CodeViewProps {
  readonly text: string
  readonly label: string
  readonly isJson: boolean
}

export function CodeView({ text, label, isJson }: CodeViewProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const view = new EditorView({
      parent: element.current!,
      state: EditorState.create({ doc: text, extensions: readOnly(label, isJson) }),
    })
    if (isJson) foldDeep(view)
    return () => view.destroy()
  }, [text, label, isJson])
  return <div class="codebox" ref={element} />
}

function readOnly(label: string, isJson: boolean): Extension {
  return [
    codeTheme(),
    lineNumbers(),
    foldGutter({ openText: '▾', closedText: '▸' }),
    isJson ? jsonLanguage : [],
    bracketFolding(),
    keymap.of(foldKeymap),
    EditorView.editable.of(false),
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  ]
}
