import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeJson } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { parseAnswer } from './answer-tree.ts'
import { ignoreAboveOf, ignoredIn, mayExceed } from './ignore-above.ts'
import { amendScroll, IGNORED_FIELD, ignoredValues } from './ignored-values.ts'
import { refusesScripts } from './own-scripts.ts'
import { applyRewrites, type SearchScope } from './search-rewrite.ts'

const MAPPING = {
  properties: {
    k: { type: 'keyword', ignore_above: 3 },
    t: { type: 'text', copy_to: 'c', fields: { raw: { type: 'keyword', ignore_above: 4 } } },
    c: { type: 'keyword', ignore_above: 2 },
    n: { type: 'nested', properties: { x: { type: 'keyword', ignore_above: 3 } } },
  },
}

const scope = (mapping: JsonObject = MAPPING, parameters: Record<string, string> = {}): SearchScope => ({
  field: () => undefined,
  fieldsOfType: () => [],
  ignoreAbove: new Map([['i', ignoreAboveOf(mapping)] as const].filter(([, limits]) => limits.length > 0)),
  hasScripts: true,
  runtime: {},
  spread: [],
  shards: 1,
  parameter: (name) => parameters[name],
  maxBuckets: 65_536,
  maxResultWindow: 10_000,
})

const found = (hit: string) => `{"hits":{"hits":[{"_index":"i","_id":"1","_score":1.0,${hit}}]}}`
const amended = (request: JsonObject, hit: string, parameters?: Record<string, string>) =>
  encodeJson(
    ignoredValues(request, scope(MAPPING, parameters))!.amend!(parseAnswer(Buffer.from(found(hit)))),
  ).toString()

test('fields of values longer than ignore_above are found through multi-fields, copy_to, lists and names with dots', () => {
  const source = '{"k":12345,"t":"abcdef","n":[{"x":"ab"},{"x":"abcd"}]}'
  assert.deepEqual(
    [...ignoredIn(Buffer.from(source), ignoreAboveOf(MAPPING))],
    [
      ['k', [12345]],
      ['t.raw', ['abcdef']],
      ['n.x', ['abcd']],
      ['c', ['abcdef']],
    ],
  )
  assert.deepEqual([...ignoredIn(Buffer.from('{"n.x":"abcd","k":null}'), ignoreAboveOf(MAPPING)).keys()], ['n.x'])
})

test('an answer with complete documents gets _ignored, together with what the cluster lists', () => {
  const source = '"_source":{"k":"abcd","n":{"x":"abcd"}}'
  assert.equal(amended({}, `"_ignored":["p"],${source}`), found(`"_ignored":["k","n.x","p"],${source}`))
  const values = `"_ignored":["k","n.x"],${source},"ignored_field_values":{"k":["abcd"]}`
  assert.equal(amended({ fields: ['k*'] }, source), found(values))
})

test('a search without complete documents finds long values by a script field', () => {
  const { request } = ignoredValues({ _source: false, fields: ['k'] }, scope())!
  const { script_fields: scripts, _source: source } = request as { script_fields: JsonObject; _source: unknown }
  assert.equal(source, false)
  const { params } = (scripts[IGNORED_FIELD] as { script: { params: { limits: JsonObject } } }).script
  assert.deepEqual((params.limits['i'] as JsonObject[])[0], { field: 'k', path: 'k', limit: 3, shown: true })
  const answer = `"fields":{"${IGNORED_FIELD}":[{"k":["abcd"],"c":[]}]}`
  const shown = found('"_ignored":["c","k"],"ignored_field_values":{"k":["abcd"]}')
  assert.equal(amended({ _source: false }, answer), shown)
  assert.equal(encodeJson(amendScroll(parseAnswer(Buffer.from(found(answer))))).toString(), shown)
  for (const body of [{ _source: ['a'] }, { stored_fields: ['k'] }, { script_fields: { s: {} } }])
    assert.ok(
      IGNORED_FIELD in (ignoredValues(body, scope())!.request['script_fields'] as JsonObject),
      JSON.stringify(body),
    )
  const scrolled = ignoredValues({}, scope(MAPPING, { scroll: '1m' }))!.request
  assert.equal(scrolled['_source'], true)
})

test('a cluster that runs no scripts gets none', () => {
  assert.equal(
    ignoredValues({ _source: false }, { ...scope(), hasScripts: false })!.request['script_fields'],
    undefined,
  )
  assert.ok(refusesScripts(Buffer.from('{"error":{"caused_by":{"reason":"cannot execute [inline] scripts"}}}')))
  assert.ok(!refusesScripts(Buffer.from('{"error":{"reason":"runtime error"}}')))
})

test('a search without hits, without stored fields or without limits is not changed', () => {
  assert.equal(ignoredValues({ size: 0 }, scope()), undefined)
  assert.equal(ignoredValues({ stored_fields: '_none_' }, scope()), undefined)
  assert.equal(ignoredValues({}, scope({ properties: { t: { type: 'text' } } })), undefined)
})

test('hits of top_hits get _ignored unless they are nested documents', () => {
  const request = { size: 0, aggs: { h: { top_hits: { _source: false } } } }
  const { request: sent, amend } = ignoredValues(request, scope())!
  assert.match(
    JSON.stringify(sent),
    new RegExp(`"h":\\{"top_hits":\\{"_source":false,"script_fields":\\{"${IGNORED_FIELD}"`),
  )
  const inner = `{"aggregations":{"h":${found(`"fields":{"${IGNORED_FIELD}":[{"k":[]}]}`)}}}`
  const expected = `{"aggregations":{"h":${found('"_ignored":["k"]')}}}`
  assert.equal(encodeJson(amend!(parseAnswer(Buffer.from(inner)))).toString(), expected)
  const nested = { size: 0, aggs: { n: { nested: { path: 'n' }, aggs: request.aggs } } }
  assert.equal(ignoredValues(nested, scope()), undefined)
})

test('an answer without a value as long as the limit is passed by its bytes', () => {
  const limited = scope({ properties: { t: { type: 'keyword', ignore_above: 100 } } })
  const { isNeeded } = applyRewrites({}, [{ name: 'ignored_values', rewrite: ignoredValues }], limited)!
  assert.equal(isNeeded!(Buffer.from(found(`"_source":{"t":"${'x'.repeat(60)}","u":"${'y'.repeat(60)}"}`))), false)
  assert.equal(isNeeded!(Buffer.from(found(`"_source":{"t":"${'x'.repeat(101)}"}`))), true)
  const escaped = `${'x'.repeat(60)}\\"${'y'.repeat(60)}`
  assert.equal(mayExceed(Buffer.from(found(`"_source":{"t":"${escaped}"}`)), 100), true)
})
