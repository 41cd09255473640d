import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeJson } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { parseAnswer } from './answer-tree.ts'
import { exactPercentiles, PERCENTILES_SCRIPT } from './exact-percentiles.ts'
import { refusesOwnScripts } from './own-scripts.ts'
import type { SearchScope } from './search-rewrite.ts'

const TYPES: Readonly<Record<string, string>> = { n: 'long', k: 'keyword', d: 'date' }
const scope = (hasScripts = true): SearchScope => ({
  field: (name) => (TYPES[name] === undefined ? undefined : { type: TYPES[name] }),
  fieldsOfType: () => [],
  ignoreAbove: new Map(),
  hasScripts,
  runtime: {},
  spread: [],
  shards: 1,
  parameter: () => undefined,
  maxBuckets: 65_536,
  maxResultWindow: 10_000,
})
const NAME = `${PERCENTILES_SCRIPT}p`
const amended = (request: JsonObject, aggregations: string) =>
  encodeJson(
    exactPercentiles(request, scope())!.amend!(parseAnswer(Buffer.from(`{"aggregations":${aggregations}}`))),
  ).toString()

test('percentiles of a number have a script beside them, whose numbers replace those of the cluster', () => {
  const request = {
    aggs: { t: { terms: { field: 'k' }, aggs: { p: { percentiles: { field: 'n', percents: [50] } } } } },
  }
  const inner = (exactPercentiles(request, scope())!.request as typeof request).aggs.t.aggs as JsonObject
  const { params } = (inner[NAME] as { scripted_metric: { params: unknown } }).scripted_metric
  assert.deepEqual(params, { field: 'n', keys: [50], limit: 2000 })
  const bucket = (value: string, found: string) => `{"key":"a","p":{"values":{"50.0":${value}}}${found}}`
  const answer = (found: string) => `{"t":{"buckets":[${bucket('3.0', `,"${NAME}":{"value":${found}}`)}]}}`
  const expected = (value: string) => `{"aggregations":{"t":{"buckets":[${bucket(value, '')}]}}}`
  assert.equal(amended(request, answer('[2.5]')), expected('2.5'))
  assert.equal(amended(request, answer('null')), expected('3.0'))
})

test('percentile ranks that are not keyed, with typed keys, get the numbers of the script', () => {
  const ranks = { field: 'n', values: [1, 7.5], keyed: false, tdigest: { compression: 3 }, missing: 4 }
  const request = { aggs: { p: { percentile_ranks: ranks } } }
  const { params } = (exactPercentiles(request, scope())!.request as { aggs: Record<string, JsonObject> }).aggs[NAME]![
    'scripted_metric'
  ] as JsonObject
  assert.deepEqual(params, { field: 'n', keys: [1, 7.5], limit: 60, missing: 4 })
  const values = (a: string, b: string) => `{"values":[{"key":1.0,"value":${a}},{"key":7.5,"value":${b}}]}`
  const answer = `{"tdigest_percentile_ranks#p":${values('0.0', '90.0')},"scripted_metric#${NAME}":{"value":[12.5,75.0]}}`
  assert.equal(amended(request, answer), `{"aggregations":{"tdigest_percentile_ranks#p":${values('12.5', '75.0')}}}`)
})

test('percentiles that only the cluster can compute are not changed', () => {
  const kept = (options: JsonObject, hasScripts = true) =>
    exactPercentiles({ aggs: { p: { percentiles: options } } }, scope(hasScripts)) === undefined
  assert.ok(!kept({ field: 'n' }))
  assert.ok(kept({ field: 'n' }, false))
  assert.ok(kept({ field: 'n', hdr: {} }))
  assert.ok(kept({ field: 'n', format: '0.0' }))
  assert.ok(kept({ field: 'n', tdigest: { execution_hint: 'high_accuracy' } }))
  assert.ok(kept({ field: 'd' }))
  assert.ok(kept({ field: 'unknown' }))
  assert.ok(kept({ script: { source: '1' } }))
})

test('a refusal of scripts counts only for searches with scripts of the gateway', () => {
  const refusal = Buffer.from('{"error":{"reason":"cannot execute [inline] scripts"}}')
  assert.ok(refusesOwnScripts(Buffer.from(`{"aggs":{"${NAME}":{}}}`), refusal))
  assert.ok(!refusesOwnScripts(Buffer.from('{"aggs":{}}'), refusal))
  assert.ok(!refusesOwnScripts(undefined, refusal))
})

test('percentiles below rare terms of nested documents have no script, which OpenSearch refuses there', () => {
  const rare = { rare_terms: { field: 'k' }, aggs: { p: { percentiles: { field: 'n' } } } }
  const nested = { aggs: { c: { nested: { path: 'c' }, aggs: { u: { reverse_nested: {}, aggs: { r: rare } } } } } }
  assert.equal(exactPercentiles(nested, scope()), undefined)
  assert.notEqual(exactPercentiles({ aggs: { r: rare } }, scope()), undefined)
})
