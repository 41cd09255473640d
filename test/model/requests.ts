/** Random requests about a world, as data that can be shrunk. */
import type { Random } from '../fuzz/random.ts'
import type { Json, JsonObject } from './json.ts'
import { randomQuery } from './queries.ts'
import { randomAggregations, randomComposite, TERMS } from './random-aggregations.ts'
import { randomScored } from './scores.ts'
import { randomSort } from './sorts.ts'
import { fieldNames, randomWrites, runtimeScript, type World, type Write } from './world.ts'

/** What changes documents, or how they are stored. */
export type Act =
  /** A request that changes how the documents are stored and nothing that can be seen. */
  | { readonly kind: 'do'; readonly path: string }
  | { readonly kind: 'write'; readonly index: number; readonly writes: readonly Write[] }
  | {
      readonly kind: 'by-query'
      readonly op: 'update' | 'delete'
      readonly parameters: string
      readonly body: JsonObject
    }

export type Check = { readonly isAlias?: boolean } & (
  | Act
  /** One search, sent twice, because the second may be answered from a cache. */
  | { readonly kind: 'search'; readonly body: JsonObject }
  /** The pages of a search in one of the ways to read them; together they are its complete result. */
  | {
      readonly kind: 'pages'
      readonly way: 'from' | 'search_after' | 'pit' | 'scroll'
      readonly size: number
      readonly body: JsonObject
      /** What is done after each page, where pages are of one moment. */
      readonly between?: readonly Act[]
    }
  /** The slices of a search, which share its result out. */
  | {
      readonly kind: 'slices'
      readonly way: 'pit' | 'scroll'
      readonly max: number
      readonly size: number
      readonly field?: string
      readonly body: JsonObject
      readonly between?: readonly Act[]
    }
  /** The pages of the composite aggregation `c`, which together are its result on one page. */
  | { readonly kind: 'composite'; readonly size: number; readonly body: JsonObject }
  /** A query made of others, and the scores of its parts. */
  | { readonly kind: 'scores'; readonly body: JsonObject }
  | { readonly kind: 'routing'; readonly routing: string; readonly body: JsonObject }
)

const WAYS = ['from', 'search_after', 'pit', 'scroll'] as const
/** Runtime fields of each type: the fields they may be made of, and what their script emits. */
const RUNTIME: readonly (readonly [type: string, from: RegExp, emits: readonly string[]])[] = [
  ['keyword', /^(f_keyword|al|ob\.k|one_keyword)$/, ['v', "v + '!'"]],
  ['long', /^(f_(byte|short|integer)|ob\.n|uid)$/, ['v', 'v * 2 + 1']],
  ['double', /^(f_(byte|short|integer|double)|uid)$/, ['v', 'v / 2.0']],
  ['boolean', /^f_boolean$/, ['v', '!v']],
  ['date', /^f_date$/, ['v.toInstant().toEpochMilli() + 1']],
]

export function randomCheck(random: Random, mapped: World): Check {
  const [type, from, emits] = random.pick(RUNTIME)
  const usable = fieldNames(mapped).filter(({ name }) => from.test(name))
  if (usable.length === 0 || random.chance(0.75)) return randomCheckOf(random, mapped)
  const [{ name }, emitted] = [random.pick(usable), random.pick(emits)]
  const definition = { type, from: name, emits: emitted }
  const indices = mapped.indices.map((index) => ({ ...index, properties: { ...index.properties, r: definition } }))
  const check = randomCheckOf(random, { indices })
  if (check.kind === 'do' || check.kind === 'write' || check.kind === 'by-query' || check.kind === 'scores')
    return check
  const runtime = { r: { type, script: runtimeScript(name, emitted) } }
  return { ...check, body: { ...check.body, runtime_mappings: runtime } }
}

function randomCheckOf(random: Random, world: World): Check {
  const query = random.chance(0.75) ? { query: randomQuery(random, world) } : {}
  const kind = random.pick([
    'search',
    'search',
    'pages',
    'pages',
    'slices',
    'composite',
    'composite',
    'aggs',
    'aggs',
    'act',
    'collapse',
    'scores',
    'routing',
  ])
  const alias = random.chance(0.15) ? { isAlias: true } : {}
  switch (kind) {
    case 'collapse': {
      const field = random.pick(['one_keyword', 'one_long', 'uid'])
      const body = { ...query, collapse: { field }, sort: randomSort(random, world, true) }
      const isEverywhere = world.indices.every(({ properties }) => properties[field] !== undefined)
      if (isEverywhere) return { kind: 'pages', way: 'from', size: 1 + random.below(20), body }
      return { kind: 'search', body: { ...query, size: 100 } }
    }
    case 'search': {
      const sort = random.chance(0.8) ? { sort: randomSort(random, world, random.chance(0.3)) } : {}
      const filter = random.chance(0.1) ? { post_filter: randomQuery(random, world, 0) } : {}
      return {
        kind,
        body: {
          ...query,
          ...sort,
          ...filter,
          ...(random.chance(0.3) ? { docvalue_fields: randomNames(random, world) } : {}),
          size: random.pick([0, 1, 3, 10, 100]),
          ...(random.chance(0.2) ? { from: random.below(8) } : {}),
        },
      }
    }
    case 'pages': {
      const way = random.pick(WAYS)
      const sort = randomSort(random, world, way === 'search_after' || random.chance(0.4))
      const between =
        way === 'pit' || way === 'scroll' ? { between: random.list(2, () => randomAct(random, world)) } : {}
      const size = 1 + random.below(12)
      if (way !== 'pit' || random.chance(0.5))
        return { kind, way, size, body: { ...query, sort }, ...between, ...alias }
      const last = { _shard_doc: random.pick(['asc', 'desc']) }
      return { kind, way, size, body: { ...query, sort: [...sort, last] }, ...between, ...alias }
    }
    case 'slices': {
      const sort = random.chance(0.6) ? { sort: randomSort(random, world, random.chance(0.5)) } : {}
      const way = random.pick(['pit', 'scroll'] as const)
      return {
        kind,
        way,
        max: 2 + random.below(6),
        size: sort.sort === undefined ? 1000 : random.pick([3, 100]),
        body: { ...query, ...sort },
        ...(random.chance(0.3) ? { field: 'uid' } : {}),
        ...(way === 'pit' ? { between: random.list(2, () => randomAct(random, world)) } : {}),
        ...alias,
      }
    }
    case 'composite':
      return {
        kind,
        size: 1 + random.below(9),
        body: { ...query, size: 0, aggs: { c: randomComposite(random, world) } },
        ...alias,
      }
    case 'aggs':
      return { kind: 'search', body: { ...query, size: 0, aggs: randomAggregations(random, world, 2, '') }, ...alias }
    case 'scores':
      return { kind, body: { query: randomScored(random, world, 2) }, ...alias }
    case 'routing':
      return { kind, routing: random.pick(['r0', 'r1', 'r2,r3']), body: query }
    default:
      return randomAct(random, world)
  }
}

/** Requests that take some documents away, but rarely all. */
function randomAct(random: Random, world: World): Act {
  const kind = random.pick(['do', 'do', 'write', 'write', 'by-query'] as const)
  if (kind === 'do')
    return { kind, path: random.pick(['_forcemerge?max_num_segments=1', '_refresh', '_flush', '_cache/clear']) }
  if (kind === 'write') {
    const at = random.below(world.indices.length)
    const ids = Array.from({ length: 70 }, (_, i) => `${at}-${i}`)
    const uid = () => 10_000 + random.below(2 ** 30)
    return { kind, index: at, writes: randomWrites(random, world.indices[at]!.properties, ids, 12, uid) }
  }
  const op = random.pick(['update', 'update', 'delete'] as const)
  const parameters = random.pick([
    '',
    '&slices=2',
    '&slices=3',
    '&slices=auto',
    '&scroll_size=3',
    '&scroll_size=2&slices=2',
  ])
  const ids = { ids: { values: random.list(6, () => `0-${random.below(60)}`) } }
  return { kind, op, parameters, body: { query: op === 'delete' ? ids : randomQuery(random, world) } }
}

function randomNames(random: Random, world: World): Json[] {
  const names = fieldNames(world).filter(({ field }) => field.nested === '' && TERMS.has(field.type.family))
  return [...new Set([random.pick(names).name, random.pick(names).name])]
}
