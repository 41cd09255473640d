/** Parses the filter of an alias when the alias is created, so that later searches cannot fail on it. */
import { randomBytes } from 'node:crypto'
import { ApiError, illegalArgument, illegalRequestState } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { parseQueryBody } from '../../engine/query/parse-query.ts'
import { TermsQuery } from '../../engine/query/term-level/terms.ts'
import type { Query } from '../../engine/scoring/query.ts'
import type { ShardView } from '../../engine/segment/segment-reader-api.ts'
import type { IndexMappings } from '../catalog/index-mappings.ts'
import type { AliasMetadata, FlatSettings, IndexMetadata } from '../metadata/metadata.ts'
import { shardQueryContext } from '../search/shards/index-search-context.ts'

export function checkAliasFilter(name: string, alias: AliasMetadata): void {
  check(name, alias, () => {})
}

/** Also binds the filter to the fields of the index: a value that its field cannot have is refused. */
export function checkAliasFilterOf(
  index: IndexMetadata,
  name: string,
  alias: AliasMetadata,
  mappings: IndexMappings,
  nowMs: number,
): void {
  check(name, alias, (query) => {
    // Aliases are created without reading documents of other indices.
    if (hasLookup(query)) throw illegalRequestState('async actions are left after rewrite')
    query.plan({ isCheck: true, ...shardQueryContext(index, 0, NO_DOCUMENTS, mappings, nowMs) }, false, 1)
  })
}

/** Binds the filter of a template to an index without fields, whatever the mappings of the template are, as Elasticsearch does. */
export function checkTemplateAliasFilter(
  settings: FlatSettings,
  name: string,
  alias: AliasMetadata,
  mappings: IndexMappings,
  nowMs: number,
): void {
  if (alias.filter === undefined) return
  const index: IndexMetadata = {
    name: `validate-template-${randomBytes(16).toString('base64url').toLowerCase()}`,
    uuid: randomBytes(16).toString('base64url'),
    state: 'open',
    settings: { ...settings },
    mapping: {},
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    aliases: {},
    creationDate: nowMs,
    shardCount: 1,
    routingShards: 1,
  }
  checkAliasFilterOf(index, name, alias, mappings, nowMs)
}

const hasLookup = (query: Query): boolean =>
  (query instanceof TermsQuery && query.lookup !== undefined) || (query.children?.() ?? []).some(hasLookup)

const NO_DOCUMENTS: ShardView = { generation: 0, segments: [], liveRoots: 0 }

function check(name: string, { filter }: AliasMetadata, use: (query: Query) => void): void {
  if (filter === undefined) return
  try {
    use(parseQueryBody(encodeJson(filter)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw illegalArgument(`failed to parse filter for alias [${name}]`, error)
  }
}
