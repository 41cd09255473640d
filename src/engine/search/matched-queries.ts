/** `matched_queries`: which of the queries that carry a `_name` a hit matches. */
import type { Query, ShardQueryContext } from '../query/query.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../query/window.ts'
import type { ShardHit } from './execute-search.ts'
import { planQuery } from './plan-query.ts'

/** All queries of the tree that have a name, in the order they were written. */
export function queriesWithName(query: Query): Query[] {
  const inside = query.children?.().flatMap(queriesWithName) ?? []
  return query.name === undefined ? inside : [query, ...inside]
}

export class MatchedQueries {
  readonly #names = new Map<ShardHit, string[]>()

  /** Each query runs over the windows that hold a hit, and no others. */
  constructor(context: ShardQueryContext, queries: readonly Query[], hits: readonly ShardHit[]) {
    const ordered = [...hits].sort((a, b) => a.shardDoc - b.shardDoc)
    for (const query of queries) {
      const planned = planQuery(context, query, false, 1)
      context.view.segments.forEach((segment, index) => {
        const own = ordered.filter((hit) => hit.segment === index)
        const matcher = own.length === 0 ? undefined : planned.matcher(segment)
        if (matcher === undefined) return
        const { docCount } = segment.reader
        const scratch = takeScratch()
        let base = -1
        for (const hit of own) {
          if (base < 0 || hit.doc >= base + WINDOW_SIZE) {
            base = windowBase(hit.doc)
            scratch.bits.fill(0)
            const limit = Math.min(base + WINDOW_SIZE, docCount)
            if (matcher.next(base) < limit) matcher.match(base, limit, scratch.bits)
          }
          const at = hit.doc - base
          if ((scratch.bits[at >> 5]! & (1 << (at & 31))) !== 0) this.#add(hit, query.name!)
        }
        releaseScratch(scratch)
      })
    }
  }

  of(hit: ShardHit): readonly string[] {
    return this.#names.get(hit) ?? []
  }

  #add(hit: ShardHit, name: string): void {
    const names = this.#names.get(hit)
    if (names === undefined) this.#names.set(hit, [name])
    else if (!names.includes(name)) names.push(name)
  }
}
