import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestShard } from '../../search/search-fixture.ts'
import type { StoredSegment } from '../../segment/segment-reader.ts'
import { luceneBytes, luceneUpdateBytes } from './lucene-size.ts'

const properties = {
  title: { type: 'text' },
  tag: { type: 'keyword' },
  count: { type: 'integer' },
  total: { type: 'long' },
  share: { type: 'double' },
  half: { type: 'half_float' },
  at: { type: 'date' },
  open: { type: 'boolean' },
  from: { type: 'ip' },
  place: { type: 'geo_point' },
  part: { type: 'nested', properties: { code: { type: 'keyword' }, size: { type: 'short' } } },
}

const WORDS = ['shore', 'marsh', 'tide', 'reef', 'the', 'of', 'sandpiper', 'lagoon', 'inlet']

/** Documents that differ in everything and sometimes lack fields. */
function document(i: number): { id: string; source: Record<string, unknown> } {
  const words = (count: number) => Array.from({ length: count }, (_, n) => WORDS[(i * 7 + n * n) % WORDS.length])
  const source: Record<string, unknown> = {
    title: words(3 + (i % 9)).join(' '),
    tag: i % 4 === 0 ? words(2) : WORDS[i % 5],
    count: (i * 37) % 23,
    total: i % 3 === 0 ? undefined : i * 1_000_003,
    share: i % 5 === 0 ? [i / 4, -i / 8] : i / 4,
    half: i % 2 === 0 ? undefined : i / 2,
    at: new Date(Date.UTC(2024, i % 12, 1 + i)).toISOString(),
    open: i % 3 === 1,
    from: `10.0.${i % 3}.${i}`,
    place: i % 6 === 0 ? undefined : { lat: 50 + i / 8, lon: -i / 4 },
    part: Array.from({ length: i % 4 }, (_, n) => ({ code: WORDS[(i + n) % 9], size: n })),
  }
  return { id: `doc-${i}`, source }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => document(from + i))

/** The same documents in Elasticsearch 8.19: bytes of the segment before and after one was deleted, with its parts. */
const RECORDED = [
  { from: 1, to: 2, bytes: 7936, dead: 2, updated: 10270 },
  { from: 2, to: 12, bytes: 11382, dead: 4, updated: 13734 },
  { from: 12, to: 72, bytes: 22099, dead: 3, updated: 24449 },
] as const

// Goal: segments compare as in Elasticsearch, even if they differ by only a few bytes. Method: recorded sizes of the
// same documents.
test("estimated Lucene sizes equal the recorded sizes of Elasticsearch's segments", () => {
  const batches = RECORDED.map(({ from, to }) => range(from, to))
  const { view, mapping } = openTestShard(properties, batches)
  const shape = { fieldOf: (name: string) => mapping.field(name), isSorted: false }
  for (const [i, { from, to, bytes, dead, updated }] of RECORDED.entries()) {
    const reader = view.segments[i]!.reader as StoredSegment
    const near = (actual: number, expected: number) =>
      assert.ok(Math.abs(actual - expected) <= 8, `documents ${from} to ${to}: ${actual} bytes, not ${expected}`)
    const whole = luceneBytes(reader, shape)
    near(whole, bytes)
    near(whole + luceneUpdateBytes(reader, shape, dead), updated)
  }
})
