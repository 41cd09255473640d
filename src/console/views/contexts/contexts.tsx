/** Contexts: open points in time and scrolls, the resources they hold, and a button to close them. */
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { clockTime, count, counted, duration, size, sizeParts } from '../../api/format.ts'
import { Confirm } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useLoad } from '../../components/load.ts'
import { ShowRequest } from '../../components/show-request.tsx'
import { toast } from '../../components/toasts.tsx'
import { query, setQuery } from '../../state/router.ts'
import { railCounts } from '../../state/service.ts'
import { useTitle } from '../../state/title.ts'

interface Context {
  readonly id: string
  readonly type: 'point_in_time' | 'scroll'
  readonly indices: readonly string[]
  readonly shards: number
  readonly age_in_millis: number
  readonly keep_alive: string
  readonly expires_in_millis: number
  readonly pages?: number
  readonly opaque_id?: string
  readonly user_agent?: string
  readonly pinned_docs: number
  readonly pinned_bytes: number
}

const PATH = '/_sandpiper/contexts'
const SOON_MS = 15_000
const KINDS = [
  ['', 'All'],
  ['pit', 'Points in time'],
  ['scroll', 'Scrolls'],
] as const

export default function Contexts() {
  useTitle('Contexts')
  const [readAtMs, setReadAt] = useState(Date.now())
  const { value, failure, reload } = useLoad(
    async (abort) => {
      const { contexts } = await call<{ contexts: Context[] }>('GET', PATH, undefined, abort)
      setReadAt(Date.now())
      railCounts.value = { ...railCounts.value, contexts: contexts.length }
      return contexts
    },
    'contexts',
    2000,
  )
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = window.setInterval(() => tick((n) => n + 1), 1000)
    return () => window.clearInterval(timer)
  }, [])
  const [isEndingAll, setEndingAll] = useState(false)
  const kind = query.value.get('kind') ?? ''
  const all = value ?? []
  const shown = all
    .filter(({ type }) => kind === '' || (kind === 'scroll') === (type === 'scroll'))
    .sort((a, b) => a.expires_in_millis - b.expires_in_millis)
  const sinceReadMs = Date.now() - readAtMs
  const end = async (contexts: readonly Context[]) => {
    const results = await Promise.allSettled(
      contexts.map(({ id }) => call('DELETE', `${PATH}/${encodeURIComponent(id)}`)),
    )
    const ended = results.filter(({ status }) => status === 'fulfilled').length
    toast(`${counted(ended, 'context')} ended`)
    reload()
  }
  return (
    <>
      <header class="bar">
        <h1>Contexts</h1>
        <span class="push" />
        <fieldset class="segments" aria-label="Kind">
          {KINDS.map(([name, label]) => (
            <button type="button" key={name} aria-pressed={kind === name} onClick={() => setQuery({ kind: name })}>
              {label}
            </button>
          ))}
        </fieldset>
        <ShowRequest requests={() => [{ method: 'GET', path: PATH }]} />
        <button type="button" class="button danger" disabled={shown.length === 0} onClick={() => setEndingAll(true)}>
          End all…
        </button>
      </header>
      <div class="scroll">
        <div class="pad stack top">
          {failure !== undefined && <ErrorPanel error={failure} />}
          <Figures contexts={all} sinceReadMs={sinceReadMs} />
        </div>
        {value !== undefined && shown.length === 0 ? (
          <div class="empty">
            <h3>Nothing is open</h3>
            <p class="quiet">
              Points in time and scrolls are listed here while they are open. Discover opens one when it is scrolled
              past its first page.
            </p>
          </div>
        ) : (
          <ContextTable contexts={shown} sinceReadMs={sinceReadMs} onEnd={(context) => end([context])} />
        )}
      </div>
      {isEndingAll && (
        <Confirm
          title="End all contexts"
          action={`End ${counted(shown.length, 'context')}`}
          name={shown.every(({ opaque_id }) => opaque_id === 'console') ? undefined : 'end all'}
          onConfirm={() => end(shown)}
          onClose={() => setEndingAll(false)}
        >
          <p>Clients that page through them get an error at their next page and have to begin again.</p>
        </Confirm>
      )}
    </>
  )
}

interface FiguresProps {
  readonly contexts: readonly Context[]
  /** Milliseconds since the contexts were loaded: ages and expiries are counted on until the next load. */
  readonly sinceReadMs: number
}

function Figures({ contexts, sinceReadMs }: FiguresProps) {
  const bytes = contexts.reduce((sum, { pinned_bytes }) => sum + pinned_bytes, 0)
  const next = Math.min(...contexts.map(({ expires_in_millis }) => expires_in_millis))
  const [pinned, unit] = sizeParts(bytes)
  return (
    <dl class="figures four">
      <div>
        <dt>Pinned on disk</dt>
        <dd class="big">
          {pinned}
          <small>{unit}</small>
        </dd>
        <dd class="hint">files that merges and deletes cannot free</dd>
      </div>
      <div>
        <dt>Points in time</dt>
        <dd class="big">{count(contexts.filter(({ type }) => type === 'point_in_time').length)}</dd>
      </div>
      <div>
        <dt>Scrolls</dt>
        <dd class="big">{count(contexts.filter(({ type }) => type === 'scroll').length)}</dd>
        <dd class="hint">of 500 shards that may be held</dd>
      </div>
      <div>
        <dt>Next to end</dt>
        <dd class="big">{Number.isFinite(next) ? clockTime(next - sinceReadMs) : '–'}</dd>
      </div>
    </dl>
  )
}

interface ContextTableProps extends FiguresProps {
  readonly onEnd: (context: Context) => void
}

function ContextTable({ contexts, sinceReadMs, onEnd }: ContextTableProps) {
  return (
    <table class="table ctx">
      <colgroup>
        <col />
        <col class="w-200" />
        <col class="w-160" />
        <col class="w-140" />
        <col class="w-84" />
      </colgroup>
      <thead>
        <tr>
          <th class="first">Context</th>
          <th>Owner</th>
          <th>Ends in</th>
          <th class="num">Pins</th>
          <th class="last">
            <span class="sr">End</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {contexts.map((context) => (
          <ContextRow key={context.id} context={context} sinceReadMs={sinceReadMs} onEnd={() => onEnd(context)} />
        ))}
      </tbody>
    </table>
  )
}

interface ContextRowProps {
  readonly context: Context
  readonly sinceReadMs: number
  readonly onEnd: () => void
}

function ContextRow({ context, sinceReadMs, onEnd }: ContextRowProps) {
  const left = Math.max(0, context.expires_in_millis - sinceReadMs)
  const isSoon = left < SOON_MS
  const isScroll = context.type === 'scroll'
  return (
    <tr>
      <td class="first">
        <span class="two-line">
          <span>
            <span class="badge accent">{isScroll ? 'scroll' : 'point in time'}</span>{' '}
            <b class="strong">{context.indices.join(', ')}</b>
          </span>
          <span class="hint mono-s" title={context.id}>
            {context.id.slice(0, 18)}… · open {duration(context.age_in_millis + sinceReadMs)}
            {context.pages !== undefined && ` · ${counted(context.pages, 'page')}`}
          </span>
        </span>
      </td>
      <td title={context.user_agent}>{ownerOf(context)}</td>
      <td>
        <span class="row">
          <span class={isSoon ? 'num soon' : 'num'}>{clockTime(left)}</span>
          <span class="hint">of {context.keep_alive}</span>
        </span>
        <div class={isSoon ? 'meter warn' : 'meter'}>
          <i style={{ width: `${Math.min(100, (left / durationOf(context.keep_alive)) * 100)}%` }} />
        </div>
      </td>
      <td class="num">
        {size(context.pinned_bytes)}
        <div class="hint">{counted(context.pinned_docs, 'document')}</div>
      </td>
      <td class="last">
        <button
          type="button"
          class="button small"
          aria-label={`End the ${isScroll ? 'scroll' : 'point in time'} on ${context.indices.join(', ')}`}
          onClick={onEnd}
        >
          End
        </button>
      </td>
    </tr>
  )
}

/** The client of a context: the console itself, or the user agent. */
function ownerOf({ opaque_id, user_agent }: Context): string {
  if (opaque_id === 'console') return 'Console, Discover'
  const agent = user_agent?.split(/[ (]/)[0]
  return [opaque_id, agent].filter((part) => part !== undefined && part !== '').join(' · ') || 'unknown'
}

function durationOf(text: string): number {
  const [, number, unit] = /^([\d.]+)([a-z]+)$/.exec(text) ?? []
  const of = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? 's'] ?? 1000
  return Number(number ?? 60) * of
}
