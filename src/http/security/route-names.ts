/** How the names of a route are expanded for authorization: the index options, and the kind of names. */
import type { Abstraction } from '../../service/metadata/metadata-state.ts'
import {
  CHANGE_METADATA,
  DELETE_INDICES,
  EXPAND_CLOSED,
  EXPAND_HIDDEN,
  EXPAND_OPEN,
  EXPAND_OPEN_AND_CLOSED,
  EXPAND_OPEN_LENIENT,
  type IndicesOptions,
} from '../../service/names/indices-options.ts'

/** Options by action, where they differ from the default (open indices). They equal those of the handlers. */
const OPTIONS: Readonly<Record<string, IndicesOptions>> = {
  'indices:admin/shards/search_shards': EXPAND_OPEN_LENIENT,
  'indices:admin/mapping/put': CHANGE_METADATA,
  'indices:admin/settings/update': CHANGE_METADATA,
  'indices:admin/delete': DELETE_INDICES,
  'indices:admin/open': EXPAND_CLOSED,
  'indices:admin/aliases/get': EXPAND_HIDDEN,
  'indices:admin/data_stream/get': { ...EXPAND_OPEN, allowAliases: false },
}

const OPTIONS_OF_PATHS: Readonly<Record<string, IndicesOptions>> = {
  '/_cat/indices': EXPAND_OPEN_AND_CLOSED,
  '/_cat/shards': EXPAND_HIDDEN,
  '/_data_stream': { ...EXPAND_HIDDEN, allowAliases: false },
}

export function namesOptions(path: string, action: string): IndicesOptions {
  return OPTIONS_OF_PATHS[path.replace(/\/\{index\}$/, '')] ?? OPTIONS[action] ?? EXPAND_OPEN
}

/** Actions on a single index. They reject wildcards. */
const SINGLE_TARGET: ReadonlySet<string> = new Set([
  ...['indices:data/read/get', 'indices:data/read/explain', 'indices:data/read/tv', 'indices:data/write/index'],
  ...['indices:data/write/delete', 'indices:data/write/update', 'indices:admin/create', 'indices:admin/analyze'],
  ...['indices:admin/rollover', 'indices:admin/data_stream/create', 'indices:admin/data_stream/migrate'],
  'indices:admin/resize',
])

export const isSingleTarget = (action: string) => SINGLE_TARGET.has(action)

export type NameKind = Abstraction['kind']

/** The kind of things that a wildcard in a path parameter matches; undefined for all. */
export function kindOf(action: string, parameter: string, path: string): NameKind | undefined {
  if (/data_stream\/(get|delete|stats|lifecycle\/(get|put|delete)|settings\/(get|update))$/.test(action))
    return 'dataStream'
  if (parameter === 'alias' || (parameter === 'name' && path.includes('_alias'))) return 'alias'
  return undefined
}
