/** Whole results read page by page, and searches over several indices. */
import { query } from './queries.mjs'
import { call } from './steps.mjs'
import { makeWorld } from './world.mjs'

const SORTS = [
  ['uid'],
  [{ n: { order: 'desc', missing: '_first' } }, 'uid'],
  [{ at: 'asc' }, 'uid'],
  [{ k: { order: 'desc', mode: 'min' } }, { uid: 'desc' }],
  [{ ip: { missing: '_first' } }, 'uid'],
  [{ nano: { order: 'desc', format: 'strict_date_optional_time_nanos' } }, 'uid'],
  [{ b: 'desc' }, { d: { mode: 'max' } }, 'uid'],
  [{ 'o.n': { nested: { path: 'o', filter: { range: { 'o.n': { gt: 2 } } } }, mode: 'min' } }, 'uid'],
  [{ _geo_distance: { p: '1,1', order: 'desc', unit: 'm' } }, 'uid'],
  [{ l: { numeric_type: 'double' } }, 'uid'],
  [{ _score: 'asc' }, 'uid'],
]

const SOURCES = [
  { a: { terms: { field: 'k' } } },
  { b: { terms: { field: 'n', order: 'desc' } } },
  { c: { date_histogram: { field: 'at', calendar_interval: 'month', format: 'yyyy-MM', time_zone: '+03:00' } } },
  { d: { histogram: { field: 'd', interval: 1.5 } } },
  { e: { terms: { field: 'b', missing_bucket: true, missing_order: 'last' } } },
  { f: { terms: { field: 'ip' } } },
  { g: { geotile_grid: { field: 'p', precision: 3 } } },
  { h: { terms: { field: 'f.x', order: 'desc', missing_bucket: true } } },
  { i: { date_histogram: { field: 'nano', fixed_interval: '12h', offset: '1h' } } },
]

export const paging = {
  name: 'grammar-paging',
  casesPerWorld: 20,
  makeWorld,
  makeCase(rng, world) {
    if (rng.chance(0.3)) {
      const sources = rng.sample(SOURCES, rng.int(1, 3))
      const aggs = {
        pages: {
          composite: { size: rng.int(1, 9), sources },
          ...(rng.chance(0.5) ? { aggs: { m: { [rng.pick(['max', 'value_count', 'avg'])]: { field: 'n' } } } } : {}),
        },
      }
      const body = { size: 0, aggs, ...(rng.chance(0.4) ? { query: query(rng, 0) } : {}) }
      return { steps: [{ kind: 'composite', target: world.target, body, name: 'pages' }] }
    }
    const how = rng.pick(['from', 'search_after', 'pit', 'scroll', 'pit_slices', 'scroll_slices'])
    return {
      steps: [
        {
          kind: 'pages',
          how,
          target: world.target,
          body: {
            query: query(rng, 1),
            sort: rng.pick(SORTS),
            _source: ['uid'],
            ...rng.options({ fields: [0.1, () => ['k']], track_scores: [0.1, () => true] }),
          },
          size: rng.int(3, 12),
          ...(how.endsWith('slices')
            ? { slices: rng.int(2, 4), ...(rng.chance(0.3) ? { sliceField: 'uid' } : {}) }
            : {}),
        },
      ],
    }
  },
}

/** Two indices whose mappings differ, with an alias and a filter. */
export const several = {
  name: 'grammar-several',
  casesPerWorld: 20,
  makeWorld(rng, name) {
    const world = makeWorld(rng, name)
    const other = makeWorld(rng, `${name}-b`)
    const index = other.indices[0]
    const properties = structuredClone(index.body.mappings.properties)
    Object.assign(
      properties,
      rng.pick([
        { l: { type: 'integer' } },
        { n: { type: 'long' } },
        { at: { type: 'date_nanos' } },
        { h: { type: 'double' } },
        { k2: { type: 'keyword' } },
      ]),
    )
    index.body = {
      settings: index.body.settings,
      mappings: { properties },
      aliases: { [`${name}-filtered`]: { filter: { range: { n: { gte: 2 } } } } },
    }
    world.indices.push(index)
    return { ...world, target: `${name},${name}-b` }
  },
  makeCase(rng, world) {
    const [first] = world.target.split(',')
    const target = rng.pick([
      world.target,
      `${first}*`,
      `${first},${first}-filtered`,
      `${first}-filtered`,
      `${first}*,-${first}-b`,
    ])
    const body = {
      query: query(rng, 1),
      size: rng.pick([1000, 7]),
      sort: rng.pick([...SORTS, undefined, undefined]),
      ...rng.options({
        indices_boost: [0.2, () => rng.pick([[{ [first]: 2 }], [{ [`${first}*`]: 0.5 }, { [`${first}-b`]: 3 }]])],
        aggs: [
          0.5,
          () => ({
            i: { terms: { field: '_index' } },
            n: { [rng.pick(['stats', 'terms', 'cardinality'])]: { field: rng.pick(['n', 'l', 'd', 'at', 'h']) } },
          }),
        ],
        fields: [0.3, () => rng.pick([['k', 'at'], ['_index', 'l', 'h'], [{ field: 'at', format: 'epoch_millis' }]])],
        collapse: [0.1, () => ({ field: 'ob.k', inner_hits: { name: 'c', size: 2, sort: ['uid'], _source: false } })],
        _source: [0.5, () => false],
        track_total_hits: [0.2, () => rng.pick([5, true, false])],
      }),
    }
    if (body.sort === undefined) delete body.sort
    if (body.collapse) body.sort = ['uid']
    const parameters = rng.chance(0.3) ? '?search_type=dfs_query_then_fetch' : ''
    return { steps: [call('POST', `/${target}/_search${parameters}`, body, { as: 'search' })] }
  },
}
