/** The `knn` sections of a search: the nearest documents of all shards, found before the query phase. */
import { allShardsFailed, type ShardFailure } from '../../base/errors/search-errors.ts'
import type { NearestDocuments } from '../../engine/query/vectors/best-documents.ts'
import { type KnnSection, shardKey } from '../../engine/query/vectors/knn-section.ts'
import type { SearchExecutionContext } from '../../engine/scoring/query.ts'
import { asQueryFailure } from '../../engine/search/plan-query.ts'
import type { ShardView } from '../../engine/segment/segment-reader-api.ts'
import type { RequestContext } from './shards/index-search-context.ts'
import type { Reach } from './shards/reach.ts'
import type { ShardAccess, ViewSource } from './shards/shard-access.ts'
import type { SearchShard } from './shards/shard-search.ts'

interface Neighbour {
  readonly shard: number
  readonly doc: number
  readonly score: number
}

/** The shards on which the neighbours were found, and the views in which they are. */
export interface Neighbourhoods {
  readonly shards: readonly SearchShard[]
  readonly source: ViewSource
}

/**
 * Finds the `k` nearest documents of each section among all shards, and tells the section which of them each shard has. Shards on
 * which this failed are added to `failures`. The query phase must read the same views, because documents are known by number.
 */
export function findNeighbours(
  sections: readonly KnnSection[],
  access: ShardAccess,
  { shards, views, source }: Reach,
  failures: ShardFailure[],
  context: RequestContext,
): Neighbourhoods {
  const viewOf = new Map<SearchShard, ShardView>()
  const keys: string[] = []
  const found: NearestDocuments[][] = []
  for (const shard of shards) {
    const search = (own: SearchExecutionContext) => {
      found.push(sections.map((section) => asQueryFailure(own, () => section.nearest(own))))
      keys.push(shardKey(own))
      viewOf.set(shard, views.at(-1)!.held.view)
    }
    const holding: ViewSource = {
      hold(asked) {
        const held = access.hold(asked, source)
        views.push({ key: asked.key, held })
        return { view: held.view, release: () => undefined }
      },
    }
    access.onShard(shard, failures, search, { ...context, views: [], source: holding })
  }
  if (viewOf.size === 0 && shards.length > 0) throw allShardsFailed(failures, 'dfs')
  for (const [at, section] of sections.entries()) {
    const best = nearestOf(
      found.map((ofSections) => ofSections[at]!),
      section.request.k,
    )
    section.choose(new Map(keys.map((key, shard) => [key, ofShard(best, shard)])))
  }
  return {
    shards: [...viewOf.keys()],
    source: { hold: (shard) => ({ view: viewOf.get(shard)!, release: () => undefined }) },
  }
}

function nearestOf(found: readonly NearestDocuments[], most: number): Neighbour[] {
  const all = found.flatMap(({ docs, scores }, shard) =>
    Array.from(docs, (doc, i): Neighbour => ({ shard, doc, score: scores[i]! })),
  )
  return all.sort((a, b) => b.score - a.score || a.shard - b.shard || a.doc - b.doc).slice(0, most)
}

function ofShard(best: readonly Neighbour[], shard: number): NearestDocuments {
  const own = best.filter((one) => one.shard === shard)
  return { docs: Int32Array.from(own, ({ doc }) => doc), scores: Float32Array.from(own, ({ score }) => score) }
}
