/**
 * Features: tokens of sparse vectors and numbers that rank, in definitions, documents, queries and everything that reads fields.
 *
 * `sparse-vectors.ndjson` has a request per line with the response of Elasticsearch 8.19. The server that recorded it has no
 * `rank_feature`; the tests below compute its scores by Lucene's formulas.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

const INDEX = 'ranks'
const DOCUMENTS = 400
const f = Math.fround

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
})
after(() => search.stop())

test('sparse vectors have the responses of Elasticsearch', () => checkRecorded(search, 'sparse-vectors.ndjson'))

/** The float without its last 15 bits. */
function kept(value: number): number {
  const floats = Float32Array.of(value)
  const bits = new Int32Array(floats.buffer)
  bits[0] = (bits[0]! >>> 15) << 15
  return floats[0]!
}

const rankOf = (n: number) => f(0.37 * (n + 1))

async function put(from: number, to: number): Promise<void> {
  const lines: object[] = []
  for (let n = from; n < to; n++) {
    const rank = rankOf(n)
    lines.push({ index: { _id: String(n) } }, { n, up: rank, down: rank, many: { all: rank, [`only${n}`]: 2 } })
  }
  const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  const { status } = await search.request('PUT', `/${INDEX}/_bulk?refresh=true`, body)
  assert.equal(status, 200)
}

interface Hit {
  readonly _id: string
  readonly _score: number
  readonly _explanation?: { readonly value: number; readonly description: string }
}

async function hits(query: object, more: object = {}): Promise<readonly Hit[]> {
  const asked = { query, size: DOCUMENTS, _source: false, ...more }
  const { status, body } = await search.request('POST', `/${INDEX}/_search`, asked)
  assert.equal(status, 200, JSON.stringify(body))
  return (body as { hits: { hits: readonly Hit[] } }).hits.hits
}

async function failure(method: string, path: string, body: object): Promise<string> {
  const answer = await search.request(method, `/${INDEX}/${path}`, body)
  assert.equal(answer.status, 400, JSON.stringify(answer.body))
  return JSON.stringify(answer.body)
}

const feature = (field: string, more: object = {}) => ({ rank_feature: { field, ...more } })

async function checkScores(query: object, numbers: readonly number[], score: (value: number) => number): Promise<void> {
  const found = await hits(query)
  assert.equal(found.length, numbers.length)
  for (const { _id, _score } of found) assert.equal(f(_score), score(kept(rankOf(Number(_id)))), _id)
}

test('numbers that rank score by four functions, in several segments and after a merge', async () => {
  await search.request('PUT', `/${INDEX}`, {
    settings: { number_of_shards: 1 },
    mappings: {
      properties: {
        n: { type: 'integer' },
        up: { type: 'rank_feature' },
        down: { type: 'rank_feature', positive_score_impact: false },
        many: { type: 'rank_features' },
        or: { type: 'rank_feature', null_value: 8 },
      },
    },
  })
  await put(0, 150)
  await put(150, DOCUMENTS)
  await search.request('POST', `/${INDEX}/_delete_by_query?refresh=true`, { query: { range: { n: { lt: 3 } } } })
  const numbers = Array.from({ length: DOCUMENTS - 3 }, (_, i) => i + 3)
  for (const merged of [false, true]) {
    if (merged) await search.request('POST', `/${INDEX}/_forcemerge?max_num_segments=1`)
    for (const field of ['up', 'many.all']) {
      await checkScores(feature(field, { linear: {} }), numbers, (value) => value)
      await checkScores(feature(field, { linear: {}, boost: 3 }), numbers, (value) => f(3 * value))
      await checkScores(feature(field, { log: { scaling_factor: 4 } }), numbers, (value) => f(Math.log(f(4 + value))))
      await checkScores(feature(field, { saturation: { pivot: 8 } }), numbers, (value) => f(1 - f(8 / f(value + 8))))
      await checkScores(feature(field, { sigmoid: { pivot: 7, exponent: 0.5 } }), numbers, (value) => {
        const raised = 7 ** 0.5
        return f(1 - raised / (value ** 0.5 + raised))
      })
    }
  }
  const inverse = await hits(feature('down', { linear: {} }))
  for (const { _id, _score } of inverse) assert.equal(f(_score), kept(f(1 / rankOf(Number(_id)))))
  assert.deepEqual(
    (await hits(feature('many.only77', { linear: {} }))).map(({ _id, _score }) => [_id, _score]),
    [['77', 2]],
  )
})

test('a saturation without a pivot takes the mean of the stored numbers', async () => {
  // Deleted documents count as long as a merge keeps them.
  const numbers = Array.from({ length: DOCUMENTS }, (_, n) => kept(rankOf(n)))
  const bits = (value: number) => new Int32Array(Float32Array.of(value).buffer)[0]! >>> 15
  const mean = Math.trunc(f(numbers.reduce((sum, value) => sum + bits(value), 0) / numbers.length))
  const pivot = new Float32Array(Int32Array.of(mean << 15).buffer)[0]!
  const [best] = await hits(feature('up'), { size: 1, explain: true })
  const value = kept(rankOf(DOCUMENTS - 1))
  assert.equal(f(best!._score), f(1 - f(pivot / f(value + pivot))))
  assert.equal(
    best!._explanation!.description,
    'Saturation function on the _feature field for the up feature, computed as w * S / (S + k) from:',
  )
})

test('numbers that rank refuse what they cannot be', async () => {
  const score = (body: object) => failure('POST', '_search', { query: { rank_feature: body } })
  assert.match(
    await score({ field: 'n' }),
    /only works on \[rank_feature\] fields and features of \[rank_features\] fields, not \[integer\]/,
  )
  assert.match(await score({ field: 'many' }), /not \[rank_features\]/)
  assert.match(await score({ field: 'down', log: { scaling_factor: 1 } }), /Cannot use the \[log\] function/)
  assert.match(await score({ field: 'up', log: {} }), /Required \[scaling_factor\]/)
  assert.match(await score({ field: 'up', sigmoid: { pivot: 1 } }), /Required \[exponent\]/)
  assert.match(
    await score({ field: 'up', linear: {}, saturation: {} }),
    /Can only specify one of \[log\], \[saturation\], \[sigmoid\] and \[linear\]/,
  )
  assert.match(await score({}), /Required \[field\]/)
  assert.deepEqual(await hits(feature('nothing')), [])
  assert.deepEqual(await hits(feature('many.nothing')), [])
  const index = (body: object) => failure('PUT', '_doc/bad', body)
  assert.match(await index({ up: 0 }), /must be a positive normal float, got: 0\.0 for feature up on field _feature/)
  assert.match(
    await index({ up: [1, 2] }),
    /do not support indexing multiple values for the same field \[up\] in the same document/,
  )
  assert.match(await index({ many: { 'a.b': 1 } }), /do not support dots in feature names but found \[a\.b\]/)
  assert.match(await index({ many: [{ a: 1 }, { a: 2 }] }), /multiple values for the same rank feature \[many\.a\]/)
  assert.match(await index({ many: 1 }), /must be json objects, expected a START_OBJECT but got: VALUE_NUMBER/)
  assert.match(
    await failure('POST', '_search', { sort: ['up'] }),
    /\[rank_feature\] fields do not support sorting, scripting or aggregating/,
  )
  assert.match(
    await failure('POST', '_search', { query: { term: { up: 1 } } }),
    /Queries on \[rank_feature\] fields are not supported/,
  )
  assert.match(
    await failure('POST', '_search', { query: { exists: { field: 'many' } } }),
    /\[rank_features\] fields do not support \[exists\] queries/,
  )
  const wrong = { properties: { x: { type: 'keyword', fields: { many: { type: 'rank_features' } } } } }
  assert.match(await failure('PUT', '_mapping', wrong), /can't be used in multifields/)
})

test('numbers that rank exist, replace null and are shown as floats', async () => {
  await search.request('PUT', `/${INDEX}/_doc/none?refresh=true`, { or: null, up: '2.5' })
  assert.deepEqual(
    (await hits({ exists: { field: 'or' } })).map(({ _id }) => _id),
    ['none'],
  )
  assert.deepEqual(
    (await hits(feature('or', { linear: {} }))).map(({ _score }) => _score),
    [8],
  )
  const [hit] = await hits({ ids: { values: ['none'] } }, { fields: ['up', 'or'] })
  assert.deepEqual((hit as unknown as { fields: unknown }).fields, { up: [2.5], or: [8] })
})
