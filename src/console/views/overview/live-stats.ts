/**
 * Statistics of the running service, polled every two seconds while the view is visible, and the rates between polls.
 */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { duration, size } from '../../api/format.ts'
import { railCounts, serviceLine } from '../../state/service.ts'

export interface IndexFigures {
  readonly name: string
  readonly health: string
  readonly docs: number
  readonly bytes: number
  readonly replicas: number
  readonly writesPerSecond: number
  readonly searchesPerSecond: number
  /** Writes per second at the last polls. */
  readonly recent: readonly number[]
}

export interface Sample {
  readonly atMs: number
  readonly indexing: number
  readonly searching: number
  /** Mean time of the searches since the previous sample. */
  readonly searchMs: number | null
}

export interface LiveStats {
  readonly status: 'green' | 'yellow' | 'red'
  readonly docs: number
  readonly bytes: number
  readonly freeBytes: number | undefined
  readonly memoryBytes: number
  readonly heapBytes: number
  readonly memoryLimit: number
  readonly uptimeMs: number
  readonly contexts: { readonly count: number; readonly bytes: number }
  readonly dataStreams: number
  readonly indices: readonly IndexFigures[]
  readonly threads: readonly {
    readonly name: string
    readonly active: number
    readonly threads: number
    readonly queue: number
  }[]
  readonly breakers: readonly { readonly name: string; readonly bytes: number }[]
  readonly samples: readonly Sample[]
}

const POLL_MS = 2000
const SAMPLES_MAX = 43_200
const RECENT = 30

export const live = signal<LiveStats | undefined>(undefined)
export const liveFailure = signal<unknown>(undefined)

interface NodeStats {
  readonly indices: {
    readonly docs: { readonly count: number }
    readonly store: { readonly size_in_bytes: number }
    readonly indexing: { readonly index_total: number }
    readonly search: { readonly query_total: number; readonly query_time_in_millis: number }
  }
  readonly process: { readonly mem: { readonly total_virtual_in_bytes: number } }
  readonly jvm: { readonly uptime_in_millis: number; readonly mem: { readonly heap_used_in_bytes: number } }
  readonly fs?: { readonly total?: { readonly available_in_bytes?: number } }
  readonly breakers?: Record<string, { readonly estimated_size_in_bytes: number; readonly limit_size_in_bytes: number }>
  readonly thread_pool: Record<string, { readonly threads: number; readonly active: number; readonly queue: number }>
}

interface CatIndex {
  readonly index: string
  readonly health: string
  readonly rep: string
  readonly 'docs.count': string | null
  readonly 'store.size': string | null
}

type IndexStats = Record<
  string,
  {
    readonly primaries: {
      readonly indexing: { readonly index_total: number }
      readonly search: { readonly query_total: number }
    }
  }
>

interface Counters {
  readonly atMs: number
  readonly indexed: number
  readonly searches: number
  readonly searchMs: number
}

interface Totals extends Counters {
  readonly byIndex: ReadonlyMap<string, { readonly indexed: number; readonly searches: number }>
}

let last: Totals | undefined
let samples: readonly Sample[] = []
const recent = new Map<string, number[]>()

interface Activity {
  readonly samples: readonly {
    readonly at: string
    readonly index_total: number
    readonly query_total: number
    readonly query_time_in_millis: number
  }[]
}

/** The counters that the service kept of the last hour, once per visit of the page. */
async function pastSamples(abort: AbortSignal): Promise<readonly Sample[]> {
  const { samples: kept } = await call<Activity>('GET', '/_sandpiper/activity', undefined, abort)
  return kept.slice(1).map((now, i) => {
    const before = kept[i]!
    return rates(
      {
        atMs: Date.parse(now.at),
        indexed: now.index_total,
        searches: now.query_total,
        searchMs: now.query_time_in_millis,
      },
      {
        atMs: Date.parse(before.at),
        indexed: before.index_total,
        searches: before.query_total,
        searchMs: before.query_time_in_millis,
      },
    )
  })
}

/** The rates between two states of the counters, which are lower after an index was deleted. */
function rates(now: Counters, before: Counters): Sample {
  const seconds = (now.atMs - before.atMs) / 1000
  const perSecond = (difference: number) => (seconds <= 0 ? 0 : Math.max(0, difference / seconds))
  const searches = now.searches - before.searches
  return {
    atMs: now.atMs,
    indexing: perSecond(now.indexed - before.indexed),
    searching: perSecond(searches),
    searchMs: searches > 0 ? (now.searchMs - before.searchMs) / searches : null,
  }
}

/** The requests of one poll, for "show the request". */
export const POLLED = [
  '/_cluster/health',
  '/_nodes/stats/indices,process,jvm,fs,breaker,thread_pool',
  '/_cat/indices?format=json&bytes=b&h=index,health,rep,docs.count,store.size&s=index',
  '/_stats/indexing,search',
  '/_sandpiper/contexts',
  '/_data_stream',
] as const

async function poll(abort: AbortSignal): Promise<void> {
  const get = <T>(path: string) => call<T>('GET', path, undefined, abort)
  const [health, nodes, cat, stats, contexts, streams] = await Promise.all([
    get<{ status: LiveStats['status'] }>(POLLED[0]),
    get<{ nodes: Record<string, NodeStats> }>(POLLED[1]),
    get<readonly CatIndex[]>(POLLED[2]),
    get<{ indices: IndexStats }>(POLLED[3]),
    get<{ total: number; contexts: readonly { pinned_bytes?: number }[] }>(POLLED[4]),
    get<{ data_streams: readonly unknown[] }>(POLLED[5]),
  ])
  const node = Object.values(nodes.nodes)[0]!
  const now = totalsOf(node, stats.indices ?? {})
  const seconds = last === undefined ? 0 : (now.atMs - last.atMs) / 1000
  const perSecond = (value: number, before: number | undefined) =>
    seconds <= 0 || before === undefined ? 0 : Math.max(0, (value - before) / seconds)
  if (last === undefined) samples = await pastSamples(abort)
  else if (seconds > 0) samples = [...samples.slice(-SAMPLES_MAX), rates(now, last)]
  const indices = cat.map((row): IndexFigures => {
    const totals = now.byIndex.get(row.index)
    const before = last?.byIndex.get(row.index)
    const writesPerSecond = perSecond(totals?.indexed ?? 0, before?.indexed)
    const rates = recent.get(row.index) ?? []
    rates.push(writesPerSecond)
    if (rates.length > RECENT) rates.shift()
    recent.set(row.index, rates)
    return {
      name: row.index,
      health: row.health,
      docs: Number(row['docs.count'] ?? 0),
      bytes: Number(row['store.size'] ?? 0),
      replicas: Number(row.rep),
      writesPerSecond,
      searchesPerSecond: perSecond(totals?.searches ?? 0, before?.searches),
      recent: [...rates],
    }
  })
  last = now
  const breakers = Object.entries(node.breakers ?? {})
  live.value = {
    status: health.status,
    docs: node.indices.docs.count,
    bytes: node.indices.store.size_in_bytes,
    freeBytes: node.fs?.total?.available_in_bytes,
    memoryBytes: node.process.mem.total_virtual_in_bytes,
    heapBytes: node.jvm.mem.heap_used_in_bytes,
    memoryLimit: node.breakers?.['parent']?.limit_size_in_bytes ?? 0,
    uptimeMs: node.jvm.uptime_in_millis,
    contexts: {
      count: contexts.total,
      bytes: contexts.contexts.reduce((sum, { pinned_bytes = 0 }) => sum + pinned_bytes, 0),
    },
    dataStreams: streams.data_streams.length,
    indices,
    threads: Object.entries(node.thread_pool).map(([name, pool]) => ({ name, ...pool })),
    breakers: breakers
      .filter(([name]) => name !== 'parent')
      .map(([name, one]) => ({ name, bytes: one.estimated_size_in_bytes })),
    samples,
  }
  railCounts.value = { ...railCounts.value, indices: indices.length, contexts: contexts.total }
  serviceLine.value = `up ${duration(node.jvm.uptime_in_millis)} · ${size(node.process.mem.total_virtual_in_bytes)}`
}

function totalsOf({ indices: { indexing, search } }: NodeStats, byIndex: IndexStats): Totals {
  return {
    atMs: Date.now(),
    indexed: indexing.index_total,
    searches: search.query_total,
    searchMs: search.query_time_in_millis,
    byIndex: new Map(
      Object.entries(byIndex).map(([name, { primaries }]) => [
        name,
        { indexed: primaries.indexing.index_total, searches: primaries.search.query_total },
      ]),
    ),
  }
}

/** Polls while the component is mounted and the tab is visible. */
export function useLiveStats(): void {
  useEffect(() => {
    const abort = new AbortController()
    let timer: number | undefined
    const turn = async () => {
      if (!document.hidden) {
        try {
          await poll(abort.signal)
          liveFailure.value = undefined
        } catch (error) {
          if (abort.signal.aborted) return
          liveFailure.value = error
        }
      }
      timer = window.setTimeout(turn, POLL_MS)
    }
    void turn()
    return () => {
      abort.abort()
      window.clearTimeout(timer)
    }
  }, [])
}
