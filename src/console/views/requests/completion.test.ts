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

test('methods are offered at the start of a line, paths and indices behind them', () => {
  assert.ok(labels('G|').includes('GET'))
  assert.deepEqual(
    labels('GET |'),
    ['', '_search', 'logs-2025', 'issues', '_cat'].filter((x) => x !== '' || labels('GET |').includes('')),
  )
  assert.deepEqual(labels('GET logs-2025/|'), ['_search', '_doc'])
  assert.deepEqual(labels('GET /_cat/|'), ['indices'])
})

test('parameters follow a question mark, their values an equals sign', () => {
  assert.ok(labels('GET logs-2025/_search?tra|').includes('track_total_hits'))
  assert.ok(labels('GET logs-2025/_search?size=1&expand_wildcards=|').includes('hidden'))
})

test('keys of a search body, clauses of a query and options of a clause are offered where they belong', () => {
  const body = (json: string) => labels(`GET logs-2025/_search\n${json}`)
  assert.ok(body('{ "|').includes('aggs'))
  assert.ok(body('{ "query": { "|').includes('bool'))
  assert.ok(!body('{ "query": { "|').includes('date_histogram'))
  assert.ok(body('{ "query": { "bool": { "|').includes('must_not'))
  assert.ok(body('{ "query": { "bool": { "filter": [ { "|').includes('term'))
  assert.ok(body('{ "query": { "term": { "|').includes('host'))
  assert.ok(body('{ "query": { "range": { "took": { "|').includes('gte'))
})

test('aggregations are offered below a name, and sub-aggregations below them', () => {
  const body = (json: string) => labels(`GET logs-2025/_search\n${json}`)
  assert.ok(body('{ "aggs": { "a": { "|').includes('composite'))
  assert.ok(body('{ "aggs": { "a": { "terms": { "|').includes('min_doc_count'))
  assert.ok(body('{ "aggs": { "a": { "terms": { "field": "|').includes('host'))
  assert.ok(body('{ "aggs": { "a": { "terms": { "field": "host" }, "aggs": { "b": { "|').includes('avg'))
  assert.ok(body('{ "aggs": { "a": { "filter": { "|').includes('match'))
})

test('types of fields are offered in a mapping', () => {
  assert.ok(labels('PUT a\n{ "mappings": { "properties": { "x": { "type": "|').includes('keyword'))
})

test('nothing is offered behind a finished value', () => {
  assert.deepEqual(labels('GET a/_search\n{ "size": 1 |'), [])
})
