/** One index: mapping, settings, aliases, segments, analyzer playground and actions. */
import { useState } from 'preact/hooks'
import { type ApiRequest, call, segment } from '../../api/client.ts'
import { count, counted, size } from '../../api/format.ts'
import { isObject, type Json } from '../../api/lossless-json.ts'
import { Confirm } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { useLoad } from '../../components/load.ts'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { ShowRequest } from '../../components/show-request.tsx'
import { toast } from '../../components/toasts.tsx'
import { href, navigate } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import { AnalyzePanel } from './analyze-panel.tsx'
import { AliasTable, Segments, SettingsTable } from './index-parts.tsx'
import { MappingTree } from './mapping-tree.tsx'

interface IndexInfo {
  readonly aliases: Record<string, Json>
  readonly mappings: Record<string, Json>
  readonly settings: { readonly index: Record<string, Json> }
}

const TABS = [
  ['mapping', 'Mapping'],
  ['settings', 'Settings'],
  ['aliases', 'Aliases'],
  ['segments', 'Segments'],
  ['analyze', 'Analyze'],
] as const

interface Figures {
  readonly docs: number
  readonly bytes: number
}

export function IndexPage({ name, tab }: { readonly name: string; readonly tab: string }) {
  useTitle(name, 'Indices')
  const path = `/${segment(name)}`
  const { value, failure, reload } = useLoad(async (abort) => {
    const found = await call<Record<string, IndexInfo>>('GET', `${path}?expand_wildcards=all`, undefined, abort)
    const [own, info] = Object.entries(found)[0] ?? []
    if (own === undefined) throw new Error(`no such index [${name}]`)
    const cat = await call<{ status: string; 'docs.count': string | null; 'store.size': string | null }[]>(
      'GET',
      `/_cat/indices/${segment(own)}?format=json&bytes=b&h=status,docs.count,store.size&expand_wildcards=all`,
      undefined,
      abort,
    )
    const figures: Figures = { docs: Number(cat[0]?.['docs.count'] ?? 0), bytes: Number(cat[0]?.['store.size'] ?? 0) }
    return { own, info: info!, figures, isClosed: cat[0]?.status === 'close' }
  }, name)
  const requests = (): ApiRequest[] =>
    tab === 'segments'
      ? [{ method: 'GET', path: `${path}/_segments` }]
      : tab === 'analyze'
        ? [{ method: 'POST', path: `${path}/_analyze`, body: { text: 'The quick foxes', explain: true } }]
        : [{ method: 'GET', path }]
  const info = value?.info
  return (
    <>
      <header class="bar">
        <a class="button plain square" href={href('/indices')} aria-label="All indices">
          <Icon name="indices" />
        </a>
        <h1 class="clip indexname">{name}</h1>
        {value !== undefined && (
          <span class="quiet wide-only nowrap">
            {value.isClosed ? 'closed' : `${counted(value.figures.docs, 'document')}, ${size(value.figures.bytes)}`}
          </span>
        )}
        <span class="push" />
        <a class="button wide-only" href={href(`/discover?index=${encodeURIComponent(name)}`)}>
          <Icon name="discover" />
          Documents
        </a>
        <ShowRequest plain requests={requests} />
        {value !== undefined && (
          <Actions name={value.own} figures={value.figures} isClosed={value.isClosed} onDone={reload} />
        )}
      </header>
      <div class="tabs gutter" role="tablist">
        {TABS.map(([own, label]) => (
          <button
            type="button"
            role="tab"
            key={own}
            aria-selected={tab === own}
            onClick={() => navigate(`/indices/${segment(name)}/${own}`)}
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
      {info !== undefined && tab === 'mapping' && <MappingTree mapping={info.mappings} />}
      {info !== undefined && tab === 'settings' && (
        <SettingsTable settings={info.settings.index} path={path} onDone={reload} />
      )}
      {info !== undefined && tab === 'aliases' && <AliasTable aliases={info.aliases} path={path} onDone={reload} />}
      {info !== undefined && tab === 'segments' && <Segments path={path} />}
      {info !== undefined && tab === 'analyze' && (
        <AnalyzePanel path={path} analyzers={analyzersOf(info)} fields={textFields(info.mappings)} />
      )}
    </>
  )
}

/** The analyzers that the settings define. */
function analyzersOf({ settings }: IndexInfo): string[] {
  const analysis = settings.index['analysis']
  const analyzers = isObject(analysis) ? analysis['analyzer'] : undefined
  return isObject(analyzers) ? Object.keys(analyzers) : []
}

function textFields(mapping: Json, prefix = ''): string[] {
  const properties = isObject(mapping) ? mapping['properties'] : undefined
  if (!isObject(properties)) return []
  return Object.entries(properties).flatMap(([name, field]) => {
    if (!isObject(field)) return []
    const own = field['type'] === 'text' || field['type'] === 'keyword' ? [prefix + name] : []
    return [...own, ...textFields(field, `${prefix}${name}.`)]
  })
}

interface ActionsProps {
  readonly name: string
  readonly figures: Figures
  readonly isClosed: boolean
  readonly onDone: () => void
}

function Actions({ name, figures, isClosed, onDone }: ActionsProps) {
  const [isDeleting, setDeleting] = useState(false)
  const path = `/${segment(name)}`
  const act = async (what: string, method: string, action: string) => {
    try {
      await call(method, path + action)
      toast(`${name} ${what}`)
      onDone()
    } catch (error) {
      toast((error as Error).message)
    }
  }
  const remove = async () => {
    try {
      await call('DELETE', path)
      toast(`Index ${name} deleted`)
      navigate('/indices')
    } catch (error) {
      toast((error as Error).message)
    }
  }
  return (
    <>
      <Menu label="Actions">
        <MenuItem label="Refresh" onPick={() => act('refreshed', 'POST', '/_refresh')} isOff={isClosed} />
        <MenuItem label="Flush" onPick={() => act('flushed', 'POST', '/_flush')} isOff={isClosed} />
        <MenuItem
          label="Force merge to one segment"
          onPick={() => act('merged', 'POST', '/_forcemerge?max_num_segments=1')}
          isOff={isClosed}
        />
        {isClosed ? (
          <MenuItem label="Open" onPick={() => act('opened', 'POST', '/_open')} />
        ) : (
          <MenuItem label="Close" onPick={() => act('closed', 'POST', '/_close')} />
        )}
        <MenuItem label="Delete…" isDanger onPick={() => setDeleting(true)} />
      </Menu>
      {isDeleting && (
        <Confirm
          title={`Delete ${name}`}
          action="Delete index"
          name={name}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          <p>
            {count(figures.docs)} documents and {size(figures.bytes)} are lost. There is no way back but a snapshot.
          </p>
        </Confirm>
      )}
    </>
  )
}
