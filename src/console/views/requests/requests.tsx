/** Requests: an editor for console syntax at the left, the response at the right. */
import type { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiRequest, send } from '../../api/client.ts'
import { counted } from '../../api/format.ts'
import { consoleText } from '../../api/request-forms.ts'
import { type FaultMark, setFaults } from '../../code/fault-mark.ts'
import { CopyLink } from '../../components/copy-link.tsx'
import { Icon } from '../../components/icon.tsx'
import { ShowRequest } from '../../components/show-request.tsx'
import { copyText, toast } from '../../components/toasts.tsx'
import { address, navigate } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import { AnswerPanel, type Exchange } from './answer-panel.tsx'
import { type ConsoleRequest, parseConsole, requestAt } from './console-text.ts'
import { parseCurl } from './curl.ts'
import { activeDocument, addDocument, changeText, kept, remember } from './documents.ts'
import { createEditor, indentRequest } from './editor.ts'
import { faultPlace } from './fault-place.ts'
import { FileTabs } from './file-tabs.tsx'
import { goOnRequests } from './go-on.ts'
import { HistoryDialog } from './history-dialog.tsx'
import { surroundings, targetOf } from './surroundings.ts'

export default function Requests() {
  const parent = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView | undefined>(undefined)
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [position, setPosition] = useState({ at: 0, of: 0 })
  const [faults, setFaultCount] = useState(0)
  const [known, setKnown] = useState('')
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  useTitle(activeDocument().name, 'Requests')
  takeFragment()

  const run = (which: 'one' | 'all') => {
    const view = editor.current
    if (view === undefined) return
    const text = view.state.doc.toString()
    const all = parseConsole(text)
    const one = requestAt(all, view.state.selection.main.head, text)
    void execute(which === 'all' ? all : one === undefined ? [] : [one])
  }

  const execute = async (requests: readonly ConsoleRequest[]) => {
    if (requests.length === 0) {
      toast('There is no request under the cursor. One begins with a method and a path: GET _cat/indices')
      return
    }
    const view = editor.current!
    let done: Exchange[] = requests.map((request) => ({ request: asSent(request), answer: undefined }))
    setExchanges(done)
    const marks: FaultMark[] = []
    for (const [i, request] of requests.entries()) {
      const text = view.state.doc.toString()
      try {
        const answer = await send(done[i]!.request)
        done = done.map((one, n) => (n === i ? { ...one, answer } : one))
        const source = text.slice(request.from, request.to)
        remember({ text: source, status: answer.status, ms: answer.ms, atMs: Date.now() })
        const place = answer.ok ? undefined : faultPlace(text, request, answer)
        if (place !== undefined) marks.push(place)
      } catch (failure) {
        done = done.map((one, n) => (n === i ? { ...one, failure } : one))
      }
      setExchanges(done)
    }
    view.dispatch({ effects: setFaults.of(marks) })
    setFaultCount(marks.length)
  }

  const insert = (text: string) => {
    const view = editor.current!
    const end = view.state.doc.length
    const lead = end === 0 ? '' : view.state.doc.toString().endsWith('\n') ? '\n' : '\n\n'
    view.dispatch({
      changes: { from: end, insert: lead + text },
      selection: { anchor: end + lead.length },
      scrollIntoView: true,
    })
    view.focus()
  }

  const { active } = kept.value
  useEffect(() => {
    const view = createEditor(parent.current!, activeDocument().text, {
      run: () => run('one'),
      runAll: () => run('all'),
      history: () => setHistoryOpen(true),
      changed: changeText,
      moved: (request, all) => {
        setPosition({ at: request === undefined ? 0 : all.indexOf(request) + 1, of: all.length })
        void surroundings(request).then(({ indices, fields }) =>
          setKnown(
            `${targetOf(request)} · ${counted(indices.length, 'name')}, ${counted(fields.length, 'field')} for completion`,
          ),
        )
      },
      pasted: (text) => {
        const request = parseCurl(text)
        if (request === undefined) return undefined
        toast('The curl command became a request', {
          label: 'Undo',
          run: () => {
            const { doc } = view.state
            const replaced = consoleText(request)
            const from = doc.toString().lastIndexOf(replaced)
            if (from >= 0) view.dispatch({ changes: { from, to: from + replaced.length, insert: text } })
          },
        })
        return consoleText(request)
      },
      surroundings,
    })
    editor.current = view
    setExchanges([])
    setFaultCount(0)
    return () => view.destroy()
  }, [active])

  const current = (): readonly ApiRequest[] => {
    const text = editor.current?.state.doc.toString() ?? ''
    const one = requestAt(parseConsole(text), editor.current?.state.selection.main.head ?? 0, text)
    return one === undefined ? [] : [asSent(one)]
  }
  return (
    <>
      <header class="bar ruled">
        <h1>Requests</h1>
        <span class="push" />
        <button type="button" class="button plain" aria-label="History" onClick={() => setHistoryOpen(true)}>
          <Icon name="history" />
          <span class="wide-only">History</span>
        </button>
        <button type="button" class="button plain wide-only" onClick={() => indentRequest(editor.current!)}>
          Indent
        </button>
        <CopyLink onCopy={copyLink} />
        <ShowRequest requests={current} />
        <button type="button" class="button primary" onClick={() => run('one')}>
          <Icon name="run" />
          Run
          <span class="kbd">Ctrl ↵</span>
        </button>
      </header>
      <div class="body requests">
        <section class="pane editor" aria-label="Editor">
          <FileTabs />
          <div class="codebox" ref={parent} />
          <footer class="footer">
            {faults > 0 && (
              <span class="row faultcount">
                <Icon name="fault" />
                {counted(faults, 'fault')}
              </span>
            )}
            <span class="nowrap">
              {position.at === 0 ? counted(position.of, 'request') : `Request ${position.at} of ${position.of}`}
            </span>
            <span class="push clip">{known}</span>
          </footer>
        </section>
        <AnswerPanel
          exchanges={exchanges}
          onGoOn={({ request }) => insert(goOnRequests(request).map(consoleText).join('\n\n'))}
        />
      </div>
      {isHistoryOpen && <HistoryDialog onTake={insert} onClose={() => setHistoryOpen(false)} />}
    </>
  )
}

function asSent({ method, path, body }: ConsoleRequest): ApiRequest {
  return { method, path, body }
}

function copyLink(): void {
  const url = `${location.origin}${location.pathname}#t=${encodeURIComponent(activeDocument().text)}`
  void copyText(url, 'Link')
}

/** Moves a text in the address to a new document, and removes it from the address. */
function takeFragment(): void {
  const text = new URLSearchParams(address.value.hash.slice(1)).get('t')
  if (text === null) return
  const found = kept.value.documents.find((one) => one.text === text)
  if (found === undefined) addDocument(nameOf(text), text)
  else kept.value = { ...kept.value, active: found.id }
  navigate('/requests', 'replace')
}

function nameOf(text: string): string {
  const [first] = parseConsole(text)
  return first === undefined ? 'Linked' : `${first.method} ${first.path.split('?')[0]}`.slice(0, 28)
}
