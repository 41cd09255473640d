import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposalsAt } from './completion.ts'

const around = {
  routes: [
    'GET /',
    'GET /_search',
    'GET /{index}/_search',
    'GET /{index}/_doc/{id}',
    'POST /_bulk',
    'GET /_cat/indices',
  ],
  indices: ['logs-2025', 'issues'],
  fields: [
    { name: 'host', type: 'keyword' },
    { name: 'took', type: 'double' },
  ],
}

/** The labels that are offered at `|`. */
function labels(marked: string): string[] {
  const offset = marked.indexOf('|')
  return (proposalsAt(marked.replace('|', ''), offset, around)?.options ?? []).map(({ label }) => label)
}

test('completion offers methods at the start of a line, then paths and indices', () => {
  assert.ok(labels('G|').includes('GET'))
  assert.deepEqual(
    labels('GET |'),
    ['', '_search', 'logs-2025', 'issues', '_cat'].filter((x) => x !== '' || labels('GET |').includes('')),
  )
  assert.deepEqual(labels('GET logs-2025/|'), ['_search', '_doc'])
  assert.deepEqual(labels('GET /_cat/|'), ['indices'])
})

test('completion offers parameters after a question mark and values after an equals sign', () => {
  assert.ok(labels('GET logs-2025/_search?tra|').includes('track_total_hits'))
  assert.ok(labels('GET logs-2025/_search?size=1&expand_wildcards=|').includes('hidden'))
})

test('completion offers keys of a search body, clauses in queries and options in clauses', () => {
  const body = (json: string) => labels(`GET logs-2025/_search\n${json}`)
  assert.ok(body('{ "|').includes('aggs'))
  assert.ok(body('{ "query": { "|').includes('bool'))
  assert.ok(!body('{ "query": { "|').includes('date_histogram'))
  assert.ok(body('{ "query": { "bool": { "|').includes('must_not'))
  assert.ok(body('{ "query": { "bool": { "filter": [ { "|').includes('term'))
  assert.ok(body('{ "query": { "term": { "|').includes('host'))
  assert.ok(body('{ "query": { "range": { "took": { "|').includes('gte'))
})

test('completion offers aggregations below a name, and sub-aggregations below them', () => {
  const body = (json: string) => labels(`GET logs-2025/_search\n${json}`)
  assert.ok(body('{ "aggs": { "a": { "|').includes('composite'))
  assert.ok(body('{ "aggs": { "a": { "terms": { "|').includes('min_doc_count'))
  assert.ok(body('{ "aggs": { "a": { "terms": { "field": "|').includes('host'))
  assert.ok(body('{ "aggs": { "a": { "terms": { "field": "host" }, "aggs": { "b": { "|').includes('avg'))
  assert.ok(body('{ "aggs": { "a": { "filter": { "|').includes('match'))
})

test('completion offers field types in a mapping', () => {
  assert.ok(labels('PUT a\n{ "mappings": { "properties": { "x": { "type": "|').includes('keyword'))
})

test('completion offers nothing after a complete value', () => {
  assert.deepEqual(labels('GET a/_search\n{ "size": 1 |'), [])
})
