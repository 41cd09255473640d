/** A computed column of thousands of documents gives the same answers as a mapped field with the same values. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

const DOCS = 4_500
const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
  for (const [index, isSparse, deleted] of [
    ['full', false, [1, 777, 4321]],
    ['gaps', true, [1, 777, 4321]],
    ['whole', false, []],
  ] as const) {
    const keyword = { type: 'keyword' }
    const properties = {
      host: keyword, kind: keyword, n: { type: 'long' }, x: { type: 'double' }, t: { type: 'date' }, name: keyword,
      pair: keyword, day: keyword, hour: { type: 'long' }, twice: { type: 'double' }, far: { type: 'long' },
    } // biome-ignore format: a list
    await search.request('PUT', `/${index}`, { mappings: { properties } })
    let lines = ''
    for (let i = 0; i < DOCS; i++) {
      lines += `{"index":{"_id":"${i}"}}\n${JSON.stringify(document(i, isSparse))}\n`
    }
    await search.request('POST', `/${index}/_bulk?refresh=true`, lines)
    for (const id of deleted) await search.request('DELETE', `/${index}/_doc/${id}?refresh=true`)
  }
})
after(() => search.stop())

function document(i: number, isSparse: boolean) {
  if (isSparse && i % 11 === 3) return { n: i }
  const host = `h${(i * 31) % 40}`
  const kind = ['a', 'b', 'c'][i % 3]!
  const time = new Date(Date.UTC(2023, 0, 1) + i * 3_333_333)
  return {
    host,
    kind,
    n: (i * 7919) % 100_003,
    x: ((i * 7919) % 1000) / 8,
    t: time.toISOString(),
    name: `${host}!`,
    pair: `${host}-${kind}`,
    day: DAYS[(time.getUTCDay() + 6) % 7],
    hour: time.getUTCHours(),
    twice: ((i * 7919) % 1000) / 4,
    far: ((i * 7919) % 100_003) * 1_000_000_007,
  }
}

const script = (type: string, reads: string, source: string) => ({
  type,
  script: { source: `if (doc['${reads}'].size() > 0) { ${source} }` },
})
const RUNTIME: Record<string, object> = {
  name: script('keyword', 'host', "emit(doc['host'].value + '!')"),
  pair: script('keyword', 'host', "emit(doc['host'].value + '-' + doc['kind'].value)"),
  day: script('keyword', 't', "emit(doc['t'].value.dayOfWeekEnum.toString())"),
  hour: script('long', 't', "emit(doc['t'].value.getHour())"),
  twice: script('double', 'x', "emit(doc['x'].value * 2)"),
  far: script('long', 'x', "emit(doc['n'].value * 1000000007L)"),
}

/** The requests that a field is used in. */
function requests(field: string): Record<string, object> {
  const isText = ['name', 'pair', 'day'].includes(field)
  const terms = { terms: { field, size: 1000 } }
  const common = {
    terms: { size: 0, aggs: { a: terms } },
    'terms of a query': { size: 0, query: { range: { n: { gte: 500, lt: 40_000 } } }, aggs: { a: terms } },
    'terms with children': { size: 0, aggs: { a: { ...terms, aggs: { s: { sum: { field: 'n' } } } } } },
    sort: { size: 50, sort: [{ [field]: 'desc' }, { n: 'asc' }], _source: false },
    exists: { size: 0, track_total_hits: true, query: { exists: { field } } },
  }
  if (isText) return common
  const interval = field === 'far' ? 1e12 : 20
  return {
    ...common,
    histogram: { size: 0, aggs: { a: { histogram: { field, interval } } } },
    'histogram with bounds': {
      size: 0,
      aggs: { a: { histogram: { field, interval, offset: 3, hard_bounds: { min: interval, max: interval * 3 } } } },
    },
    'histogram with children': {
      size: 0,
      aggs: { a: { histogram: { field, interval }, aggs: { s: { max: { field: 'n' } } } } },
    },
    range: { size: 0, track_total_hits: true, query: { range: { [field]: { gte: 10, lt: interval * 10 } } } },
    stats: { size: 0, aggs: { a: { stats: { field } } } },
  }
}

interface Answer {
  readonly hits: unknown
  readonly aggregations: { readonly c?: { readonly after_key?: object } } | undefined
  readonly error: unknown
}

async function answer(index: string, body: object): Promise<Answer> {
  const { body: found } = await search.request('POST', `/${index}/_search?request_cache=false`, body)
  const { hits, aggregations, error } = found as unknown as Answer
  return { hits, aggregations, error }
}

for (const index of ['full', 'gaps', 'whole']) {
  for (const [field, definition] of Object.entries(RUNTIME)) {
    test(`the computed field ${field} of ${index} answers like the mapped field, at first and again`, async () => {
      for (const [name, body] of Object.entries(requests(field))) {
        const expected = await answer(index, body)
        const runtime_mappings = { [field]: { ...definition, meta: { request: name } } }
        for (let round = 0; round < 3; round++)
          assert.deepEqual(await answer(index, { runtime_mappings, ...body }), expected, `${name}, round ${round}`)
      }
    })

    test(`the pages of a composite over the computed field ${field} of ${index} are those of the mapped field`, async () => {
      for (const order of ['asc', 'desc']) {
        let after: object | undefined
        for (let page = 0; page < 4; page++) {
          const composite = { size: 7, sources: [{ a: { terms: { field, order } } }], ...(after && { after }) }
          const body = { size: 0, aggs: { c: { composite, aggs: { s: { sum: { field: 'n' } } } } } }
          const expected = await answer(index, body)
          assert.deepEqual(await answer(index, { runtime_mappings: { [field]: definition }, ...body }), expected)
          after = expected.aggregations?.c?.after_key
          if (after === undefined) break
        }
      }
    })
  }
}
