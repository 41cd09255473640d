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

const scope = {
  field: (name: string) => FIELDS[name],
  fieldsOfType: (type: string) => Object.keys(FIELDS).filter((name) => FIELDS[name]!['type'] === type),
} as unknown as SearchScope
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
    { term: { plain: 1_700_000_000_000 } },
    { range: { plain: { gte: 1_700_000_000_000 } } },
    { range: { plain: { gte: '2020', lte: 'now' } } },
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

test('numbers of four digits on a date with the default format are sent as milliseconds, and bounds beside numbers, too', () => {
  const exact = { range: { plain: { gte: 2020, lte: 2020, format: 'epoch_millis' } } }
  assert.deepEqual(sent({ term: { plain: 2020 } }), exact)
  assert.deepEqual(sent({ range: { plain: { lt: 2020 } } }), { range: { plain: { lt: 2020, format: 'epoch_millis' } } })
  const mixed = { gte: 1_700_000_000_000, lte: '2024-01-01' }
  assert.deepEqual(sent({ range: { plain: mixed } }), { range: { plain: { ...mixed, format: 'epoch_millis' } } })
})

test('milliseconds before 1970 are sent as dates', () => {
  const text = '1969-12-31T23:59:59.999Z'
  const format = 'strict_date_optional_time'
  const exact = { range: { plain: { gte: text, lte: text, format } } }
  assert.deepEqual(sent({ term: { plain: -1 } }), exact)
  assert.deepEqual(sent({ term: { plain: '-1' } }), { term: { plain: { value: text } } })
  assert.deepEqual(sent({ terms: { plain: ['-1'], boost: 2 } }), { terms: { plain: [text], boost: 2 } })
  assert.deepEqual(sent({ terms: { plain: ['-1', -1] } }), {
    constant_score: { filter: { bool: { should: [{ terms: { plain: [text] } }, exact] } } },
  })
  assert.deepEqual(sent({ range: { plain: { gte: -1, lt: 'now' } } }), {
    range: { plain: { gte: text, lt: 'now', format } },
  })
  assert.deepEqual(sent({ range: { plain: { lte: '-1' } } }), { range: { plain: { lte: text } } })
  assert.deepEqual(sent({ range: { plain: { lte: '-1', format: 'epoch_millis' } } }), {
    range: { plain: { lte: text, format } },
  })
  assert.equal(sent({ term: { plain: '-1000' } }), undefined)
  assert.deepEqual(sent({ term: { f: -1 } }), { range: { f: { gte: text, lte: text, format } } })
  const mixed = { gte: -1, lte: '2024-01-01' }
  assert.deepEqual(sent({ range: { f: mixed } }), { range: { f: { ...mixed, format: 'epoch_millis' } } })
})

test('a term without a text is sent without case_insensitive, for which OpenSearch finds nothing', () => {
  const empty = { value: '', case_insensitive: true, boost: 2 }
  assert.deepEqual(sent({ bool: { filter: { term: { k: empty } } } }), {
    bool: { filter: { term: { k: { value: '', boost: 2 } } } },
  })
  for (const term of [
    { value: 'a', case_insensitive: true },
    { value: '', case_insensitive: false },
    { value: '' },
    '',
  ])
    assert.equal(sent({ term: { k: term } }), undefined)
})

test('negative numbers on a date in the languages of queries are refused', () => {
  const refused = (query: JsonObject) => assert.throws(() => sent(query), /a negative number on a date in \[/)
  for (const text of ['plain:"-100"', 'plain:\\-100', 'a b plain:[-10 TO 5]', 'plain:{* TO -10}', 'plain:>=-5'])
    refused({ bool: { must: [{ query_string: { query: text } }] } })
  refused({ query_string: { query: '"-100"', fields: ['k', 'f^2'] } })
  refused({ query_string: { query: '[-100 TO 0]', default_field: 'plain' } })
  refused({ simple_query_string: { query: '"-100"', fields: ['plain'] } })
  refused({ multi_match: { query: '-100', fields: ['k', 'plain'] } })
  refused({ multi_match: { query: -100, fields: ['plain'] } })
  for (const query of [
    { query_string: { query: 'plain:2020 -100', fields: ['plain'] } },
    { query_string: { query: 'k:"-100" if:"-100"' } },
    { query_string: { query: '"2020-01-01"', fields: ['plain'] } },
    { query_string: { query: '[2020-01-01 TO 2021-01-01]', fields: ['plain'] } },
    { simple_query_string: { query: '-100', fields: ['plain'] } },
    { multi_match: { query: '100', fields: ['plain'] } },
    { multi_match: { query: '-100', fields: ['k'] } },
  ])
    assert.equal(sent(query), undefined)
})
