/** Folds brackets and shows their size in the placeholder: `{ 5 fields }`, `[ 1,000 ]`. */
import { codeFolding, foldEffect, foldService } from '@codemirror/language'
import type { EditorState, Extension, Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { count } from '../api/format.ts'

const OPEN = '{['
const CLOSE = '}]'

/** The range between the last bracket that a line opens and its closing bracket. */
function foldableAt(state: EditorState, lineStart: number, lineEnd: number): { from: number; to: number } | null {
  const line = state.doc.sliceString(lineStart, lineEnd)
  const opened: number[] = []
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!
    if (char === '"') {
      for (at++; at < line.length && line[at] !== '"'; at++) if (line[at] === '\\') at++
    } else if (OPEN.includes(char)) opened.push(at)
    else if (CLOSE.includes(char)) opened.pop()
  }
  const last = opened.at(-1)
  if (last === undefined) return null
  const from = lineStart + last + 1
  const to = closingAt(state.doc, from)
  return to === undefined || to <= lineEnd ? null : { from, to }
}

/** The offset of the bracket that closes the one before `from`. */
function closingAt(doc: Text, from: number): number | undefined {
  let depth = 1
  let inString = false
  let offset = from
  const chunks = doc.iterRange(from)
  for (let chunk = chunks.next(); !chunk.done; chunk = chunks.next()) {
    const text = chunk.value
    for (let at = 0; at < text.length; at++) {
      const char = text[at]!
      if (inString) {
        if (char === '\\') at++
        else if (char === '"') inString = false
      } else if (char === '"') inString = true
      else if (OPEN.includes(char)) depth++
      else if (CLOSE.includes(char) && --depth === 0) return offset + at
    }
    offset += text.length
  }
  return undefined
}

/** The number of members or elements between two brackets. */
function childrenOf(text: string): number {
  let depth = 0
  let children = /\S/.test(text) ? 1 : 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    } else if (OPEN.includes(char)) depth++
    else if (CLOSE.includes(char)) depth--
    else if (char === ',' && depth === 0) children++
  }
  return children
}

const COUNTED_MAX = 200_000

export function bracketFolding(): Extension {
  return [
    foldService.of(foldableAt),
    codeFolding({
      preparePlaceholder: (state, { from, to }) => {
        const isArray = state.doc.sliceString(from - 1, from) === '['
        if (to - from > COUNTED_MAX) return '…'
        const children = childrenOf(state.doc.sliceString(from, to))
        return isArray ? count(children) : `${count(children)} ${children === 1 ? 'field' : 'fields'}`
      },
      placeholderDOM: (_view: EditorView, onclick: (event: Event) => void, prepared: string) => {
        const element = document.createElement('span')
        element.className = 'cm-foldPlaceholder'
        element.textContent = prepared
        element.title = 'Unfold'
        element.onclick = onclick
        return element
      },
    }),
  ]
}

const FOLD_DEPTH = 5
const FOLD_LINES = 4
const OPEN_LINES = 60

/** Folds the deep parts of a long JSON text: parts of documents, but not buckets of a few lines. */
export function foldDeep(view: EditorView): void {
  const { doc } = view.state
  if (doc.lines <= OPEN_LINES) return
  const effects = []
  let at = 1
  while (at <= doc.lines) {
    const line = doc.line(at)
    const indent = line.text.search(/\S/)
    const isDeep = indent >= (FOLD_DEPTH - 1) * 2 && /[{[]$/.test(line.text)
    const range = isDeep ? foldableAt(view.state, line.from, line.to) : null
    const last = range === null ? at : doc.lineAt(range.to).number
    if (range !== null && last - at > FOLD_LINES) {
      effects.push(foldEffect.of(range))
      at = last + 1
    } else at++
    if (effects.length >= 2000) break
  }
  view.dispatch({ effects })
}
