/** The response next to the editor: status, time, size, body, headers, and hits or buckets as a table. */
import { useMemo, useState } from 'preact/hooks'
import { type ApiAnswer, ApiFault, type ApiRequest } from '../../api/client.ts'
import { duration, size } from '../../api/format.ts'
import { CodeView } from '../../code/code-view.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { copyText } from '../../components/toasts.tsx'
import { tableOf } from './answer-table.ts'
import { layOut } from './console-text.ts'

export interface Exchange {
  readonly request: ApiRequest
  /** Undefined while the request is running. */
  readonly answer: ApiAnswer | undefined
  readonly failure?: unknown
}

type Tab = 'answer' | 'headers' | 'table'

interface AnswerPanelProps {
  readonly exchanges: readonly Exchange[]
  readonly onGoOn: (exchange: Exchange) => void
}

export function AnswerPanel({ exchanges, onGoOn }: AnswerPanelProps) {
  const [tab, setTab] = useState<Tab>('answer')
  const [chosen, setChosen] = useState(0)
  const exchange = exchanges[Math.min(chosen, exchanges.length - 1)]
  return (
    <section class="pane answer" aria-label="Answer">
      <div class="tabs" role="tablist">
        <TabButton own="answer" tab={tab} setTab={setTab} label="Answer" />
        <TabButton own="headers" tab={tab} setTab={setTab} label="Headers" />
        <TabButton own="table" tab={tab} setTab={setTab} label="As table" />
        <span class="push" />
        {exchange?.answer !== undefined && <AnswerFigures answer={exchange.answer} />}
      </div>
      {exchanges.length > 1 && (
        <ul class="exchanges" aria-label="Answers">
          {exchanges.map(({ request, answer }, i) => (
            <li key={`${i} ${request.path}`}>
              <button
                type="button"
                aria-pressed={i === Math.min(chosen, exchanges.length - 1)}
                onClick={() => setChosen(i)}
              >
                <span class={`badge ${answer === undefined ? '' : answer.ok ? 'ok' : 'danger'}`}>
                  {answer?.status ?? '…'}
                </span>
                <span class="clip mono-s">
                  {request.method} {request.path}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {exchange === undefined ? (
        <div class="empty">
          <p class="quiet">The answer comes here. Ctrl+Enter sends the request under the cursor.</p>
        </div>
      ) : (
        <Shown
          key={exchange.request.path + String(exchange.answer?.ms)}
          exchange={exchange}
          tab={tab}
          onGoOn={onGoOn}
        />
      )}
    </section>
  )
}

interface TabButtonProps {
  readonly own: Tab
  readonly tab: Tab
  readonly setTab: (tab: Tab) => void
  readonly label: string
}

function TabButton({ own, tab, setTab, label }: TabButtonProps) {
  return (
    <button type="button" role="tab" aria-selected={tab === own} onClick={() => setTab(own)}>
      {label}
    </button>
  )
}

function AnswerFigures({ answer }: { readonly answer: ApiAnswer }) {
  return (
    <span class="row answerfigures" role="status">
      <span class={`badge ${answer.ok ? 'ok' : 'danger'}`}>{answer.status}</span>
      <span class="hint nowrap">
        {duration(answer.ms)} · {size(answer.bytes)}
      </span>
      <button
        type="button"
        class="button plain small square"
        aria-label="Copy the answer"
        onClick={() => copyText(answer.text, 'Answer')}
      >
        <Icon name="copy" />
      </button>
    </span>
  )
}

function Shown({
  exchange,
  tab,
  onGoOn,
}: {
  readonly exchange: Exchange
  readonly tab: Tab
  readonly onGoOn: (exchange: Exchange) => void
}) {
  const { answer, request, failure } = exchange
  if (failure !== undefined) {
    return (
      <div class="pad">
        <ErrorPanel error={failure} />
      </div>
    )
  }
  if (answer === undefined) return <div class="running" role="status" aria-label="Waiting for the answer" />
  if (tab === 'headers') return <Headers answer={answer} />
  if (tab === 'table') return <Table answer={answer} />
  const isWindow = !answer.ok && /Result window is too large/.test(answer.text)
  return (
    <>
      {!answer.ok && request.method !== 'HEAD' && (
        <div class="pad faultbox">
          <ErrorPanel error={new ApiFault(request, answer)}>
            {isWindow ? (
              <p>
                <button type="button" class="button small" onClick={() => onGoOn(exchange)}>
                  Go on from here
                </button>
              </p>
            ) : undefined}
          </ErrorPanel>
        </div>
      )}
      <AnswerText answer={answer} />
    </>
  )
}

function AnswerText({ answer }: { readonly answer: ApiAnswer }) {
  const text = useMemo(() => (answer.json === undefined ? answer.text : layOut(answer.text)), [answer])
  if (text === '') return <p class="pad quiet">The answer has no body.</p>
  return <CodeView text={text} label="Answer" isJson={answer.json !== undefined} />
}

function Headers({ answer }: { readonly answer: ApiAnswer }) {
  return (
    <div class="scroll pad">
      <table class="doc">
        <tbody>
          {answer.headers.map(([name, value]) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Table({ answer }: { readonly answer: ApiAnswer }) {
  const table = useMemo(() => tableOf(answer.json), [answer])
  if (table === undefined) return <p class="pad quiet">This answer has no hits and no buckets to show as rows.</p>
  return (
    <section class="scroll" aria-label="Answer as table">
      <table class="table loose">
        <thead>
          <tr>
            {table.columns.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, n) => (
                <td key={table.columns[n]} title={cell.length > 40 ? cell : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
