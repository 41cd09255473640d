/**
 * Marks an error in the editor: the coloured line, a wavy underline, and a note below the line with the reason and a
 * fix.
 */
import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from '@codemirror/view'

export interface FaultMark {
  readonly from: number
  readonly to: number
  readonly title: string
  readonly place: string
  readonly advice?: string | undefined
  readonly fix?: { readonly label: string; readonly text: string } | undefined
}

export const setFaults = StateEffect.define<readonly FaultMark[]>()

interface Marked {
  readonly faults: readonly FaultMark[]
  readonly decorations: DecorationSet
}

const field = StateField.define<Marked>({
  create: () => ({ faults: [], decorations: Decoration.none }),
  update(marked, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setFaults))
        return { faults: effect.value, decorations: decorate(effect.value, transaction.state.doc) }
    }
    if (!transaction.docChanged) return marked
    // The mark of a line is removed when the line changes.
    const left = marked.faults
      .map((fault) => ({
        ...fault,
        from: transaction.changes.mapPos(fault.from, 1),
        to: transaction.changes.mapPos(fault.to, -1),
      }))
      .filter((fault) => {
        let touched = false
        const line = transaction.state.doc.lineAt(Math.min(fault.from, transaction.state.doc.length))
        transaction.changes.iterChangedRanges((_a, _b, from, to) => {
          if (to >= line.from && from <= line.to) touched = true
        })
        return !touched && fault.from <= fault.to
      })
    return { faults: left, decorations: decorate(left, transaction.state.doc) }
  },
  provide: (own) => EditorView.decorations.from(own, ({ decorations }) => decorations),
})

function decorate(faults: readonly FaultMark[], doc: EditorView['state']['doc']): DecorationSet {
  const ranges = faults.flatMap((fault) => {
    const line = doc.lineAt(Math.min(fault.from, doc.length))
    const to = Math.min(Math.max(fault.to, fault.from), line.to)
    return [
      Decoration.line({ class: 'faultline' }).range(line.from),
      ...(to > fault.from ? [Decoration.mark({ class: 'wave' }).range(fault.from, to)] : []),
      Decoration.widget({ widget: new Note(fault), block: true, side: 1 }).range(line.to),
    ]
  })
  return RangeSet.of(ranges, true)
}

class Note extends WidgetType {
  readonly #fault: FaultMark

  constructor(fault: FaultMark) {
    super()
    this.#fault = fault
  }

  override eq(other: Note): boolean {
    return other.#fault.title === this.#fault.title && other.#fault.from === this.#fault.from
  }

  override toDOM(view: EditorView): HTMLElement {
    const { title, place, advice, fix } = this.#fault
    const note = element('div', 'note')
    note.setAttribute('role', 'alert')
    const text = element('div', 'grow')
    const head = element('div', '')
    head.append(element('b', 'strong', title), element('span', 'quiet', ` ${place}`))
    text.append(head)
    if (advice !== undefined) text.append(element('div', 'quiet', advice))
    note.append(text)
    if (fix !== undefined) {
      const button = element('button', 'button small', fix.label) as HTMLButtonElement
      button.type = 'button'
      button.append(' ', element('span', 'kbd', 'Alt ↵'))
      button.onclick = () => applyFix(view, this.#fault)
      note.append(button)
    }
    // The editor measures the content of a widget. Margins would shift the line numbers.
    const around = element('div', 'notebox')
    around.append(note)
    return around
  }

  override ignoreEvent(): boolean {
    return true
  }
}

function element(name: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

function applyFix(view: EditorView, { from, to, fix }: FaultMark): void {
  view.dispatch({ changes: { from, to, insert: fix!.text }, selection: { anchor: from + fix!.text.length } })
  view.focus()
}

function jump(view: EditorView, direction: 1 | -1): boolean {
  const { faults } = view.state.field(field)
  if (faults.length === 0) return false
  const { head } = view.state.selection.main
  const sorted = [...faults].sort((a, b) => a.from - b.from)
  const next =
    direction === 1
      ? (sorted.find(({ from }) => from > head) ?? sorted[0]!)
      : (sorted.findLast(({ from }) => from < head) ?? sorted.at(-1)!)
  view.dispatch({ selection: { anchor: next.from }, scrollIntoView: true })
  return true
}

export function faultMarks(): Extension {
  return [
    field,
    keymap.of([
      { key: 'F8', run: (view) => jump(view, 1), shift: (view) => jump(view, -1) },
      {
        key: 'Alt-Enter',
        run: (view) => {
          const fault = view.state.field(field).faults.find(({ fix }) => fix !== undefined)
          if (fault === undefined) return false
          applyFix(view, fault)
          return true
        },
      },
    ]),
  ]
}
