/** The table of indices, with data streams, templates and aliases next to it. */
import { useState } from 'preact/hooks'
import { call, segment } from '../../api/client.ts'
import { count, counted, size } from '../../api/format.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { ListSearch } from '../../components/list-search.tsx'
import { useLoad } from '../../components/load.ts'
import { ShowRequest } from '../../components/show-request.tsx'
import { VirtualTable } from '../../components/virtual-table.tsx'
import { href, query, setQuery } from '../../state/router.ts'
import { railCounts } from '../../state/service.ts'
import { useTitle } from '../../state/title.ts'
import { CreateDialog } from './create-dialog.tsx'
import { Aliases, DataStreams, Templates } from './other-lists.tsx'

interface Row {
  readonly index: string
  readonly health: string | null
  readonly status: string
  readonly pri: string
  readonly rep: string
  readonly 'docs.count': string | null
  readonly 'docs.deleted': string | null
  readonly 'store.size': string | null
  readonly 'creation.date': string
}

const PATH =
  '/_cat/indices?format=json&bytes=b&expand_wildcards=all&s=index&h=index,health,status,pri,rep,docs.count,docs.deleted,store.size,creation.date'
export const DOTS: Readonly<Record<string, string>> = { green: 'dot ok', yellow: 'dot warn', red: 'dot danger' }
const TABS = [
  ['indices', 'Indices'],
  ['streams', 'Data streams'],
  ['templates', 'Templates'],
  ['aliases', 'Aliases'],
] as const

export function IndexList() {
  useTitle('Indices')
  const { value, failure, reload } = useLoad(
    async (abort) => {
      const rows = await call<Row[]>('GET', PATH, undefined, abort)
      railCounts.value = { ...railCounts.value, indices: rows.length }
      return rows
    },
    'list',
    5000,
  )
  const [part, setPart] = useState('')
  const [hasHidden, setHidden] = useState(false)
  const isCreating = query.value.has('create')
  const tab = query.value.get('show') ?? 'indices'
  const rows = (value ?? []).filter(({ index }) => (hasHidden || !index.startsWith('.')) && index.includes(part))
  const hidden = (value ?? []).filter(({ index }) => index.startsWith('.')).length
  const sum = (name: 'docs.count' | 'store.size') => rows.reduce((total, row) => total + Number(row[name] ?? 0), 0)
  return (
    <>
      <header class="bar">
        <h1>Indices</h1>
        <span class="quiet wide-only">
          {value !== undefined && `${counted(sum('docs.count'), 'document')}, ${size(sum('store.size'))}`}
        </span>
        <span class="push" />
        <ShowRequest requests={() => [{ method: 'GET', path: PATH }]} />
        <button type="button" class="button primary" onClick={() => setQuery({ create: 'new' })}>
          <Icon name="add" />
          Create…
        </button>
      </header>
      <div class="tabs gutter" role="tablist">
        {TABS.map(([name, label]) => (
          <button
            type="button"
            role="tab"
            key={name}
            aria-selected={tab === name}
            onClick={() => setQuery({ show: name === 'indices' ? undefined : name })}
          >
            {label}
          </button>
        ))}
      </div>
      {failure !== undefined && (
        <div class="pad">
          <ErrorPanel error={failure} />
        </div>
      )}
      {tab === 'streams' && <DataStreams />}
      {tab === 'templates' && <Templates />}
      {tab === 'aliases' && <Aliases />}
      {tab === 'indices' && (
        <>
          <div class="toolbar listbar">
            <ListSearch label="Find an index" placeholder="Part of a name" value={part} onChange={setPart} />
            <label class="check">
              <input type="checkbox" checked={hasHidden} onChange={(event) => setHidden(event.currentTarget.checked)} />
              Show {count(hidden)} hidden
            </label>
          </div>
          {value !== undefined && rows.length === 0 ? (
            <div class="empty">
              <h3>{value.length === 0 ? 'There is no index yet' : 'No index has this in its name'}</h3>
            </div>
          ) : (
            <VirtualTable
              label="Indices"
              columns={[
                { name: 'Name' },
                { name: 'Documents', isNumber: true, width: 'w-120' },
                { name: 'Deleted', isNumber: true, width: 'w-92', isWideOnly: true },
                { name: 'Size', isNumber: true, width: 'w-98' },
                { name: 'Shards', isNumber: true, width: 'w-84', isWideOnly: true },
                { name: 'Created', width: 'w-140', isWideOnly: true },
                { name: 'Look', width: 'w-120', isWideOnly: true, content: <span class="sr">Look</span> },
              ]}
              count={rows.length}
              row={(at) => {
                const row = rows[at]!
                return [
                  <span class="row" key="n">
                    <i
                      class={row.status === 'close' ? 'dot' : (DOTS[row.health ?? ''] ?? 'dot')}
                      title={row.status === 'close' ? 'closed' : (row.health ?? '')}
                    />
                    <a class="clip" href={href(`/indices/${segment(row.index)}`)}>
                      {row.index}
                    </a>
                    {row.status === 'close' && <span class="badge">closed</span>}
                  </span>,
                  row['docs.count'] === null ? '–' : count(Number(row['docs.count'])),
                  <span key="d" class="wide-only">
                    {row['docs.deleted'] === null ? '–' : count(Number(row['docs.deleted']))}
                  </span>,
                  row['store.size'] === null ? '–' : size(Number(row['store.size'])),
                  <span key="s" class="wide-only">
                    {row.pri} + {row.rep}
                  </span>,
                  <span key="c" class="wide-only hint">
                    {new Date(Number(row['creation.date'])).toISOString().slice(0, 16).replace('T', ' ')}
                  </span>,
                  <a key="l" class="wide-only" href={href(`/discover?index=${encodeURIComponent(row.index)}`)}>
                    Documents
                  </a>,
                ]
              }}
            />
          )}
        </>
      )}
      {isCreating && (
        <CreateDialog
          onClose={() => {
            setQuery({ create: undefined })
            reload()
          }}
        />
      )}
    </>
  )
}
