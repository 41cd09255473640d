/**
 * Clauses that refer to documents: `terms` lookups and the examples of `more_like_this`. The documents are read before
 * the shards are searched, because they may be anywhere.
 */
import { ApiError } from '../../base/api-error.ts'
import { routingMissing } from '../../base/errors/document-errors.ts'
import { JsonReader } from '../../base/json/json-reader.ts'
import { shardOfDocument } from '../../base/shard-routing.ts'
import { limitsOf, type ReadLimits } from '../../engine/limits/read-limits.ts'
import { type SourceObject, valuesAt } from '../../engine/mapping/source/source-values.ts'
import { type LikeItem, MoreLikeThisQuery } from '../../engine/query/full-text/more-like-this.ts'
import { TermsQuery } from '../../engine/query/term-level/terms.ts'
import type { Query } from '../../engine/scoring/query.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import { limitedGet } from './shards/limited-get.ts'

/** The `version` of a `like` item that any version of the document satisfies. */
const ANY_VERSION = -3

/** A clause that refers to documents. */
export type Lookup = TermsQuery | MoreLikeThisQuery

/** The clauses among the queries that refer to documents. */
export function lookupsOf(queries: readonly (Query | undefined)[]): Lookup[] {
  const found: Lookup[] = []
  for (const query of queries) if (query !== undefined) addLookups(query, found)
  return found
}

function addLookups(query: Query, found: Lookup[]): void {
  if (query instanceof TermsQuery ? query.lookup !== undefined : query instanceof MoreLikeThisQuery) {
    found.push(query as Lookup)
  }
  const inside = query.children?.()
  if (inside !== undefined) for (const child of inside) addLookups(child, found)
}

/**
 * Resolves the documents that clauses refer to; a missing document has no values. `indices` are those searched: a
 * `like` item without an index is looked up in each of them. `limits` are what the caller may read. Returns the
 * documents found, for the key of the request cache.
 */
export async function resolveLookups(
  context: IndexContext,
  lookups: readonly Lookup[],
  indices: readonly string[],
  limits: ReadLimits | undefined,
): Promise<readonly unknown[]> {
  const work: Promise<unknown>[] = []
  const sources = new Map<string, Promise<SourceObject | undefined>>()
  // A document that is named several times is read once.
  const read: ReadSource = (index, id, routing, version) => {
    const key = JSON.stringify([index, id, routing, version])
    let source = sources.get(key)
    if (source === undefined) {
      source = readSource(context, index, id, routing, version, limits)
      sources.set(key, source)
    }
    return source
  }
  for (const query of lookups) {
    if (query instanceof TermsQuery) work.push(resolveTerms(read, query))
    else for (const item of query.lookups) work.push(resolveItem(read, item, indices))
  }
  return await Promise.all(work)
}

type ReadSource = (
  index: string,
  id: string,
  routing: string | undefined,
  version?: number,
) => Promise<SourceObject | undefined>

async function resolveTerms(read: ReadSource, query: TermsQuery): Promise<unknown> {
  const { index, id, path, routing } = query.lookup!
  const source = await read(index, id, routing)
  if (source === undefined) return undefined
  const values = valuesAt(source, path).flat(Number.POSITIVE_INFINITY)
  query.values = values.filter((value) => value !== null)
  return query.values
}

async function resolveItem(read: ReadSource, item: LikeItem, indices: readonly string[]): Promise<unknown> {
  for (const index of item.index === undefined ? new Set(indices) : [item.index]) {
    try {
      const source = await read(index, item.id!, item.routing, item.version)
      if (source !== undefined) item.found.set(index, source)
    } catch (error) {
      // A `like` item that cannot be read is ignored.
      if (!(error instanceof ApiError)) throw error
    }
  }
  return [...item.found]
}

async function readSource(
  context: IndexContext,
  name: string,
  id: string,
  routing: string | undefined,
  version: number | undefined,
  limits: ReadLimits | undefined,
): Promise<SourceObject | undefined> {
  const resolver = resolverOf(context)
  const index = resolver.singleIndex(name, EXPAND_OPEN_FORBID_CLOSED)
  if (routing === undefined && context.mappings.of(index).routingRequired) throw routingMissing(index.name, id)
  const shard = shardOfDocument(index, id, routing)
  const key = { indexUuid: index.uuid, shard }
  const get = { key, id, realtime: true, storedFields: [] }
  const [target] = limits === undefined ? [] : resolver.searchTargets([name], EXPAND_OPEN_FORBID_CLOSED)
  const own = target && limitsOf(limits, target.reachedBy)
  const found = own === undefined ? await context.shards.host.get(get) : await limitedGet(context, get, own)
  if (found?.source === undefined) return undefined
  if (version !== undefined && version !== ANY_VERSION && version !== found.version) return undefined
  const reader = new JsonReader().reset(Uint8Array.from(found.source))
  reader.next()
  return reader.value() as SourceObject
}
