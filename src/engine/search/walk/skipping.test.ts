import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShardSearchResult } from '../execute-search.ts'
import { openTestShard, runSearch, type TestDocument } from '../search-fixture.ts'

const WORDS = ['the', 'of', 'and', 'sea', 'sand', 'piper', 'shore', 'bird'] as const

/** Pseudo-random numbers that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) / 2 ** 24
  }
}

/** Texts of very different lengths, with words from frequent to rare. */
function texts(count: number, seed: number, firstId: number): TestDocument[] {
  const random = numbers(seed)
  return Array.from({ length: count }, (_, i) => {
    const length = 1 + Math.floor(random() ** 3 * 40)
    const words = Array.from({ length }, () => WORDS[Math.floor(random() ** 2 * WORDS.length)]!)
    return { id: String(firstId + i), source: { text: words.join(' ') }, deleted: random() < 0.01 }
  })
}

const shard = openTestShard({ text: { type: 'text' } }, [
  texts(9_000, 1, 0),
  texts(5_000, 2, 9_000),
  texts(90, 3, 14_000),
])

const hitsOf = ({ hits }: ShardSearchResult) => hits.map(({ shardDoc, score }) => [shardDoc, score])

const QUERIES: readonly unknown[] = [
  { match: { text: 'the' } },
  { match: { text: 'bird' } },
  { match: { text: 'bird the' } },
  { match: { text: 'bird sand the of' } },
  { match: { text: { query: 'shore of', operator: 'and' } } },
  { match: { text: { query: 'bird piper the', operator: 'and' } } },
  { bool: { must: { match: { text: 'of' } }, filter: { match: { text: 'sea' } } } },
  { bool: { must: { match: { text: 'of the' } }, must_not: { match: { text: 'sea' } } } },
  { bool: { must: { match: { text: 'piper' } }, should: { match: { text: 'bird the' } } } },
  { match_phrase: { text: 'the of' } },
  { match_phrase: { text: 'of the' } },
  { match_phrase: { text: 'bird the' } },
  { match_phrase: { text: 'the the' } },
  { match_phrase: { text: 'of the sand' } },
  { match_phrase: { text: { query: 'bird sand', slop: 2 } } },
  { bool: { must: { match_phrase: { text: 'of and' } }, filter: { match: { text: 'bird' } } } },
  { dis_max: { queries: [{ match: { text: 'bird the' } }, { match_phrase: { text: 'sea sand' } }] } },
]

// Goal: skipping uncompetitive documents changes neither the hits of a search nor their scores. Method: each query once
// with all matches ranked, and once for the best of them, with totals that need all, some, or no counting. Totals are
// exact up to their limit.
for (const query of QUERIES) {
  test(`the best hits equal the first of all hits: ${JSON.stringify(query)}`, () => {
    const all = runSearch(shard, { query, size: 20_000 })
    assert.ok(all.total > 0)
    for (const size of [1, 10, 300]) {
      for (const totalUpTo of [Number.POSITIVE_INFINITY, 1_000, 10, -1]) {
        const best = runSearch(shard, { query, size }, totalUpTo < 0 ? { wantsTotal: false } : { totalUpTo })
        const what = `size ${size}, total up to ${totalUpTo}`
        assert.deepEqual(hitsOf(best), hitsOf(all).slice(0, size), what)
        assert.equal(best.maxScore, all.maxScore, what)
        if (totalUpTo < 0) continue
        if (best.total <= totalUpTo) assert.equal(best.total, all.total, what)
        else assert.ok(best.total <= all.total && all.total > totalUpTo, what)
      }
    }
  })
}

// Goal: phrases are found however their words are searched. Method: the number of documents by plain text search.
for (const phrase of ['the of', 'of the', 'bird the', 'the the', 'of the sand', 'shore bird']) {
  test(`the phrase [${phrase}] matches as many documents as texts contain it`, () => {
    const found = runSearch(shard, { query: { match_phrase: { text: phrase } }, size: 0 })
    const segments = [texts(9_000, 1, 0), texts(5_000, 2, 9_000), texts(90, 3, 14_000)]
    const matches = segments.flat().filter(({ source, deleted }) => {
      return deleted !== true && ` ${String(source['text'])} `.includes(` ${phrase} `)
    })
    assert.equal(found.total, matches.length)
  })
}
