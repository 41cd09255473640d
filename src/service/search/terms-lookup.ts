/** `terms` with a lookup: the values are read from a document before the shards are asked. */

import { JsonReader } from '../../base/json/json-reader.ts'
import { routingShard } from '../../base/murmur3.ts'
import type { Query } from '../../engine/query/query.ts'
import { TermsQuery } from '../../engine/query/terms.ts'
import { type SourceObject, valuesAt } from '../../engine/search/source-values.ts'
import { type IndexContext, resolverOf } from '../indices/index-context.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'

/** Fills in the values of every lookup in the queries. A document that is not there has none. */
export async function resolveLookups(context: IndexContext, queries: readonly (Query | undefined)[]): Promise<void> {
  const lookups = queries.flatMap((query) => (query === undefined ? [] : lookupsOf(query)))
  await Promise.all(lookups.map((query) => resolveLookup(context, query)))
}

function lookupsOf(query: Query): TermsQuery[] {
  if (query instanceof TermsQuery) return query.lookup === undefined ? [] : [query]
  return query.children?.().flatMap(lookupsOf) ?? []
}

async function resolveLookup(context: IndexContext, query: TermsQuery): Promise<void> {
  const { index: name, id, path, routing } = query.lookup!
  const index = resolverOf(context).singleIndex(name, EXPAND_OPEN_FORBID_CLOSED)
  const shard = routingShard(routing ?? id, index.shardCount, index.routingShards)
  const key = { indexUuid: index.uuid, shard }
  const found = await context.shards.host.get({ key, id, realtime: true, storedFields: [] })
  if (found?.source === undefined) return
  const reader = new JsonReader().reset(Uint8Array.from(found.source))
  reader.next()
  const values = valuesAt(reader.value() as SourceObject, path).flat(Number.POSITIVE_INFINITY)
  query.values = values.filter((value) => value !== null)
}
