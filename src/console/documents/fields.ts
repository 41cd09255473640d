/** The fields of indices, and the names of indices, aliases and data streams. */
import { signal } from '@preact/signals'
import { call, segment } from '../api/client.ts'

export interface Field {
  readonly name: string
  readonly type: string
  readonly isSearchable: boolean
  readonly isAggregatable: boolean
}

interface FieldCaps {
  readonly fields: Record<
    string,
    Record<string, { searchable: boolean; aggregatable: boolean; metadata_field?: boolean }>
  >
}

export async function readFields(index: string, abort?: AbortSignal): Promise<Field[]> {
  const caps = await call<FieldCaps>('GET', fieldsPath(index), undefined, abort)
  return Object.entries(caps.fields)
    .flatMap(([name, types]): Field[] => {
      const [type] = Object.keys(types)
      const all = Object.values(types)
      if (type === undefined || all.some(({ metadata_field }) => metadata_field === true)) return []
      return [
        {
          name,
          type: Object.keys(types).length > 1 ? 'conflict' : type,
          isSearchable: all.every(({ searchable }) => searchable),
          isAggregatable: all.every(({ aggregatable }) => aggregatable),
        },
      ]
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function fieldsPath(index: string): string {
  return `/${segment(index)}/_field_caps?fields=*`
}

export const DATE_TYPES: ReadonlySet<string> = new Set(['date', 'date_nanos'])
export const NUMBER_TYPES: ReadonlySet<string> = new Set(
  'long integer short byte double float half_float scaled_float unsigned_long'.split(' '),
)

/** `@timestamp` if it exists, otherwise the first date field. */
export function timeFieldOf(fields: readonly Field[]): string | undefined {
  const dates = fields.filter(({ type }) => DATE_TYPES.has(type))
  return (dates.find(({ name }) => name === '@timestamp') ?? dates[0])?.name
}

const LETTERS: Readonly<Record<string, string>> = {
  keyword: 'k',
  text: 't',
  boolean: 'b',
  ip: 'ip',
  geo_point: '◎',
  nested: '{}',
  object: '{}',
  conflict: '!',
}

/** A letter that stands for the type. */
export function typeLetter(type: string): string {
  if (DATE_TYPES.has(type)) return '◷'
  return NUMBER_TYPES.has(type) ? '#' : (LETTERS[type] ?? type.slice(0, 1))
}

/** The names of indices, aliases and data streams. */
export const names = signal<readonly { readonly name: string; readonly kind: string }[]>([])

export async function readNames(): Promise<void> {
  const answer = await call<{
    indices: { name: string }[]
    aliases: { name: string }[]
    data_streams: { name: string }[]
  }>('GET', '/_resolve/index/*?expand_wildcards=open')
  names.value = [
    ...answer.indices.map(({ name }) => ({ name, kind: 'index' })),
    ...answer.aliases.map(({ name }) => ({ name, kind: 'alias' })),
    ...answer.data_streams.map(({ name }) => ({ name, kind: 'data stream' })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * The index or data stream to open where none is chosen: the newest that has documents, or else the newest. Undefined if there is
 * none. Hidden indices do not count, but the backing indices of data streams do, for their stream.
 */
export async function readStartIndex(): Promise<string | undefined> {
  const [rows] = await Promise.all([
    call<{ index: string; 'docs.count': string | null }[]>(
      'GET',
      '/_cat/indices?format=json&expand_wildcards=open,hidden&s=creation.date:desc,index:desc&h=index,docs.count',
    ),
    readNames(),
  ])
  const visible = rows.flatMap((row) => {
    const [, stream = row.index] = /^\.ds-(.+)-\d{4}\.\d\d\.\d\d-\d{6,}$/.exec(row.index) ?? []
    return stream.startsWith('.') ? [] : [{ name: stream, hasDocuments: Number(row['docs.count'] ?? 0) > 0 }]
  })
  return (visible.find(({ hasDocuments }) => hasDocuments) ?? visible[0])?.name
}
