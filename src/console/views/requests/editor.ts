/** The editor of requests: completion, folding, error marks, and a mark of the request at the cursor. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippet,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from '@codemirror/language'
import { EditorState, Prec, type Range } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  lineNumbers,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { faultMarks } from '../../code/fault-mark.ts'
import { bracketFolding } from '../../code/folding.ts'
import { consoleLanguage } from '../../code/languages.ts'
import { codeTheme } from '../../code/theme.ts'
import { type Proposal, proposalsAt, type Surroundings } from './completion.ts'
import { type ConsoleRequest, layOut, parseConsole, requestAt } from './console-text.ts'

export interface EditorActions {
  readonly run: () => void
  readonly runAll: () => void
  readonly history: () => void
  readonly changed: (text: string) => void
  /** Called when the cursor moved to another request, or the text changed. */
  readonly moved: (request: ConsoleRequest | undefined, all: readonly ConsoleRequest[]) => void
  /** Undefined if the pasted text is inserted unchanged. */
  readonly pasted: (text: string) => string | undefined
  readonly surroundings: (request: ConsoleRequest | undefined) => Promise<Surroundings>
}

export function createEditor(parent: HTMLElement, text: string, actions: EditorActions): EditorView {
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        codeTheme(),
        lineNumbers(),
        foldGutter({ openText: '▾', closedText: '▸' }),
        history(),
        consoleLanguage,
        bracketMatching(),
        closeBrackets(),
        bracketFolding(),
        faultMarks(),
        currentRequest(actions),
        indentUnit.of('  '),
        EditorView.contentAttributes.of({ 'aria-label': 'Requests', spellcheck: 'false', tabindex: '0' }),
        autocompletion({ override: [(context) => complete(context, actions)], activateOnTyping: true, icons: false }),
        EditorView.domEventHandlers({ paste: (event, view) => paste(event, view, actions) }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) actions.changed(update.state.doc.toString())
        }),
        Prec.highest(
          keymap.of([
            { key: 'Mod-Enter', run: done(actions.run), shift: done(actions.runAll) },
            { key: 'Ctrl-Alt-h', run: done(actions.history) },
            { key: 'Mod-i', run: indentRequest, preventDefault: true },
            { key: 'Mod-/', run: toggleComment },
          ]),
        ),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...historyKeymap,
          ...foldKeymap,
          indentWithTab,
          ...defaultKeymap,
        ]),
      ],
    }),
  })
}

/** Tells the editor that the key was handled. */
function done(action: () => void): () => boolean {
  return () => {
    action()
    return true
  }
}

/** Formats the body of the request at the cursor without parsing its numbers. */
export function indentRequest(view: EditorView): boolean {
  const text = view.state.doc.toString()
  const request = requestAt(parseConsole(text), view.state.selection.main.head, text)
  const from = request === undefined ? 0 : text.indexOf('\n', request.from) + 1
  if (request === undefined || from === 0 || request.to <= from) return true
  const body = text.slice(from, request.to)
  // Formatting would lose comments and triple quotes.
  if (/"""|^\s*(#|\/\/)|\/\*/m.test(body) || /\n$/.test(request.body ?? '')) return true
  view.dispatch({ changes: { from, to: request.to, insert: layOut(body) } })
  return true
}

/** Marks the lines of the request that Ctrl+Enter sends. */
function currentRequest(actions: EditorActions) {
  let last: ConsoleRequest | undefined
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet

      constructor(view: EditorView) {
        this.decorations = this.#mark(view)
      }

      update(update: ViewUpdate): void {
        if (update.docChanged || update.selectionSet) this.decorations = this.#mark(update.view)
      }

      #mark(view: EditorView): DecorationSet {
        const text = view.state.doc.toString()
        const all = parseConsole(text)
        const request = requestAt(all, view.state.selection.main.head, text)
        if (request?.from !== last?.from || request?.path !== last?.path || request === undefined) {
          queueMicrotask(() => actions.moved(request, all))
        }
        last = request
        if (request === undefined) return Decoration.none
        const lines: Range<Decoration>[] = []
        const end = view.state.doc.lineAt(Math.min(request.to, view.state.doc.length)).number
        for (let n = view.state.doc.lineAt(request.from).number; n <= end; n++) {
          lines.push(Decoration.line({ class: 'activeline' }).range(view.state.doc.line(n).from))
        }
        return Decoration.set(lines)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  )
}

async function complete(context: CompletionContext, actions: EditorActions): Promise<CompletionResult | null> {
  const text = context.state.doc.toString()
  const before = text.slice(Math.max(0, context.pos - 1), context.pos)
  if (
    !context.explicit &&
    /[\s{}[\],]/.test(before) &&
    !/^\s*(GET|POST|PUT|DELETE|HEAD) $/im.test(lineBefore(text, context.pos))
  ) {
    return null
  }
  const request = requestAt(parseConsole(text), context.pos, text)
  const found = proposalsAt(text, context.pos, await actions.surroundings(request))
  if (found === undefined || found.options.length === 0 || context.aborted) return null
  return {
    from: found.from,
    options: found.options.map((one) => completion(one, text, context.pos)),
    validFor: /^[\w.*@-]*$/,
  }
}

function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
}

function completion({ label, detail, meaning, insert }: Proposal, text: string, offset: number): Completion {
  const base: Completion = {
    label,
    ...(meaning === undefined || meaning === '' ? { detail: detail ?? '' } : { detail: meaning }),
  }
  if (insert === undefined) return base
  // The closing quote after the cursor already exists.
  const hasQuote = text[offset] === '"'
  const isKey = insert.includes('": ')
  const template = insert.replaceAll('‹', '#{').replaceAll('›', '}')
  return {
    ...base,
    apply: (view, own, from, to) => snippet(template)(view, own, from, hasQuote && isKey ? to + 1 : to),
  }
}

function paste(event: ClipboardEvent, view: EditorView, actions: EditorActions): boolean {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  const replaced = actions.pasted(text)
  if (replaced === undefined) return false
  event.preventDefault()
  const { from, to } = view.state.selection.main
  const line = view.state.doc.lineAt(from)
  const lead = from > line.from ? '\n\n' : ''
  view.dispatch({
    changes: { from, to, insert: lead + replaced },
    selection: { anchor: from + lead.length + replaced.length },
  })
  return true
}
