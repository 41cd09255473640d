/**
 * `_shard_doc` in a point in time of a cluster without it, with Elasticsearch's numbers and order: the place of the shard
 * among all shards, and the document's number in its shard. The copies of the shards of a point in time are fixed, so
 * that `_doc` gives the same numbers in all of its searches.
 *
 * The cluster breaks ties by `_doc` before the shard. A search of all shards therefore shows groups of hits with equal
 * sort values completely, but in another order, and cuts the last group in the wrong place. Groups that it shows
 * completely are put in order; a group that is cut is read shard by shard. Most pages need one search.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { numberOf } from './answer-tree.ts'
import type { ShardPlaces } from './shard-places.ts'
import { haveSameValues } from './sort-values.ts'
import type { TiebreakRequest } from './tiebreaker.ts'

export interface ShardDocRequest extends TiebreakRequest {
  /** The search of the client, ready for the cluster but for `sort`, `search_after`, `from` and `size`. */
  readonly request: JsonObject
}

export interface ShardDocPlan {
  /** The search of all shards. */
  readonly request: JsonObject
  /** The hits for the client. `found` are those of `request`, and `ask` returns the hits of further searches. */
  complete(found: readonly JsonObject[], ask: Ask): Promise<JsonObject[]>
}

export type Ask = (request: JsonObject) => Promise<JsonObject[]>

/** Hits that are asked for beyond the page, to see where its last group ends. */
const EXTRA = 16
const SHARD_FACTOR = 2 ** 32
const DOC_MAX = 2 ** 31 - 1

/** A document among those with equal sort values. */
interface Spot {
  readonly place: number
  readonly doc: number
}

interface Placed extends Spot {
  readonly hit: JsonObject
}

export function planShardDoc(given: ShardDocRequest): ShardDocPlan {
  const { places, position, searchAfter, from, size, window } = given
  const last = searchAfter && spotOf(searchAfter[position])
  if (places.total <= 1) {
    const request = searchOf(given, searchAfter && withTie(given, searchAfter, last!.doc), size)
    return { request: from === 0 ? request : { ...request, from }, complete: async (found) => [...found] }
  }
  // All hits of the cluster have equal sort values: none of a search of all shards would be of use.
  const isBare = position === 0
  const asked = Math.min(window, from + size + EXTRA)
  const after = isBare ? undefined : searchAfter && withTie(given, searchAfter, beforeAll(given))
  return {
    request: isBare ? searchOf(given, undefined, 0) : searchOf(given, after, asked),
    async complete(found, ask) {
      const pages = new Pages(given, ask)
      if (isBare) await pages.readGroup([], last)
      else await pages.read(found, asked, searchAfter, last)
      return pages.hits.slice(from, from + size)
    },
  }
}

/** Collects the hits of one page. */
class Pages {
  readonly hits: JsonObject[] = []
  readonly #given: ShardDocRequest
  readonly #ask: Ask
  readonly #wanted: number

  constructor(given: ShardDocRequest, ask: Ask) {
    this.#given = given
    this.#ask = ask
    this.#wanted = given.from + given.size
  }

  /** `found` are up to `asked` hits, which begin with the group of `after`; `last` is the last hit of it that was seen. */
  async read(
    found: readonly JsonObject[],
    asked: number,
    after: readonly unknown[] | undefined,
    last: Spot | undefined,
  ): Promise<void> {
    const groups = this.#groupsOf(found)
    for (const [i, group] of groups.entries()) {
      if (this.hits.length >= this.#wanted) return
      const values = group[0]!.hit['sort'] as unknown[]
      const seen = i === 0 && last !== undefined && this.#isSame(group, values, after!, last) ? last : undefined
      const isCut = i === groups.length - 1 && found.length >= asked
      if (!isCut) {
        this.#take(group.filter((placed) => seen === undefined || this.#compare(placed, seen) > 0))
        continue
      }
      await this.readGroup(values, seen)
      const left = this.#wanted - this.hits.length
      if (left <= 0) return
      const size = Math.min(this.#given.window, left + EXTRA)
      const next = searchOf(this.#given, withTie(this.#given, values, afterAll(this.#given)), size)
      await this.read(await this.#ask(further(next)), size, undefined, undefined)
    }
  }

  /** Reads the hits with these sort values behind `last`, shard by shard. */
  async readGroup(values: readonly unknown[], last: Spot | undefined): Promise<void> {
    const { places, isDescending, position } = this.#given
    const key = keyOf(values, position)
    const end = isDescending ? -1 : places.total
    const step = isDescending ? -1 : 1
    for (let place = last?.place ?? (isDescending ? places.total - 1 : 0); place !== end; place += step) {
      if (place < 0 || place >= places.total) return
      const start = place === last?.place ? last.doc : beforeAll(this.#given)
      const size = Math.min(this.#given.window, this.#wanted - this.hits.length)
      const search = searchOf(this.#given, withTie(this.#given, values, start), size)
      const found = await this.#ask(further(inShard(search, places, place)))
      const hits = found.filter((hit) => keyOf(hit['sort'] as unknown[], position) === key)
      this.#take(hits.map((hit) => ({ hit, place, doc: this.#docOf(hit) })))
      if (this.hits.length >= this.#wanted) return
    }
  }

  #take(group: readonly Placed[]): void {
    const { position } = this.#given
    for (const { hit, place, doc } of group) {
      const sort = [...(hit['sort'] as unknown[])]
      sort[position] = place * SHARD_FACTOR + doc
      this.hits.push({ ...hit, sort })
    }
  }

  /** Hits with equal sort values, in the order of their shards. */
  #groupsOf(hits: readonly JsonObject[]): Placed[][] {
    const { position, places } = this.#given
    const groups: Placed[][] = []
    let lastKey: string | undefined
    for (const hit of hits) {
      const key = keyOf(hit['sort'] as unknown[], position)
      if (key !== lastKey) groups.push([])
      lastKey = key
      groups.at(-1)!.push({ hit, place: places.placeOf(hit) ?? 0, doc: this.#docOf(hit) })
    }
    for (const group of groups) if (group.length > 1) group.sort((a, b) => this.#compare(a, b))
    return groups
  }

  #compare(a: Spot, b: Spot): number {
    const order = a.place - b.place || a.doc - b.doc
    return this.#given.isDescending ? -order : order
  }

  #docOf(hit: JsonObject): number {
    return numberOf((hit['sort'] as unknown[])[this.#given.position]) ?? 0
  }

  /** Whether a group has the sort values that the client gave, perhaps in another form. */
  #isSame(group: readonly Placed[], values: readonly unknown[], given: readonly unknown[], last: Spot): boolean {
    const isSame = haveSameValues(values, given, this.#given.position)
    return isSame ?? group.some((placed) => this.#compare(placed, last) === 0)
  }
}

function searchOf(given: ShardDocRequest, after: readonly unknown[] | undefined, size: number): JsonObject {
  const { from: _, search_after: __, ...rest } = given.request
  const sort = [...given.sort]
  sort[given.position] = { _doc: { order: given.isDescending ? 'desc' : 'asc' } }
  return { ...rest, sort, ...(after === undefined ? {} : { search_after: after }), size }
}

/** A further search for hits only. */
function further(search: JsonObject): JsonObject {
  const { aggs: _, aggregations: __, suggest: ___, profile: ____, ...rest } = search
  return { ...rest, track_total_hits: false }
}

/** A slice with the number of shards of an index is one of its shards. */
function inShard(search: JsonObject, places: ShardPlaces, place: number): JsonObject {
  const { index, shard, shards, isOnly } = places.shardAt(place)
  const { query = { match_all: {} } } = search
  return {
    ...search,
    ...(isOnly ? {} : { query: { bool: { must: [query], filter: [{ term: { _index: index } }] } } }),
    ...(shards === 1 ? {} : { slice: { id: shard, max: shards } }),
  }
}

function withTie({ position }: ShardDocRequest, values: readonly unknown[], doc: number): unknown[] {
  const out = [...values]
  out[position] = doc
  return out
}

const beforeAll = ({ isDescending }: ShardDocRequest) => (isDescending ? DOC_MAX : -1)
const afterAll = ({ isDescending }: ShardDocRequest) => (isDescending ? -1 : DOC_MAX)

/** The document of a value of `_shard_doc`. */
function spotOf(value: unknown): Spot {
  const number = Math.trunc(numberOf(value) ?? (typeof value === 'string' ? Number(value) : 0)) || 0
  const place = Math.floor(number / SHARD_FACTOR)
  return { place, doc: Math.min(DOC_MAX, number - place * SHARD_FACTOR) }
}

/** The sort values before the tiebreaker as one text. Values of equal hits come in equal form from the cluster. */
function keyOf(values: readonly unknown[], position: number): string {
  return JSON.stringify(values.slice(0, position), (_, value) => {
    if (typeof value === 'bigint') return `${value}n`
    return value?.bytes instanceof Uint8Array ? `#${Buffer.from(value.bytes).toString('latin1')}` : value
  })
}
