/** The state of Discover, which is also its address. */
import { computed, signal } from '@preact/signals'
import { type Filter, readFilter, type Selection, writeFilter } from '../../documents/filters.ts'
import { query, setQuery } from '../../state/router.ts'

export interface DiscoverState {
  readonly index: string
  readonly text: string
  readonly filters: readonly Filter[]
  readonly from: string | undefined
  readonly to: string | undefined
  /** The selected time field, if it is not the default. */
  readonly timeField: string | undefined
  readonly columns: readonly string[]
  readonly sort: { readonly field: string; readonly order: 'asc' | 'desc' } | undefined
  /** `INDEX/ID` of the document in the drawer. */
  readonly doc: string | undefined
}

export const state = computed<DiscoverState>(() => {
  const parameters = query.value
  const sort = parameters.get('sort')
  return {
    index: parameters.get('index') ?? '',
    text: parameters.get('q') ?? '',
    filters: parameters.getAll('f').flatMap((text) => readFilter(text) ?? []),
    from: parameters.get('from') ?? undefined,
    to: parameters.get('to') ?? undefined,
    timeField: parameters.get('time') ?? undefined,
    columns: (parameters.get('cols') ?? '').split(',').filter((name) => name !== ''),
    sort:
      sort === null
        ? undefined
        : sort.startsWith('-')
          ? { field: sort.slice(1), order: 'desc' }
          : { field: sort, order: 'asc' },
    doc: parameters.get('doc') ?? undefined,
  }
})

/** Incremented when the same search is to be sent again: documents and the meaning of `now-1h` change without the request. */
export const searchTurn = signal(0)

export function searchAgain(): void {
  searchTurn.value++
}

export function change(changes: Partial<DiscoverState>, how: 'push' | 'replace' = 'push'): void {
  const written: Record<string, string | readonly string[] | undefined> = {}
  for (const [name, value] of Object.entries(changes)) {
    if (name === 'text') written['q'] = value as string
    else if (name === 'filters') written['f'] = (value as readonly Filter[]).map(writeFilter)
    else if (name === 'columns') written['cols'] = (value as readonly string[]).join(',')
    else if (name === 'timeField') written['time'] = value as string | undefined
    else if (name === 'sort') {
      const sort = value as DiscoverState['sort']
      written['sort'] = sort === undefined ? undefined : `${sort.order === 'desc' ? '-' : ''}${sort.field}`
    } else written[name] = value as string | undefined
  }
  setQuery(written, how)
}

/** The columns of the table: those chosen, behind the time of the documents. */
export function shownColumns(columns: readonly string[], timeField: string | undefined): readonly string[] {
  return timeField === undefined || columns.includes(timeField) ? columns : [timeField, ...columns]
}

export function addFilter(filter: Omit<Filter, 'isOff'>): void {
  const added: Filter = { ...filter, isOff: false }
  const text = writeFilter(added)
  const others = state.value.filters.filter((one) => writeFilter(one) !== text)
  change({ filters: [...others, added] })
}

export function toggleColumn(name: string): void {
  const { columns } = state.value
  change({ columns: columns.includes(name) ? columns.filter((one) => one !== name) : [...columns, name] }, 'replace')
}

export function selectionOf({ text, filters, from, to }: DiscoverState, timeField: string | undefined): Selection {
  return { text, filters, time: timeField === undefined ? undefined : { field: timeField, from, to } }
}
