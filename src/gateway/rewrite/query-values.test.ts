import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { queryValues } from './query-values.ts'
import type { SearchScope } from './search-rewrite.ts'

const FIELDS: Readonly<Record<string, JsonObject>> = {
  plain: { type: 'date' },
  f: { type: 'date', format: 'epoch_second' },
  b: { type: 'boolean' },
}

const scope = { field: (name: string) => FIELDS[name] } as unknown as SearchScope
const sent = (query: JsonObject) => queryValues({ query }, scope)?.request['query']

test('numbers in queries on a date with a format are sent as milliseconds', () => {
  const range = (extra: JsonObject = {}) => ({ range: { f: { gte: 5, lte: 5, format: 'epoch_millis', ...extra } } })
  assert.deepEqual(sent({ term: { f: 5 } }), range())
  assert.deepEqual(sent({ term: { f: { value: 5, boost: 2 } } }), range({ boost: 2 }))
  assert.deepEqual(sent({ match: { f: { query: 5 } } }), range())
  assert.deepEqual(sent({ range: { f: { gt: 5 } } }), { range: { f: { gt: 5, format: 'epoch_millis' } } })
  const should = [{ terms: { f: ['1'] } }, range()]
  assert.deepEqual(sent({ bool: { filter: [{ terms: { f: ['1', 5] } }] } }), {
    bool: { filter: [{ constant_score: { filter: { bool: { should } } } }] },
  })
})

test('texts, ranges with a format and dates with the default format are not changed', () => {
  for (const query of [
    { term: { f: '5' } },
    { range: { f: { gte: 5, format: 'epoch_second' } } },
    { term: { plain: 5 } },
    { percolate: { field: 'q', document: { term: { f: 5 } } } },
  ])
    assert.equal(sent(query), undefined)
})

test('a range and terms of a boolean score their boost', () => {
  assert.deepEqual(sent({ terms: { b: [true], boost: 2 } }), {
    constant_score: { filter: { terms: { b: [true] } }, boost: 2 },
  })
  assert.deepEqual(sent({ range: { b: { gte: false, boost: 3 } } }), {
    constant_score: { filter: { range: { b: { gte: false } } }, boost: 3 },
  })
})
