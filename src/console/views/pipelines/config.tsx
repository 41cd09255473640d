/** Configuration: an editor that marks errors in place, and sample lines that run through the filters. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiRequest } from '../../api/client.ts'
import { counted } from '../../api/format.ts'
import { type Json, textOf, writeJson } from '../../api/lossless-json.ts'
import { faultMarks, setFaults } from '../../code/fault-mark.ts'
import { bracketFolding } from '../../code/folding.ts'
import { logstashLanguage } from '../../code/languages.ts'
import { codeTheme } from '../../code/theme.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { ShowRequest } from '../../components/show-request.tsx'
import { toast } from '../../components/toasts.tsx'
import { download } from '../../documents/export.ts'
import { stored } from '../../state/preferences.ts'
import { useTitle } from '../../state/title.ts'
import { useKept, useTrial } from './trial.ts'

interface Problem {
  readonly message: string
  readonly line?: number
  readonly column?: number
  readonly suggestion?: string
}

interface Step {
  readonly filter: string
  readonly line: number
  readonly changes: readonly {
    readonly kind: 'added' | 'changed' | 'removed'
    readonly field: string
    readonly before: Json
    readonly after: Json
  }[]
  readonly isDropped: boolean
}

interface Trial {
  readonly problems: readonly Problem[]
  readonly filters: readonly { readonly name: string; readonly line: number }[]
  readonly events: readonly { readonly steps: readonly Step[]; readonly out: readonly Record<string, Json>[] }[]
}

interface Kept {
  readonly config: string
  readonly lines: string
}

const KEY = 'sandpiper.config'
const PATH = '/_sandpiper/pipeline/config'
const TYPING_MS = 400
const EXAMPLE: Kept = {
  config: `input { stdin {} }

filter {
  grok {
    match => { "message" => "%{IP:client} %{WORD:verb} %{URIPATH:path} %{NUMBER:took:int}" }
  }
  if [took] > 1000 {
    mutate { add_tag => ["slow"] }
  }
  mutate {
    lowercase => ["verb"]
    remove_field => ["message"]
  }
}

output { stdout { codec => rubydebug } }
`,
  lines: '192.0.2.7 GET /shop/15 12\n192.0.2.9 POST /api/cart 1480',
}

export default function Config() {
  useTitle('Configuration')
  const parent = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView | undefined>(undefined)
  const [kept, setKept] = useState<Kept>(() => ({ ...EXAMPLE, ...stored<Kept>(KEY) }))
  /** The last successful run stays visible while the configuration has an error. */
  const [good, setGood] = useState<Trial | undefined>()
  const [chosen, setChosen] = useState(0)
  const lines = kept.lines.split('\n').filter((line) => line !== '')
  const body = { config: kept.config, lines }
  useEffect(() => {
    const view = new EditorView({
      parent: parent.current!,
      state: EditorState.create({
        doc: kept.config,
        extensions: [
          codeTheme(),
          lineNumbers(),
          foldGutter({ openText: '▾', closedText: '▸' }),
          history(),
          logstashLanguage,
          bracketMatching(),
          bracketFolding(),
          faultMarks(),
          indentUnit.of('  '),
          EditorView.contentAttributes.of({ 'aria-label': 'Configuration', spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) setKept((now) => ({ ...now, config: update.state.doc.toString() }))
          }),
          keymap.of([...historyKeymap, ...foldKeymap, indentWithTab, ...defaultKeymap]),
        ],
      }),
    })
    editor.current = view
    return () => view.destroy()
  }, [])
  useKept(KEY, kept)
  const {
    answer: trial,
    failure,
    again,
  } = useTrial<Trial>(PATH, body, TYPING_MS, (answer) => {
    if (answer.events.length > 0 || answer.problems.length === 0) setGood(answer)
    mark(editor.current, answer.problems)
  })
  const problems = trial?.problems ?? []
  const isOld = good !== undefined && good !== trial
  const at = Math.min(chosen, (good?.events.length ?? 1) - 1)
  const event = good?.events[at]
  return (
    <>
      <header class="bar ruled">
        <h1>Configuration</h1>
        {trial !== undefined && (
          <span class={problems.length === 0 ? 'badge ok' : 'badge danger'} role="status">
            {problems.length === 0 ? 'Configuration OK' : counted(problems.length, 'mistake')}
          </span>
        )}
        <span class="push" />
        <button
          type="button"
          class="button plain wide-only"
          onClick={() => saveTest(kept, good)}
          disabled={good === undefined || good.events.length === 0}
        >
          Save as a test case
        </button>
        <ShowRequest requests={(): ApiRequest[] => [{ method: 'POST', path: PATH, body }]} />
      </header>
      <div class="body configlayout">
        <section class="pane editor" aria-label="Editor">
          <div class="codebox" ref={parent} />
          <label class="stack linesbox">
            <span class="label">Sample lines</span>
            <textarea
              class="area"
              rows={4}
              spellcheck={false}
              value={kept.lines}
              onInput={(input) => setKept({ ...kept, lines: input.currentTarget.value })}
            />
          </label>
        </section>
        <section class="pane answer" aria-label="Dry run">
          <div class="scroll pad stack">
            {failure !== undefined && (
              <ErrorPanel error={failure}>
                <button type="button" class="button small" onClick={again}>
                  Try again
                </button>
              </ErrorPanel>
            )}
            {problems.map(({ message, line, column, suggestion }) => (
              <div class="fault-panel" role="alert" key={message}>
                <Icon name="fault" />
                <div>
                  <h3>{message}</h3>
                  {line !== undefined && (
                    <div class="type">
                      line {line}, column {column}
                    </div>
                  )}
                  {suggestion !== undefined && <div class="do">{suggestion}</div>}
                </div>
              </div>
            ))}
            {isOld && <p class="hint">The run below is the last one without a mistake.</p>}
            {good !== undefined && good.events.length > 1 && (
              <fieldset class="segments wrapping" aria-label="Sample line">
                {good.events.map((_, i) => (
                  <button type="button" key={`${i}`} aria-pressed={i === at} onClick={() => setChosen(i)}>
                    Line {i + 1}
                  </button>
                ))}
              </fieldset>
            )}
            {event !== undefined && <Run event={event} filters={good!.filters} />}
          </div>
        </section>
      </div>
    </>
  )
}

function mark(view: EditorView | undefined, problems: readonly Problem[]): void {
  if (view === undefined) return
  const { doc } = view.state
  const marks = problems.flatMap(({ message, line, column, suggestion }) => {
    if (line === undefined || line > doc.lines) return []
    const of = doc.line(line)
    const from = Math.min(of.to, of.from + (column ?? 1) - 1)
    const word = /^[\w"'=>-]+/.exec(of.text.slice(from - of.from))?.[0].length ?? 1
    return [
      {
        from,
        to: Math.min(of.to, from + word),
        title: message.split('\n')[0]!.slice(0, 200),
        place: `line ${line}, column ${column}`,
        advice: suggestion,
      },
    ]
  })
  view.dispatch({ effects: setFaults.of(marks) })
}

const SIGNS = { added: ['add', '+'], changed: ['mod', '~'], removed: ['rem', '−'] } as const

function Run({ event, filters }: { readonly event: Trial['events'][number]; readonly filters: Trial['filters'] }) {
  const reached = new Set(event.steps.map(({ filter, line }) => `${filter} ${line}`))
  const rest = [...event.steps]
  return (
    <>
      <div>
        {filters.map(({ name, line }, i) => {
          if (!reached.has(`${name} ${line}`)) {
            return (
              <p class="hint nottaken" key={`${i}`}>
                {name}, line {line}: not reached
              </p>
            )
          }
          const own = rest.filter((step) => step.filter === name && step.line === line)
          return own.map((step, n) => <Change key={`${i} ${n}`} step={step} />)
        })}
      </div>
      <span class="label">
        {event.out.length === 0
          ? 'Nothing comes out: the event was dropped'
          : `${counted(event.out.length, 'event')} out`}
      </span>
      {event.out.map((out, i) => (
        <pre class="copytext" key={`${i}`}>
          {writeJson(out, 2)}
        </pre>
      ))}
    </>
  )
}

function Change({ step }: { readonly step: Step }) {
  return (
    <div class="change">
      <header>
        <b class="strong">{step.filter}</b>
        <span class="hint">line {step.line}</span>
        <span class="push hint">
          {step.isDropped ? 'dropped the event' : step.changes.length === 0 ? 'changed nothing' : ''}
        </span>
      </header>
      {step.changes.length > 0 && (
        <table class="diff">
          <tbody>
            {step.changes.map(({ kind, field, before, after }) => (
              <tr key={field} class={SIGNS[kind][0]}>
                <td class="sign" aria-label={kind}>
                  {SIGNS[kind][1]}
                </td>
                <td title={field}>{field}</td>
                <td>
                  {kind === 'changed' && <del>{textOf(before)} </del>}
                  {kind === 'removed' ? <del>{textOf(before)}</del> : textOf(after)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

/** The input format of `sandpiper pipeline test`: lines and the resulting events, without their timestamps. */
function saveTest(kept: Kept, good: Trial | undefined): void {
  const input = kept.lines.split('\n').filter((line) => line !== '')
  const cases = input.map((line, i) => ({
    name: `line ${i + 1}`,
    input: [line],
    expected: (good?.events[i]?.out ?? []).map(({ '@timestamp': _time, ...rest }) => rest),
  }))
  download(new Blob([writeJson(cases, 2)], { type: 'application/json' }), 'pipeline-test.json')
  toast('pipeline-test.json saved')
}
