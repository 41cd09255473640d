/**
 * Goal: neighbours are exactly the nearest documents, whatever the shards, segments, deletions, filters and ways of reading.
 * Method: random vectors of small integers, so that scores are exact and ties frequent; the nearest documents are computed here from
 * the documents themselves and compared by their scores.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { startSearch } from '../../src/testing/index.ts'

const search = await startSearch({ listen: false })
after(() => search.stop())

interface Doc {
  readonly vector: readonly number[]
  readonly group: number
}

interface Hit {
  readonly _id: string
  readonly _score: number
}

const element = fc.integer({ min: -3, max: 3 })
const vector = fc.array(element, { minLength: 3, maxLength: 3 })
const doc = fc.record({ vector, group: fc.integer({ min: 0, max: 2 }) })

const scoreOf = (a: readonly number[], b: readonly number[]) =>
  Math.fround(1 / (1 + a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0)))

async function hitsOf(body: unknown, path = '/points/_search'): Promise<Hit[]> {
  const answer = await search.request('POST', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return (answer.body as { hits: { hits: Hit[] } }).hits.hits.map((hit) => ({
    ...hit,
    _score: Math.fround(hit._score),
  }))
}

test('sections, clauses, filters, aliases and points in time find the nearest of all live documents', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(doc, { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(39), { maxLength: 8 }),
      vector,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 2 }),
      async (docs, deleted, query, k, shards, group) => {
        await search.request('DELETE', '/points')
        await search.request('PUT', '/points', {
          settings: { number_of_shards: shards },
          mappings: { properties: { v: { type: 'dense_vector', similarity: 'l2_norm' }, group: { type: 'integer' } } },
          aliases: { grouped: { filter: { term: { group } } } },
        })
        const living = new Map<string, Doc>()
        for (const [i, one] of docs.entries()) {
          const refresh = i % 7 === 0 ? '?refresh=true' : ''
          await search.request('PUT', `/points/_doc/${i}${refresh}`, { v: one.vector, group: one.group })
          living.set(String(i), one)
        }
        for (const i of deleted) {
          await search.request('DELETE', `/points/_doc/${i}`)
          living.delete(String(i))
        }
        await search.request('POST', '/points/_refresh')

        const check = (found: readonly Hit[], isCandidate: (doc: Doc) => boolean) => {
          const candidates = [...living.values()].filter(isCandidate).map((one) => scoreOf(one.vector, query))
          const expected = candidates.sort((a, b) => b - a).slice(0, k)
          assert.deepEqual(
            found.map(({ _score }) => _score),
            expected,
          )
          for (const { _id, _score } of found) {
            assert.ok(isCandidate(living.get(_id)!))
            assert.equal(scoreOf(living.get(_id)!.vector, query), _score)
          }
          assert.equal(new Set(found.map(({ _id }) => _id)).size, found.length)
        }
        const all = () => true
        const inGroup = (one: Doc) => one.group === group
        const knn = { field: 'v', query_vector: query, k, num_candidates: k + 5 }
        const filtered = { ...knn, filter: { term: { group } } }
        check(await hitsOf({ size: 50, knn }), all)
        check(await hitsOf({ size: 50, knn: filtered }), inGroup)
        check(await hitsOf({ size: 50, knn }, '/grouped/_search'), inGroup)
        if (shards === 1) check(await hitsOf({ size: 50, query: { knn } }), all)
        if (shards === 1) check(await hitsOf({ size: 50, query: { bool: { must: { knn: filtered } } } }), inGroup)

        const { body } = await search.request('POST', '/points/_pit?keep_alive=1m')
        const pit = { id: (body as { id: string }).id }
        const pages: Hit[] = []
        let after: unknown
        for (;;) {
          const page = await hitsOf(
            { size: 3, knn, pit, ...(after === undefined ? {} : { search_after: after }) },
            '/_search',
          )
          if (page.length === 0) break
          pages.push(...page)
          after = (page.at(-1) as Hit & { sort: unknown }).sort
        }
        check(pages, all)
        await search.request('DELETE', '/_pit', pit)
      },
    ),
    { numRuns: 12 },
  )
})

interface Passage {
  readonly vector: readonly number[]
}

test('a document is as near as its nearest passage, whatever the shards, order, filters and deletions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ passages: fc.array(fc.record({ vector }), { maxLength: 3 }), group: fc.nat(2) }), {
        minLength: 1,
        maxLength: 25,
      }),
      fc.array(fc.nat(24), { maxLength: 5 }),
      vector,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 2 }),
      fc.boolean(),
      async (docs, deleted, query, k, shards, isSorted) => {
        await search.request('DELETE', '/books')
        await search.request('PUT', '/books', {
          settings: { number_of_shards: shards, ...(isSorted ? { sort: { field: 'group', order: 'desc' } } : {}) },
          mappings: {
            properties: {
              group: { type: 'integer' },
              p: { type: 'nested', properties: { v: { type: 'dense_vector', dims: 3, similarity: 'l2_norm' } } },
            },
          },
          aliases: { ones: { filter: { term: { group: 1 } } } },
        })
        const living = new Map<string, { readonly passages: readonly Passage[]; readonly group: number }>()
        for (const [i, { passages, group }] of docs.entries()) {
          const p = passages.map((one) => ({ v: one.vector }))
          await search.request('PUT', `/books/_doc/${i}${i % 6 === 0 ? '?refresh=true' : ''}`, { p, group })
          living.set(String(i), docs[i]!)
        }
        for (const i of deleted) {
          await search.request('DELETE', `/books/_doc/${i}`)
          living.delete(String(i))
        }
        await search.request('POST', '/books/_refresh')

        const ofDoc = ({ passages }: { readonly passages: readonly Passage[] }) =>
          passages.map((one) => scoreOf(one.vector, query)).sort((a, b) => b - a)
        const knn = {
          field: 'p.v',
          query_vector: query,
          k,
          num_candidates: 20,
          inner_hits: { _source: false, size: 5 },
        }
        const check = async (section: object, path: string, group: number | undefined) => {
          const found = await hitsOf({ size: 50, _source: false, knn: section }, path)
          const candidates = [...living.values()].filter((one) => group === undefined || one.group === group)
          const expected = candidates.flatMap((one) => ofDoc(one).slice(0, 1)).sort((a, b) => b - a)
          assert.deepEqual(
            found.map(({ _score }) => _score),
            expected.slice(0, k),
          )
          for (const hit of found) {
            const own = (hit as Hit & { inner_hits: { p: { hits: { hits: Hit[] } } } }).inner_hits.p.hits.hits
            assert.deepEqual(
              own.map(({ _score }) => Math.fround(_score)),
              ofDoc(living.get(hit._id)!),
            )
          }
        }
        await check(knn, '/books/_search', undefined)
        await check({ ...knn, filter: { term: { group: 2 } } }, '/books/_search', 2)
        await check(knn, '/ones/_search', 1)
      },
    ),
    { numRuns: 10 },
  )
})
